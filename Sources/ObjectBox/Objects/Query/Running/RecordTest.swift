/// The test of the records of a loop.
///
/// It has no references, so that a loop counts none: the filter owns the steps.
enum RecordTest {
  /// All records pass.
  case always
  /// The only step of a filter, when it tells integers in a range from others.
  case integer(IntegerTest)
  case steps(UnsafePointer<FilterStep>)

  /// Makes the test of a filter's steps, of which there is at least one.
  init(_ first: UnsafePointer<FilterStep>, count: Int) {
    if count == 1, let test = IntegerTest(first.pointee) {
      self = .integer(test)
    } else {
      self = .steps(first)
    }
  }

  /// Returns whether a record passes.
  @inline(__always)
  func passes(_ record: FlatBufferReader) -> Bool {
    switch self {
    case .always: return true
    case .integer(let test): return test.passes(record)
    case .steps(let first):
      var next: Int32 = 0
      repeat {
        let step = first + Int(next)
        next = step.pointee.matches(record) ? step.pointee.onTrue : step.pointee.onFalse
      } while next >= 0
      return next == FilterStep.accept
    }
  }
}

/// The test whether an integer is in a range, or outside of it.
struct IntegerTest {
  private let propertyID: UInt32
  private let isInside: Bool
  private let flip: UInt64
  private let mask: UInt64
  private let low: UInt64
  private let span: UInt64

  /// Makes the test of a step; nil for a step of another kind, or with an empty range.
  init?(_ step: FilterStep) {
    guard step.test == .integerInside || step.test == .integerOutside, step.low <= step.high
    else { return nil }
    propertyID = step.propertyID
    isInside = step.test == .integerInside
    flip = step.flip
    mask = step.mask
    low = step.low
    span = step.high - step.low
  }

  /// Returns whether a record passes; null does not.
  @inline(__always)
  func passes(_ record: FlatBufferReader) -> Bool {
    guard let value = record.integer(record.field(propertyID: propertyID)) else { return false }
    return ((UInt64(bitPattern: value) ^ flip) & mask &- low <= span) == isInside
  }
}
