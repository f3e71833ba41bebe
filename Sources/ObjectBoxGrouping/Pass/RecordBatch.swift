internal import ObjectBox

/// A property that a pass reads.
package struct BatchColumn: Sendable {
  package enum Kind: Sendable { case integer, double, text }

  package var propertyID: UInt32
  package var kind: Kind
}

/// A value of a property as records store it.
package enum BatchValue: Equatable {
  /// An integer, or the bits of a floating point number.
  case number(Int64)
  case text([UInt8])
}

/// The values of some properties of up to 256 records, by columns.
///
/// Loops over columns of numbers cost a fraction of functions that are called for each record.
final class RecordBatch {
  static let capacity = 256

  /// The values of a property.
  struct Values {
    /// Integers, or the bits of floating point numbers; where a text begins.
    var numbers: UnsafeMutablePointer<Int64>
    /// 1 where there is a value.
    var presence: UnsafeMutablePointer<UInt8>
    /// The texts one behind the other.
    var texts: [UInt8] = []
  }

  let columns: [BatchColumn]
  private(set) var count = 0
  private var values: [Values]

  init(_ columns: [BatchColumn]) {
    self.columns = columns
    values = columns.map { _ in
      // One more, for the end of the last text.
      Values(
        numbers: .allocate(capacity: Self.capacity + 1),
        presence: .allocate(capacity: Self.capacity)
      )
    }
  }

  deinit {
    for column in values {
      column.numbers.deallocate()
      column.presence.deallocate()
    }
  }

  var isFull: Bool { count == Self.capacity }

  func removeAll() {
    count = 0
    for index in values.indices where columns[index].kind == .text {
      values[index].texts.removeAll(keepingCapacity: true)
    }
  }

  /// Adds the values of a record, which need not stay valid.
  ///
  /// The batch must not be full.
  func append(_ record: RecordReader) {
    for index in columns.indices {
      let column = columns[index]
      let field = record.field(propertyID: column.propertyID)
      let values = values[index]
      switch column.kind {
      case .integer:
        let value = record.integer(field)
        values.numbers[count] = value ?? 0
        values.presence[count] = value == nil ? 0 : 1
      case .double:
        let value = record.double(field)
        values.numbers[count] = Int64(bitPattern: (value ?? 0).bitPattern)
        values.presence[count] = value == nil ? 0 : 1
      case .text:
        let value = record.bytes(field)
        values.numbers[count] = Int64(values.texts.count)
        values.presence[count] = value == nil ? 0 : 1
        if let value { self.values[index].texts.append(contentsOf: value) }
        values.numbers[count + 1] = Int64(self.values[index].texts.count)
      }
    }
    count += 1
  }

  /// Adds the values of an object, one for each column.
  ///
  /// The batch must not be full.
  func append(_ row: [BatchValue?]) {
    for (index, value) in row.enumerated() {
      let values = values[index]
      values.presence[count] = value == nil ? 0 : 1
      values.numbers[count] = Int64(columns[index].kind == .text ? values.texts.count : 0)
      if case .number(let number)? = value { values.numbers[count] = number }
      if case .text(let text)? = value { self.values[index].texts += text }
      if columns[index].kind == .text {
        values.numbers[count + 1] = Int64(self.values[index].texts.count)
      }
    }
    count += 1
  }

  /// Returns the values of a column.
  func values(_ column: Int) -> Values { values[column] }
}
