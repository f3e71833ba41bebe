/// Tests records of loops without a ``RecordProgram``, and single records.
///
/// Has no references, so loops count none: the filter owns the steps.
struct RecordTest {
  /// The first of at least one step; nil accepts all records.
  let first: UnsafePointer<FilterStep>?

  /// Returns whether a record passes.
  func passes(_ record: RecordReader) -> Bool {
    guard let first else { return true }
    var next: Int32 = 0
    repeat {
      let step = first + Int(next)
      next = step.pointee.matches(record) ? step.pointee.onTrue : step.pointee.onFalse
    } while next >= 0
    return next == FilterStep.accept
  }
}
