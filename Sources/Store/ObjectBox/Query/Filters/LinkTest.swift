/// Tests a link on one host at a time, by reading the host's related objects one by one.
struct LinkTest {
  let link: LinkCondition
  private let targets: QueryExecution
  private let scan: RecordScan
  /// Nil for a to-one property, whose target ID is in the host's record.
  private let related: RelationReader?

  /// Makes the test of a link.
  ///
  /// - Parameters:
  ///   - link: The link.
  ///   - targets: A run of the inner condition, which tests each target.
  /// - Throws: ``ObjectBoxError`` when the store cannot be read.
  init(_ link: LinkCondition, _ targets: QueryExecution) throws {
    self.link = link
    self.targets = targets
    scan = try RecordScan(targets.table, in: targets.transaction)
    related =
      if case .toOne = link.end { nil } else {
        try RelationReader(link.end, targets.table, in: targets.transaction)
      }
  }

  /// Returns whether a target of the host matches.
  func matches(_ host: RecordReader) throws -> Bool {
    if case .toOne(let property) = link.end {
      guard let target = host.target(ofProperty: property) else { return false }
      return try matches(target: target)
    }
    return try related?.ids(of: host.id).contains(where: matches(target:)) ?? false
  }

  private func matches(target: UInt64) throws -> Bool {
    // A dangling reference matches nothing.
    guard let record = try scan.record(id: target) else { return false }
    return try targets.matches(record)
  }
}
