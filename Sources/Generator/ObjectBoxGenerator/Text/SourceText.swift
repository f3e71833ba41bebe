/// The bytes and lines of a source file.
package struct SourceText: Sendable {
  package let path: String
  package let bytes: [UInt8]
  /// Offset of each line's first byte.
  private let lineStarts: [Int]

  package init(_ file: SourceFile) {
    path = file.path
    bytes = Array(file.text.utf8)
    // A byte order mark does not belong to the first line.
    var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
    // In unoptimised builds, iterating over an array costs ten times as much.
    bytes.withUnsafeBufferPointer { bytes in
      var offset = 0
      while offset < bytes.count {
        if bytes[offset] == UInt8(ascii: "\n") { starts.append(offset + 1) }
        offset += 1
      }
    }
    lineStarts = starts
  }

  package var lineCount: Int { lineStarts.count }

  /// Returns the number, from 0, of the line with the byte at an offset.
  package func line(at offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// Returns the offsets of a line's bytes, without its line end.
  package func range(ofLine line: Int) -> Range<Int> {
    let start = lineStarts[line]
    var end = line + 1 < lineStarts.count ? lineStarts[line + 1] - 1 : bytes.count
    if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return start..<end
  }

  package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  package func position(at offset: Int) -> SourcePosition {
    let line = line(at: offset)
    return SourcePosition(path: path, line: line + 1, column: offset - lineStarts[line] + 1)
  }

  package func span(of range: Range<Int>) -> SourceSpan {
    SourceSpan(position: position(at: range.lowerBound), length: range.count)
  }

  /// Returns whether the bytes at an offset are the given ASCII characters.
  package func hasPrefix(_ prefix: StaticString, at offset: Int, before end: Int) -> Bool {
    let count = prefix.utf8CodeUnitCount
    guard offset + count <= end else { return false }
    return (0..<count).allSatisfy { bytes[offset + $0] == prefix.utf8Start[$0] }
  }

  /// Returns the range without blanks and tabs at its ends.
  package func trimmed(_ range: Range<Int>) -> Range<Int> {
    var range = range
    while let first = range.first, Self.isBlank(bytes[first]) {
      range = first + 1..<range.upperBound
    }
    while let last = range.last, Self.isBlank(bytes[last]) { range = range.lowerBound..<last }
    return range
  }

  package static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}
