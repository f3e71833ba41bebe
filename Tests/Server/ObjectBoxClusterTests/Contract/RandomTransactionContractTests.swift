import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Random transactions with parts that are undone, compared with dictionaries.
@Suite(.onAnyStore)
struct RandomTransactionContractTests {
  /// Undoes a part or a transaction.
  private struct Stop: Error {}

  private struct Values: Hashable {
    var code: String?
    var number: Int?
    var text: String
  }

  /// The badges by their IDs.
  private typealias Badges = [Id: Values]

  @Test(arguments: StoreKind.available)
  func `transactions and their parts store all they do or nothing`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    // In an embedded store, a failure in a part of a part undoes both.
    var run = Run(depth: kind == .cluster ? 3 : 1)
    for seed in 0..<TestLength.choose(short: 60, long: 1_000) {
      run.random = SplitMix(seed: seed)
      run.note = "seed \(seed): "
      let before = run.badges
      var changed = run
      do {
        changed = try await store.write { [run] transaction in
          var run = run
          let box = transaction.box(Badge.self)
          try await run.steps(in: transaction, box, depth: 0)
          if run.random.happens(0.2) { throw Stop() }
          return run
        }
        run = changed
        run.past.formUnion(run.badges.keys)
      } catch is Stop {}
      let stored = try await Run.content(store.box(Badge.self))
      #expect(stored == run.badges, "\(run.note) from \(before)")
      if stored != run.badges { return }
    }
    #expect(run.past.count > 20)
  }

  // MARK: Relations

  private struct Connection: Hashable {
    var name: String?
    var next: Id?
  }

  /// Removes links, and all links that lead to them.
  private static func remove(_ ids: Set<Id>, from links: inout [Id: Connection]) {
    var removed = ids
    while !removed.isEmpty {
      for id in removed { links[id] = nil }
      removed = Set(links.filter { $1.next.map(removed.contains) ?? false }.keys)
    }
  }

  @Test(arguments: StoreKind.available)
  func `replaced objects take along the objects that depend on them`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    var links: [Id: Connection] = [:]
    for seed in 0..<TestLength.choose(short: 30, long: 600) {
      let before = links
      links = try await store.write { transaction in
        var (links, random) = (before, SplitMix(seed: seed))
        let box = transaction.box(Link.self)
        for _ in 0..<random.pick([1, 2, 4]) {
          switch random.pick([0, 0, 0, 1, 2, 3]) {
          case 0:
            let link = Link(random.pick([nil, "a", "b", "c", "d", "e"]))
            if random.happens(0.3) {
              link.id = links.keys.sorted().randomElement(using: &random) ?? 0
            }
            var left = links
            left[link.id] = nil
            Self.remove(
              Set(left.filter { $1.name != nil && $1.name == link.name }.keys),
              from: &left
            )
            // A target that remains.
            let next = random.happens(0.6) ? left.keys.sorted().randomElement(using: &random) : nil
            link.next.targetId = next.map { EntityId($0) }
            if random.happens(0.5) { try await box.put(link) } else { try await box.put([link]) }
            left[link.id] = Connection(name: link.name, next: next)
            links = left
          case 1:
            let ids = Set((0..<2).map { _ in Id.random(in: 1...30, using: &random) })
            let count = ids.filter { links[$0] != nil }.count
            #expect(try await box.remove(ids.sorted()) == UInt64(count), "seed \(seed)")
            Self.remove(ids, from: &links)
          case 2:
            let name = random.pick(["a", "b"])
            let found = Set(links.filter { $1.name == name }.keys)
            let ids = try await box.query(Link.name == name).ids()
            #expect(Set(ids) == found, "seed \(seed)")
          default:
            let all = try await box.all()
            #expect(all.map(\.id) == links.keys.sorted(), "seed \(seed)")
          }
        }
        return links
      }
      let stored = try await store.box(Link.self).all().map {
        ($0.id, Connection(name: $0.name, next: $0.next.targetId?.value))
      }
      let found = Dictionary(uniqueKeysWithValues: stored)
      #expect(found == links, "seed \(seed), from \(before)")
      if found != links { return }
    }
  }

  private struct Run {
    /// The greatest number of parts in each other.
    let depth: Int
    var badges: Badges = [:]
    /// IDs that badges have had.
    var past: Set<Id> = []
    var random = SplitMix(seed: 0)
    var note = ""

    static func content(_ box: AnyBox<Badge>) async throws -> Badges {
      let all = try await box.all()
      return Dictionary(uniqueKeysWithValues: all.map { ($0.id, values(of: $0)) })
    }

    private static func values(of badge: Badge) -> Values {
      Values(code: badge.code, number: badge.number, text: badge.text)
    }

    /// A badge replaces the holders of its code and its number.
    private mutating func put(_ values: Values, _ id: Id) {
      badges = badges.filter { other, held in
        other != id && (held.code == nil || held.code != values.code)
          && (held.number == nil || held.number != values.number)
      }
      badges[id] = values
    }

    private mutating func badge() -> Badge {
      Badge(
        code: random.pick([nil, "a", "b", "c", "d"]),
        number: random.pick([nil, 1, 2, 3, 4]),
        text: random.pick(["", "x", "y"])
      )
    }

    mutating func steps(
      in transaction: AnyTransaction,
      _ box: AnyBox<Badge>,
      depth: Int
    ) async throws {
      for _ in 0..<random.pick([1, 2, 3, 5]) {
        let step = random.pick(Array(0...(depth < self.depth ? 8 : 6)))
        note += "\(step) "
        switch step {
        case 0, 1:
          let new = (0..<random.pick([1, 1, 2, 6])).map { _ in badge() }
          let known = badges.keys.sorted()
          for badge in new where !known.isEmpty && random.happens(0.3) {
            badge.id = random.pick(known)
          }
          // A put of several objects names each of them once.
          let ids = new.map(\.id)
          let all = new.indices.filter { new[$0].id == 0 || ids.firstIndex(of: ids[$0]) == $0 }
            .map { new[$0] }
          if all.count == 1 { try await box.put(all[0]) } else { try await box.put(all) }
          for badge in all { put(Self.values(of: badge), badge.id) }
        case 2:
          guard let id = past.sorted().last(where: { _ in random.happens(0.3) }) else { continue }
          let badge = badge()
          badge.id = id
          try await box.put(badge)
          put(Self.values(of: badge), id)
        case 3:
          let ids = (0..<random.pick([1, 2, 3])).compactMap { _ in
            past.randomElement(using: &random)
          }
          let there = Set(ids).filter { badges[$0] != nil }
          #expect(try await box.remove(ids) == UInt64(there.count), "\(note)")
          for id in ids { badges[id] = nil }
        case 4:
          let number = random.pick([1, 2, 3])
          let query = try box.query(Badge.number > number || Badge.text == "x").build()
          let found = badges.filter { ($1.number ?? 0) > number || $1.text == "x" }
          let (text, code) = (random.pick([nil, "x", "z"]), random.pick([nil, "a", "e"]))
          let count = try await query.updateAll {
            if let text { $0.set(Badge.text, to: text) }
            if let code { $0.set(Badge.code, to: code) }
          }
          let isEmpty = text == nil && code == nil
          #expect(count == (isEmpty ? 0 : UInt64(found.count)), "\(note)")
          for (id, var values) in found.sorted(by: { $0.key < $1.key }) where !isEmpty {
            if let text { values.text = text }
            if let code { values.code = code }
            put(values, id)
          }
        case 5: #expect(try await Self.content(box) == badges, "\(note)")
        case 6:
          let code = random.pick(["a", "b", "c"])
          let ids = try await box.query(Badge.code == code).ids()
          #expect(ids == badges.filter { $1.code == code }.keys.sorted(), "\(note)")
        default: try await part(in: transaction, box, depth: depth)
        }
      }
    }

    /// Runs a part, which may throw.
    private mutating func part(
      in transaction: AnyTransaction,
      _ box: AnyBox<Badge>,
      depth: Int
    ) async throws {
      note += "( "
      let (fails, isRefused) = (random.happens(0.3), random.happens(0.2))
      let new = badge()
      var start = self
      start.random = SplitMix(seed: Int(random.next() >> 1))
      do {
        let (run, missing) = try await transaction.part { [start] in
          var run = start
          try await run.steps(in: transaction, box, depth: depth + 1)
          try await box.put(new)
          run.put(Self.values(of: new), new.id)
          let missing = isRefused ? run.past.sorted().first { run.badges[$0] == nil } : nil
          if let missing {
            let badge = Badge(code: nil)
            badge.id = missing
            try await box.put(badge, mode: .update)
          }
          if fails { throw Stop() }
          return (run, missing)
        }
        #expect(missing == nil, "\(run.note): an update of a missing object was accepted")
        self = run
        note += ") "
      } catch {
        #expect(error is Stop || error is ObjectBoxError, "\(error)")
        #expect(new.id == 0, "\(note)")
        note += "undone ) "
      }
    }
  }
}
