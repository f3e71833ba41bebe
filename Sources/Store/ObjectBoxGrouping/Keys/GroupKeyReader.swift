package import ObjectBox

/// Reads the keys of objects one by one.
///
/// One thread at a time may use it.
package final class GroupKeyReader {
  private let batch: RecordBatch
  private let numbers: any ValueNumbers
  /// The keys so far, by their numbers.
  private var contents: [GroupCell.Content] = []

  /// - Parameters:
  ///   - key: A property or a function of one.
  ///   - entity: The entity of the objects.
  /// - Throws: `ObjectBoxError` when the property is not in the model.
  package init(_ key: KeySource, of entity: EntitySchema) throws {
    let plan = try GroupPlan(keys: [key], aggregates: [], entity: entity)
    batch = RecordBatch(plan.columns)
    numbers = try plan.numbers(of: key, showsTexts: false)
  }

  /// Returns the key of an object; for texts without regard to case, the folded text.
  ///
  /// Throws `ObjectBoxError` for a date that no calendar has.
  package func content(of record: RecordReader) throws -> GroupCell.Content {
    defer { batch.removeAll() }
    batch.append(record)
    var number: UInt32 = 0
    try withUnsafeMutablePointer(to: &number) { try numbers.number(batch, into: $0) }
    while contents.count < numbers.count { contents.append(numbers.content(contents.count)) }
    return contents[Int(number)]
  }
}
