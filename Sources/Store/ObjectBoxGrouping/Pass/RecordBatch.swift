internal import CObjectBoxRecords
internal import ObjectBox

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
    /// Integers, or the bits of floating point numbers; 0 for null.
    ///
    /// A column of texts does not use them.
    let numbers: UnsafeMutablePointer<Int64>
    /// The bytes of texts; none for null.
    ///
    /// A column of numbers does not use them.
    let texts: UnsafeMutablePointer<obx_bytes>
    /// 1 where there is a value, else 0.
    let presence: UnsafeMutablePointer<UInt8>
    /// True if a value is null.
    fileprivate(set) var hasNull = false

    fileprivate init() {
      numbers = .allocate(capacity: RecordBatch.capacity)
      texts = .allocate(capacity: RecordBatch.capacity)
      presence = .allocate(capacity: RecordBatch.capacity)
    }

    fileprivate func deallocate() {
      numbers.deallocate()
      texts.deallocate()
      presence.deallocate()
    }
  }

  let columns: [RecordColumns.Column]
  @exclusivity(unchecked) private(set) var count = 0
  // Not an array: each record writes to all, and would check that it owns them.
  private let values: UnsafeMutablePointer<Values>
  /// The same places for the reader in C.
  private let destinations: UnsafeMutablePointer<obx_column>
  @exclusivity(unchecked) private var copies = TextCopies()

  init(_ columns: [RecordColumns.Column]) {
    self.columns = columns
    values = .allocate(capacity: max(1, columns.count))
    destinations = .allocate(capacity: max(1, columns.count))
    for (index, column) in columns.enumerated() {
      let places = Values()
      (values + index).initialize(to: places)
      let isText = column.kind == .text
      let destination = obx_column(
        numbers: isText ? nil : places.numbers,
        bytes: isText ? places.texts : nil,
        presence: places.presence,
        null_count: 0
      )
      (destinations + index).initialize(to: destination)
    }
  }

  deinit {
    for index in columns.indices { values[index].deallocate() }
    values.deallocate()
    destinations.deallocate()
    copies.deallocate()
  }

  var isFull: Bool { count == Self.capacity }

  func removeAll() {
    count = 0
    copies.removeAll()
    for index in columns.indices { destinations[index].null_count = 0 }
  }

  /// Adds records of a run from an index on, as many as fit.
  ///
  /// Their texts are not copied: the transaction must not end before the batch is used.
  ///
  /// - Parameters:
  ///   - run: The records.
  ///   - begin: The first record to add.
  ///   - reader: Reads the columns of this batch.
  /// - Returns: The index of the next record.
  func append(_ run: RecordRun, from begin: Int, _ reader: RecordColumns) -> Int {
    let end = min(run.count, begin + Self.capacity - count)
    // The filter has checked that the records are intact.
    count += run.read(begin..<end, reader, into: destinations, at: count)
    return end
  }

  /// Adds the values of a record, which need not stay valid.
  ///
  /// The batch must not be full.
  func append(_ record: RecordReader) {
    for index in columns.indices {
      let column = columns[index]
      let field = record.field(propertyID: column.propertyID)
      switch column.kind {
      case .integer: append(record.integer(field), to: index)
      case .double:
        append(record.double(field).map { Int64(bitPattern: $0.bitPattern) }, to: index)
      case .text: append(record.bytes(field), to: index)
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
        text.withUnsafeBytes { append($0, to: index) }
      } else if case .number(let number)? = value {
        append(number, to: index)
      } else if columns[index].kind == .text {
        append(nil as UnsafeRawBufferPointer?, to: index)
      } else {
        append(nil as Int64?, to: index)
      }
    }
    count += 1
  }

  private func append(_ number: Int64?, to column: Int) {
    values[column].numbers[count] = number ?? 0
    note(number != nil, column)
  }

  private func append(_ text: UnsafeRawBufferPointer?, to column: Int) {
    values[column].texts[count] = text.map { copies.keep($0) } ?? obx_bytes()
    note(text != nil, column)
  }

  private func note(_ isPresent: Bool, _ column: Int) {
    values[column].presence[count] = isPresent ? 1 : 0
    if !isPresent { destinations[column].null_count += 1 }
  }

  /// Returns the values of a column.
  func values(_ column: Int) -> Values {
    var values = values[column]
    values.hasNull = destinations[column].null_count > 0
    return values
  }
}

extension obx_bytes {
  var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: size) }
}

/// Copies of texts, whose addresses stay until all are removed.
private struct TextCopies {
  private var chunks: [UnsafeMutableRawBufferPointer] = []
  /// Number of bytes of the last chunk in use.
  private var used = 0

  mutating func keep(_ text: UnsafeRawBufferPointer) -> obx_bytes {
    guard let bytes = text.baseAddress, !text.isEmpty else { return obx_bytes() }
    if used + text.count > chunks.last?.count ?? 0 {
      let size = max(4096, 2 * (chunks.last?.count ?? 0), text.count)
      chunks.append(.allocate(byteCount: size, alignment: 8))
      used = 0
    }
    // The last chunk has room for the text, so it has an address.
    guard let place = chunks.last?.baseAddress?.advanced(by: used) else { return obx_bytes() }
    place.copyMemory(from: bytes, byteCount: text.count)
    used += text.count
    return obx_bytes(start: place.assumingMemoryBound(to: UInt8.self), size: text.count)
  }

  /// Keeps the last chunk, the largest, for the next texts.
  mutating func removeAll() {
    used = 0
    if chunks.count > 1 {
      for chunk in chunks.dropLast() { chunk.deallocate() }
      chunks.removeFirst(chunks.count - 1)
    }
  }

  func deallocate() {
    for chunk in chunks { chunk.deallocate() }
  }
}
