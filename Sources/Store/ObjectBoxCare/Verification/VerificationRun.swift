internal import ObjectBox

/// A check in progress: its report, its limits and its progress.
final class VerificationRun {
  /// Thrown to end a check early.
  struct Ended: Error {}

  private(set) var report = VerificationReport()
  /// False to look for damage alone.
  let checksValues: Bool
  /// Whether messages may quote values of the store.
  let quoting: ValueQuoting
  private let maximumFaultCount: Int
  private let progress: (Double) -> Bool
  /// The steps of the whole check, as far as known, and the finished steps.
  private var stepCount = 1
  private var doneCount = 0

  /// Makes a check that ends at a number of faults, or when `progress` returns false.
  init(
    maximumFaultCount: Int,
    checksValues: Bool = true,
    quoting: ValueQuoting,
    progress: @escaping (Double) -> Bool
  ) {
    self.checksValues = checksValues
    self.quoting = quoting
    self.maximumFaultCount = max(1, maximumFaultCount)
    self.progress = progress
  }

  // MARK: Faults

  func add(
    _ part: StoreFault.Part,
    _ message: String,
    entity: String? = nil,
    objectID: UInt64? = nil
  ) throws {
    guard report.faults.count < maximumFaultCount else { throw Ended() }
    report.faults.append(
      StoreFault(part: part, entity: entity, objectID: objectID, message: message)
    )
  }

  /// Returns whether a part is known to have a fault.
  func has(_ part: StoreFault.Part) -> Bool { report.faults.contains { $0.part == part } }

  // MARK: Notes

  /// Counts a relation to a missing object.
  func note(_ found: DanglingRelation) {
    let place = report.danglingRelations.firstIndex {
      $0.entity == found.entity && $0.relation == found.relation
    }
    if let place {
      report.danglingRelations[place].count += 1
    } else {
      report.danglingRelations.append(found)
    }
  }

  // MARK: Figures and progress

  func setFile(version: UInt64, sizeInBytes: Int) {
    report.version = version
    report.sizeInBytes = sizeInBytes
  }

  func setPageCount(_ count: Int) { report.pageCount = count }

  func countRecord() throws {
    report.recordCount += 1
    try advance()
  }

  func countEntries(_ count: Int = 1) { report.entryCount += count }

  /// Adds steps to the whole check.
  func expect(_ count: Int) { stepCount += count }

  func advance(by count: Int = 1) throws {
    doneCount += count
    if doneCount % 4096 < count, !progress(min(1, Double(doneCount) / Double(stepCount))) {
      throw Ended()
    }
  }

  func end(isComplete: Bool) -> VerificationReport {
    if !isComplete { report.isComplete = false }
    return report
  }
}
