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

  /// The values of a property; valid until the batch changes.
  struct Values {
    /// Integers, or the bits of floating point numbers; where a text begins.
    let numbers: UnsafeMutablePointer<Int64>
    /// 1 where there is a value.
    let presence: UnsafeMutablePointer<UInt8>
    /// The texts one behind the other.
    fileprivate(set) var texts = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    fileprivate var textsEnd = 0

    init() {
      // One more, for the end of the last text.
      numbers = .allocate(capacity: RecordBatch.capacity + 1)
      presence = .allocate(capacity: RecordBatch.capacity)
    }

    fileprivate func deallocate() {
      numbers.deallocate()
      presence.deallocate()
      texts.deallocate()
    }

    /// Adds the text of the record at an index; nil for null.
    @inline(__always)
    fileprivate mutating func append(_ text: UnsafeRawBufferPointer?, at index: Int) {
      numbers[index] = Int64(textsEnd)
      presence[index] = text == nil ? 0 : 1
      if let text, let bytes = text.baseAddress, !text.isEmpty {
        if textsEnd + text.count > texts.count { grow(by: text.count) }
        texts.baseAddress.unsafelyUnwrapped.advanced(by: textsEnd)
          .copyMemory(from: bytes, byteCount: text.count)
        textsEnd += text.count
      }
      numbers[index + 1] = Int64(textsEnd)
    }

    private mutating func grow(by count: Int) {
      let grown = UnsafeMutableRawBufferPointer.allocate(
        byteCount: max(4096, 2 * texts.count, textsEnd + count),
        alignment: 8
      )
      grown.copyMemory(from: UnsafeRawBufferPointer(rebasing: texts[..<textsEnd]))
      texts.deallocate()
      texts = grown
    }
  }

  let columns: [BatchColumn]
  @exclusivity(unchecked) private(set) var count = 0
  // Not an array: each record writes to all, and would check that it owns them.
  private let values: UnsafeMutablePointer<Values>

  init(_ columns: [BatchColumn]) {
    self.columns = columns
    values = .allocate(capacity: max(1, columns.count))
    for index in columns.indices { (values + index).initialize(to: Values()) }
  }

  deinit {
    for index in columns.indices { values[index].deallocate() }
    values.deallocate()
  }

  var isFull: Bool { count == Self.capacity }

  func removeAll() {
    count = 0
    for index in columns.indices { values[index].textsEnd = 0 }
  }

  /// Adds the values of a record, which need not stay valid.
  ///
  /// The batch must not be full.
  func append(_ record: RecordReader) {
    for index in columns.indices {
      let column = columns[index]
      let field = record.field(propertyID: column.propertyID)
      let (numbers, presence) = (values[index].numbers, values[index].presence)
      switch column.kind {
      case .integer:
        let value = record.integer(field)
        numbers[count] = value ?? 0
        presence[count] = value == nil ? 0 : 1
      case .double:
        let value = record.double(field)
        numbers[count] = Int64(bitPattern: (value ?? 0).bitPattern)
        presence[count] = value == nil ? 0 : 1
      case .text:
        values[index].append(record.bytes(field), at: count)
      }
    }
    count += 1
  }

  /// Adds the values of an object, one for each column.
  ///
  /// The batch must not be full.
  func append(_ row: [BatchValue?]) {
    for (index, value) in row.enumerated() {
      if case .text(let text)? = value {
        text.withUnsafeBytes { values[index].append($0, at: count) }
      } else if columns[index].kind == .text {
        values[index].append(nil, at: count)
      } else {
        values[index].presence[count] = value == nil ? 0 : 1
        values[index].numbers[count] = 0
        if case .number(let number)? = value { values[index].numbers[count] = number }
      }
    }
    count += 1
  }

  /// Returns the values of a column.
  func values(_ column: Int) -> Values { values[column] }
}
