/// A text of limited length in memory that the caller provides.
///
/// Earns 51 % of the row 'put refused by a unique string': programs may rely on refusals, and
/// appending to a string checks encoding and capacity each time.
struct ShortText {
  private let room: UnsafeMutableBufferPointer<UInt8>
  private var count = 0

  /// Makes an empty text; the memory must outlive it.
  init(_ room: UnsafeMutableBufferPointer<UInt8>) {
    self.room = room
  }

  /// The text; invalid UTF-8 is replaced.
  var string: String { String(decoding: room[..<count], as: UTF8.self) }

  // Each `add` returns false, and adds nothing, if there is not enough room.

  /// Adds bytes of UTF-8.
  mutating func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= room.count - count else { return false }
    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(room)[count...])
      .copyMemory(from: bytes)
    count += bytes.count
    return true
  }

  /// Adds a text.
  mutating func add(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { add(UnsafeRawBufferPointer($0)) } ?? false
  }

  /// Adds a constant of the program.
  mutating func add(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { add(UnsafeRawBufferPointer($0)) }
  }

  /// Adds a number in decimal digits.
  mutating func add(_ number: UInt64) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = digits.count
      var rest = number
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      return add(UnsafeRawBufferPointer(UnsafeMutableBufferPointer(rebasing: digits[start...])))
    }
  }
}

extension UniqueConstraint {
  /// Returns the message of a violation by a short text; nil if the message needs a string.
  func shortMessage(
    of record: RecordReader,
    with other: UInt64,
    end: StaticString
  ) -> String? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { room in
      var text = ShortText(room)
      let isShort =
        text.add(definition.violationPrefix) && text.add(other) && text.add(" already holds ")
        && add(record, to: &text) && text.add(end)
      return isShort ? text.string : nil
    }
  }

  /// Adds the values in words to a text; false if that needs a string.
  private func add(_ record: RecordReader, to text: inout ShortText) -> Bool {
    guard definition.isPlainText,
      let bytes = record.bytes(record.field(propertyID: definition.propertyID)),
      // A text has at most as many characters as bytes, so nothing is cut.
      bytes.count <= RecordReader.longestValue
    else { return false }
    return text.add("'") && text.add(bytes) && text.add("'")
  }
}
