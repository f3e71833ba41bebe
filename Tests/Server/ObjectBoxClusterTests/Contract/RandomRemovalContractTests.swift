import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Removals at random, compared with delete rules over arrays.
@Suite(.onAnyStore)
struct RandomRemovalContractTests {
  @Test(arguments: StoreKind.available)
  func `removals follow the delete rules of relations of all kinds`(
    _ kind: StoreKind
  ) async throws {
    var (refused, cascades) = (0, 0)
    for seed in 0..<TestLength.choose(short: 6, long: 60) {
      var random = SplitMix(seed: seed)
      let store = try await AnyStore(kind)
      try await fill(store, &random)
      var content = try await RelatedContent(store)
      for step in 0..<10 {
        let isCrate = random.pick([true, false])
        let ids = (0..<random.pick([1, 1, 2, 3])).map { _ in random.pick(Array(1...Self.missing)) }
        let asked = Set(ids.map { RelatedObject(isCrate: isCrate, id: $0) })
        let outcome = content.removing(asked)
        let note: Comment = "seed \(seed), step \(step): \(asked) of \(content)"
        do {
          let count =
            isCrate
            ? try await remove(ids, of: store.box(Crate.self), { Crate.id == $0 }, &random)
            : try await remove(ids, of: store.box(Lid.self), { Lid.id == $0 }, &random)
          #expect(outcome.refusals.isEmpty, note)
          #expect(count == asked.intersection(content.objects).count, note)
          if outcome.content.objects.count + count < content.objects.count { cascades += 1 }
          content = outcome.content
        } catch ObjectBoxError.constraintViolated(let message) {
          #expect(outcome.refusals.contains { message.contains($0) }, "\(message); \(note)")
          refused += 1
        }
        #expect(try await RelatedContent(store) == content, note)
      }
    }
    // The data must be of a kind that exercises the rules.
    #expect(refused > 3 && cascades > 3, "\(refused) refusals, \(cascades) cascades")
  }

  private static let count = 8
  /// An ID without an object.
  private static let missing: Id = 9

  private func fill(_ store: AnyStore, _ random: inout SplitMix) async throws {
    let crates = (0..<Self.count).map { _ in Crate() }
    let lids = (0..<Self.count).map { _ in Lid() }
    try await store.box(Crate.self).put(crates)
    try await store.box(Lid.self).put(lids)
    // Not related, and gone before others relate to it.
    try await store.box(Crate.self).remove(2)
    let density = random.pick([0.1, 0.2, 0.35])
    let missing = (Crate(), Lid())
    missing.0.id = Self.missing
    missing.1.id = Self.missing
    func some<T>(_ ids: [Id], _ random: inout SplitMix) -> EntityId<T>? {
      random.happens(density) ? EntityId(random.pick(ids)) : nil
    }
    let crateIDs = crates.map(\.id).filter { $0 != 2 }
    for crate in crates where crate.id != 2 {
      // The other relations have a foreign key in a cluster, so that their targets exist.
      crate.beside.targetId = some(Array(1...Self.missing), &random)
      crate.inside.targetId = some(crateIDs, &random)
      crate.guarded.targetId = some(lids.map(\.id), &random)
      crate.parts.append(
        contentsOf: (crates + [missing.0]).filter { _ in random.happens(density / 4) }
      )
      crate.lids.append(
        contentsOf: (lids + [missing.1]).filter { _ in random.happens(density / 4) }
      )
      crate.seals.append(
        contentsOf: (lids + [missing.1]).filter { _ in random.happens(density / 4) }
      )
    }
    for lid in lids {
      lid.crate.targetId = some(crateIDs, &random)
      lid.fits.append(
        contentsOf: (crates + [missing.0]).filter { _ in random.happens(density / 4) }
      )
    }
    try await store.box(Crate.self).put(crates.filter { $0.id != 2 })
    try await store.box(Lid.self).put(lids)
  }

