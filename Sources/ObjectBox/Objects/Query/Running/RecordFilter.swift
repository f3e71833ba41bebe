/// A condition compiled to tests on the bytes of records.
///
/// The tests are a list; each has the next one for both outcomes, so that a record is tested without
/// recursion and without making Swift objects or strings.
///
/// A class, since it owns the bytes of the operands. It belongs to one execution.
final class RecordFilter {
  private let steps: UnsafeMutableBufferPointer<FilterStep>
  private var allocations: [UnsafeMutableRawPointer] = []
  /// The table of fields that identifies the layout of the steps' fields.
  private var resolvedFields: UnsafePointer<RecordField>?

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
    steps = .allocate(capacity: compiler.steps.count)
    _ = steps.initialize(from: compiler.steps)
  }

  deinit {
    steps.deallocate()
    for allocation in allocations { allocation.deallocate() }
  }

  /// Returns whether a record passes a filter without links.
  @inline(__always)
  func matches(_ record: FlatBufferReader) -> Bool {
    if record.fields != resolvedFields { resolve(record) }
    var next: Int32 = 0
    repeat {
      let step = steps.baseAddress.unsafelyUnwrapped + Int(next)
      next = step.pointee.matches(record) ? step.pointee.onTrue : step.pointee.onFalse
    } while next >= 0
    return next == FilterStep.accept
  }

  /// Returns whether a record passes, given the tests of the filter's links.
  func matches(_ record: FlatBufferReader, testing links: [LinkTest]) throws -> Bool {
    if record.fields != resolvedFields { resolve(record) }
    var next: Int32 = 0
    repeat {
      let step = steps.baseAddress.unsafelyUnwrapped + Int(next)
      let passes =
        step.pointee.test == .link
        ? try links[Int(step.pointee.link)].matches(record) : step.pointee.matches(record)
      next = passes ? step.pointee.onTrue : step.pointee.onFalse
    } while next >= 0
    return next == FilterStep.accept
  }

  @inline(never)
  private func resolve(_ record: FlatBufferReader) {
    resolvedFields = record.fields
    for index in steps.indices {
      steps[index].field = record.field(propertyID: steps[index].propertyID)
    }
  }
}
