/// A condition compiled to tests on the bytes of records.
///
/// The tests are a list; each has the next one for both outcomes, so that a record is tested without
/// recursion and without making Swift objects or strings.
///
/// A class, since it owns the bytes of the operands. It never changes.
final class RecordFilter {
  private let steps: UnsafeMutablePointer<FilterStep>
  private let allocations: [UnsafeMutableRawPointer]
  /// The test of a filter without links, valid as long as the filter.
  let test: RecordTest

  /// Makes the filter of a condition, whose properties the schema must have.
  ///
  /// - Parameters:
  ///   - condition: The condition that records must meet.
  ///   - entity: The entity of the condition.
  ///   - links: The links in the condition, in the order of their tests.
  /// - Throws: ``ObjectBoxError`` when the condition does not fit the entity.
  init(_ condition: Condition, entity: EntitySchema, links: [LinkCondition]) throws {
    var compiler = ConditionCompiler(entity: entity, links: links)
    try compiler.compile(condition)
    allocations = compiler.allocations
    let count = compiler.steps.count
    steps = .allocate(capacity: count)
    _ = UnsafeMutableBufferPointer(start: steps, count: count).initialize(from: compiler.steps)
    test = RecordTest(steps, count: count)
  }

  deinit {
    steps.deallocate()
    for allocation in allocations { allocation.deallocate() }
  }

  /// Returns whether a record passes, given the tests of the filter's links.
  func matches(_ record: FlatBufferReader, testing links: [LinkTest]) throws -> Bool {
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
