internal import Foundation
internal import ObjectBox
internal import ObjectBoxGrouping

/// The value that the objects of a section have in common.
struct SectionKey: Hashable, Comparable, Sendable {
  let content: GroupCell.Content

  static func == (first: Self, second: Self) -> Bool {
    GroupOrder.compare(first.content, second.content) == 0
  }

  static func < (first: Self, second: Self) -> Bool {
    GroupOrder.compare(first.content, second.content) < 0
  }

  func hash(into hasher: inout Hasher) {
    switch content {
    case .null: break
    case .integer(let number): hasher.combine(number)
    case .unsigned(let number): hasher.combine(number)
    // All zeros are one value here, and all NaNs.
    case .double(let number): hasher.combine(number.bitPattern)
    case .date(let date): hasher.combine(date)
    // Texts are compared by their bytes.
    case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
    }
  }
}

/// The keys by which objects are divided into sections, and their order.
struct SectionOrder: Sendable {
  let source: KeySource
  let isDescending: Bool

  /// Returns whether the section of one key comes before the section of another.
  func areInOrder(_ first: SectionKey, _ second: SectionKey) -> Bool {
    isDescending ? second < first : first < second
  }

  /// Returns the keys of stored objects.
  ///
  /// - Parameters:
  ///   - ids: The IDs of the objects.
  ///   - box: The box in which they are read.
  /// - Returns: The keys by ID; objects that are not stored have none.
  /// - Throws: ``ObjectBoxError``: `illegalArgument` for a property that the model lacks and for a
  ///   date that no calendar has, others when the store cannot be read.
  func keys<E>(
    of ids: some Collection<UInt64>,
    in box: Box<E>
  ) throws -> [UInt64: SectionKey]
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    let table = try box.table()
    let reader = try GroupKeyReader(source, of: table.schema)
    var keys = [UInt64: SectionKey](minimumCapacity: ids.count)
    try box.store.transactions.inTransaction(isWritable: false) { transaction, _ in
      for id in ids {
        guard let record = try transaction.withStorage({ try table.record(id, in: $0) }) else {
          continue
        }
        try table.records.check(record)
        keys[id] = SectionKey(content: try reader.content(of: record))
      }
    }
    return keys
  }
}
