internal import ObjectBox

/// The report and the progress of a salvage.
final class SalvageLog {
  /// Thrown to end a salvage early.
  struct Ended: Error {}

  var report = SalvageReport()
  private let maximumFindingCount: Int
  private let progress: (Double) -> Bool
  /// The pages of the whole work, as far as known, and the pages that were read.
  private var stepCount = 1
  private var doneCount = 0

  init(maximumFindingCount: Int, progress: @escaping (Double) -> Bool) {
    self.maximumFindingCount = maximumFindingCount
    self.progress = progress
  }

  func add(
    _ kind: SalvageFinding.Kind,
    _ message: String,
    entity: String? = nil,
    ids: ClosedRange<UInt64>? = nil,
    page: UInt64? = nil
  ) {
    report.findingCount += 1
    guard report.findings.count < maximumFindingCount else { return }
    report.findings.append(
      SalvageFinding(kind: kind, entity: entity, objectIDs: ids, page: page, message: message)
    )
  }

  /// Adds pages to the whole work.
  func expect(_ count: Int) { stepCount += count }

  /// Throws ``Ended`` when the progress handler returns false.
  func advance(by count: Int) throws {
    doneCount += count
    if !progress(min(1, Double(doneCount) / Double(stepCount))) { throw Ended() }
  }

  /// Reports full progress, since the expected work was an estimate.
  func finish() throws {
    if !progress(1) { throw Ended() }
  }
}
