/// The tests of the records of a loop that has no ``RecordProgram``, and of single records.
///
/// It has no references, so that a loop counts none: the filter owns the steps.
struct RecordTest {
  /// The first of the steps, of which there is at least one; nil lets all records pass.
  let first: UnsafePointer<FilterStep>?

  /// Returns whether a record passes.
  @inline(__always)
  func passes(_ record: FlatBufferReader) -> Bool {
    guard let first else { return true }
    var next: Int32 = 0
    repeat {
      let step = first + Int(next)
      next = step.pointee.matches(record) ? step.pointee.onTrue : step.pointee.onFalse
    } while next >= 0
    return next == FilterStep.accept
  }
}
