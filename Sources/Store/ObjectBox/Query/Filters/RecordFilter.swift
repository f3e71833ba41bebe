/// A condition compiled to tests on the bytes of records.
///
/// The tests form a list, and each names the next test for both outcomes. Testing a record needs
/// neither recursion nor Swift objects or strings.
///
/// Owns the bytes of the operands. One thread at a time may use it.
package final class RecordFilter {
  private let steps: UnsafeMutablePointer<FilterStep>
  private let stepCount: Int
  private let allocations: [UnsafeMutableRawPointer]
  /// The filter's program for scans; nil when the C loops do not know one of its tests.
  private var program: RecordProgram?
  private var hasTriedProgram = false

  /// Makes the filter of a condition, whose properties the schema must contain.
  ///
  /// - Parameters:
  ///   - condition: The condition that records must meet.
  ///   - entity: The entity of the condition.
  ///   - links: The links in the condition, in the order of their tests.
  /// - Throws: ``ObjectBoxError`` when the condition does not fit the entity.
  package init(
    _ condition: Condition,
    entity: EntitySchema,
    links: [LinkCondition] = []
  ) throws {
    var compiler = ConditionCompiler(entity: entity, links: links)
    try compiler.compile(condition)
    allocations = compiler.allocations
    stepCount = compiler.steps.count
    steps = .allocate(capacity: stepCount)
    _ = UnsafeMutableBufferPointer(start: steps, count: stepCount).initialize(from: compiler.steps)
  }

  deinit {
    steps.deallocate()
    for allocation in allocations { allocation.deallocate() }
  }

  /// Returns the program for scans of the filter's entity; the same in each call, and valid as long
  /// as the filter.
  func program(for records: RecordTable) -> RecordProgram? {
    if !hasTriedProgram {
      program = RecordProgram(UnsafeBufferPointer(start: steps, count: stepCount), for: records)
      hasTriedProgram = true
    }
    return program
  }

  /// Returns whether a record passes a filter without links.
  package func passes(_ record: RecordReader) -> Bool { test.passes(record) }

  /// The test of a filter without links, valid as long as the filter.
  var test: RecordTest { RecordTest(first: UnsafePointer(steps)) }

  /// Returns whether a record passes; `links` are the tests of the filter's links.
  func matches(_ record: RecordReader, testing links: [LinkTest]) throws -> Bool {
    var next: Int32 = 0
    repeat {
      let step = steps + Int(next)
      let passes =
        step.pointee.test == .link
        ? try links[Int(step.pointee.link)].matches(record) : step.pointee.matches(record)
      next = passes ? step.pointee.onTrue : step.pointee.onFalse
    } while next >= 0
    return next == FilterStep.accept
  }
}
