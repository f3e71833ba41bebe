/// A test of a link on one host, which reads its related objects one after the other.
struct LinkTest {
  let link: LinkCondition
  private let targets: QueryExecution
  private let scan: RecordScan
  /// Nil for a to-one property, whose target is in the record of the host.
  private let related: RelationReader?

  /// Makes the test of a link to a table.
  ///
  /// - Parameters:
  ///   - link: The link.
  ///   - targets: A run of the inner condition, for the test of each target.
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
    scan = try RecordScan(table, in: transaction)
    related =
      if case .toOne = link.end { nil } else {
        try RelationReader(link.end, table, in: transaction)
      }
  }

  /// Returns whether a target of the host matches.
  func matches(_ host: FlatBufferReader) throws -> Bool {
    if case .toOne(let property) = link.end {
      guard let target = host.target(ofProperty: property) else { return false }
      return try matches(target: target)
    }
    return try related?.ids(of: host.id).contains(where: matches(target:)) ?? false
  }

  private func matches(target: UInt64) throws -> Bool {
    // A dangling reference.
    guard let record = try scan.record(id: target) else { return false }
    return try targets.matches(record)
  }
}