  /// Removes objects in one of the ways; returns their number.
  private func remove<E>(
    _ ids: [Id],
    of box: AnyBox<E>,
    _ condition: (Id) -> QueryCondition<E>,
    _ random: inout SplitMix
  ) async throws -> Int {
    if random.happens(0.3) {
      let query = box.query(ids.dropFirst().reduce(condition(ids[0])) { $0 || condition($1) })
      return Int(try await query.build().remove())
    }
    if ids.count == 1, random.happens(0.5), try await box.get(ids[0]) != nil {
      return try await box.remove(ids[0]) ? 1 : 0
    }
    return Int(try await box.remove(ids))
  }
}

private struct RelatedObject: Hashable, CustomStringConvertible {
  var isCrate: Bool
  var id: Id

  var description: String { "'\(isCrate ? "Crate" : "Lid")' with ID \(id)" }
}

/// The objects of a store and their relations.
private struct RelatedContent: Equatable, CustomStringConvertible {
  enum Relation: CaseIterable {
    case beside, inside, guarded, crate
    case parts, lids, seals, fits

    /// The effect of a removed target on the source.
    var ofTarget: DeleteRule {
      switch self {
      case .beside, .parts, .lids: .nullify
      case .inside, .crate, .fits: .cascade
      case .guarded, .seals: .restrict
      }
    }

    /// The effect of a removed source on the target.
    var ofSource: DeleteRule {
      switch self {
      case .lids: .cascade
      case .fits: .restrict
      default: .nullify
      }
    }
  }

  struct Link: Hashable {
    var relation: Relation
    var source: RelatedObject
    var target: RelatedObject
  }

  var objects: Set<RelatedObject> = []
  var links: Set<Link> = []

  var description: String {
    links.map { "\($0.relation) \($0.source) to \($0.target)" }.sorted().joined(separator: ", ")
  }

  init(_ store: AnyStore) async throws {
    for crate in try await store.box(Crate.self).all() {
      let source = RelatedObject(isCrate: true, id: crate.id)
      objects.insert(source)
      add(.beside, source, crate.beside.targetId?.value, isCrate: true)
      add(.inside, source, crate.inside.targetId?.value, isCrate: true)
      add(.guarded, source, crate.guarded.targetId?.value, isCrate: false)
      for id in try await store.ids(crate.parts) { add(.parts, source, id, isCrate: true) }
      for id in try await store.ids(crate.lids) { add(.lids, source, id, isCrate: false) }
      for id in try await store.ids(crate.seals) { add(.seals, source, id, isCrate: false) }
    }
    for lid in try await store.box(Lid.self).all() {
      let source = RelatedObject(isCrate: false, id: lid.id)
      objects.insert(source)
      add(.crate, source, lid.crate.targetId?.value, isCrate: true)
      for id in try await store.ids(lid.fits) { add(.fits, source, id, isCrate: true) }
    }
  }

  private mutating func add(_ relation: Relation, _ source: RelatedObject, _ id: Id?, isCrate: Bool)
  {
    guard let id else { return }
    links.insert(Link(relation: relation, source: source, target: .init(isCrate: isCrate, id: id)))
  }

  /// Returns the content after a removal, and which objects refuse it, as a message names them.
  func removing(_ asked: Set<RelatedObject>) -> (content: Self, refusals: [String]) {
    var removed = asked.intersection(objects)
    /// The ends of existing links: a removed object, the other end, and the effect on that.
    var effects: [(RelatedObject, RelatedObject, DeleteRule)] {
      links.flatMap {
        [
          ($0.target, $0.source, $0.relation.ofTarget),
          ($0.source, $0.target, $0.relation.ofSource),
        ]
      }.filter { removed.contains($0.0) && objects.contains($0.1) && !removed.contains($0.1) }
    }
    while true {
      let cascade = effects.filter { $0.2 == .cascade }.map(\.1)
      if cascade.isEmpty { break }
      removed.formUnion(cascade)
    }
    let refusals = effects.filter { $0.2 == .restrict }.map { "cannot remove \($0.0): \($0.1) is" }
    var content = self
    content.objects.subtract(removed)
    content.links = links.filter { !removed.contains($0.source) && !removed.contains($0.target) }
    return (content, refusals)
  }
}
