/// A removal of objects together with the objects that delete rules remove.
///
/// It collects the objects to remove, checks that no remaining object restricts this, and only then
/// removes. It is iterative: long chains use no stack, and cycles end.
struct Removal {
  private struct Member: Hashable {
    var entity: Int
    var id: UInt64
  }

  private let transaction: Transaction
  private let kept: Member
  /// The objects to remove, in the order of discovery.
  private var members: [Member] = []
  private var known: Set<Member> = []

  /// Makes an empty removal; `kept` is the ID of an object of the entity that is never removed, or
  /// 0.
  init(in transaction: Transaction, keeping kept: UInt64, of table: EntityTable) {
    self.transaction = transaction
    self.kept = Member(entity: table.number, id: kept)
  }

  /// Removes objects of one entity; returns how many of them existed.
  mutating func run<S: Sequence>(_ ids: S, of table: EntityTable) throws -> UInt64
  where S.Element == UInt64 {
    for id in ids where id != 0 {
      guard try table.contains(id, in: transaction.storage) else { continue }
      add(id, of: table.number)
    }
    let count = members.count
    try addDependents()
    try checkRestrictions()
    // In reverse order of discovery: later objects refer to earlier ones, so the fewest references
    // need clearing.
    var writers: [Int: ObjectWriter] = [:]
    for member in members.reversed() {
      let writer =
        try writers[member.entity]
        ?? ObjectWriter(transaction.file.tables[member.entity], in: transaction)
      writers[member.entity] = writer
      _ = try writer.removeAlone(id: member.id)
    }
    return UInt64(count)
  }

  private mutating func add(_ id: UInt64, of entity: Int) {
    let member = Member(entity: entity, id: id)
    if member != kept, known.insert(member).inserted { members.append(member) }
  }

  private mutating func addDependents() throws {
    var index = 0
    while index < members.count {
      for link in try links(of: members[index], with: .cascade) {
        for id in link.ids { add(id, of: link.entity) }
      }
      index += 1
    }
  }

  private func checkRestrictions() throws {
    for member in members {
      for link in try links(of: member, with: .restrict) {
        let staying = link.ids.first { !known.contains(Member(entity: link.entity, id: $0)) }
        guard let staying else { continue }
        throw refusal(of: member, for: Member(entity: link.entity, id: staying), link.words)
      }
    }
  }

  /// Returns the objects at the other ends of a member's relations with a rule, with their entity
  /// and a description of the relation.
  private func links(
    of member: Member,
    with rule: DeleteRule
  ) throws -> [(entity: Int, ids: [UInt64], words: String)] {
    var found: [(entity: Int, ids: [UInt64], words: String)] = []
    let file = transaction.file
    let storage = transaction.storage
    let links = file.tables[member.entity].links
    guard links.hasDeleteRules else { return [] }
    for toOne in links.incomingToOnes where toOne.onDelete == rule {
      let source = file.tables[toOne.source]
      let sources = ToOneSources(source, propertyID: toOne.propertyID, in: storage)
      let property = source.schema.property(id: toOne.propertyID)
      let words = "to-one relation '\(source.name).\(property?.name ?? "")'"
      found.append((toOne.source, try sources.ids(referringTo: member.id), words))
    }
    for relation in links.relations {
      let words =
        "to-many relation from '\(file.tables[relation.source].name)' to "
        + "'\(file.tables[relation.target].name)'"
      if relation.source == member.entity, relation.schema.onDelete == rule {
        let ids = try relation.targets(of: member.id, in: storage)
        found.append((relation.target, try existing(ids, of: relation.target), words))
      }
      if relation.target == member.entity, relation.schema.onTargetDelete == rule {
        let ids = try relation.sources(of: member.id, in: storage)
        found.append((relation.source, try existing(ids, of: relation.source), words))
      }
    }
    return found
  }

  /// Leaves out the missing objects of pairs: rules concern objects.
  private func existing(_ ids: [UInt64], of entity: Int) throws -> [UInt64] {
    try ids.filter { try transaction.file.tables[entity].contains($0, in: transaction.storage) }
  }

  private func refusal(of member: Member, for other: Member, _ link: String) -> ObjectBoxError {
    let tables = transaction.file.tables
    return .constraintViolated(
      message: "cannot remove '\(tables[member.entity].name)' with ID \(member.id): "
        + "'\(tables[other.entity].name)' with ID \(other.id) is connected with it by the \(link), which "
        + "has onDelete = \"restrict\"; remove that object as well, or disconnect the two first"
    )
  }
}
