internal import ObjectBoxStorage

/// Decides a link for one host after another, by looking at the objects that each is related to.
struct LinkTest {
  let link: LinkCondition
  private let targets: QueryExecution
  private let scan: RecordScan
  private let transaction: StorageTransaction
  private let relation: RelationTable?
  private let sources: ToOneSources?

  /// Makes the test of a link to a table.
  ///
  /// - Parameters:
  ///   - link: The link.
  ///   - targets: A run of the condition inside, which decides on each target.
  ///   - table: The target entity.
  ///   - transaction: The open transaction, which the test must not outlive.
  /// - Throws: ``ObjectBoxError`` when the store cannot be read.
  init(
    _ link: LinkCondition,
    _ targets: QueryExecution,
    _ table: EntityTable,
    in transaction: Transaction
  ) throws {
    self.link = link
    self.targets = targets
    self.transaction = transaction.storage
    scan = try RecordScan(table, in: transaction)
    switch link.relation {
    case .toOne:
      relation = nil
      sources = nil
    case .toOneBacklink(let property):
      relation = nil
      sources = ToOneSources(table, propertyID: property, in: transaction.storage)
    case .standalone(let id), .standaloneBacklink(let id):
      relation = try RelationLink.table(id, table, transaction)
      sources = nil
    }
  }

  /// Returns whether some target of a host matches.
  func matches(_ host: FlatBufferReader) throws -> Bool {
    switch link.relation {
    case .toOne(let property):
      guard let target = host.integer(host.field(propertyID: property)), target != 0 else {
        return false
      }
      return try matches(target: UInt64(bitPattern: target))
    case .toOneBacklink:
      return try sources?.ids(referringTo: host.id).contains(where: matches(target:)) ?? false
    case .standalone:
      return try relation?.targets(of: host.id, in: transaction).contains(where: matches(target:))
        ?? false
    case .standaloneBacklink:
      return try relation?.sources(of: host.id, in: transaction).contains(where: matches(target:))
        ?? false
    }
  }

  private func matches(target: UInt64) throws -> Bool {
    // A reference may outlive what it led to.
    guard let record = try scan.record(id: target) else { return false }
    return try targets.matches(record)
  }
}
