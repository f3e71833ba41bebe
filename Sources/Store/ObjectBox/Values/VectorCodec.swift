/// Converts vector values to bytes and back.
///
/// Numbers are little-endian, one after the other. Strings are their count, the ends of their UTF-8
/// (4 bytes each, counted from the first string), and the UTF-8.
package enum VectorCodec {
  package static func numbers<T: BitwiseCopyable>(in bytes: UnsafeRawBufferPointer, as type: T.Type)
    -> [T]
  {
    let count = bytes.count / MemoryLayout<T>.size
    return [T](count: count) { buffer in
      UnsafeMutableRawBufferPointer(buffer).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes[..<(count * MemoryLayout<T>.size)])
      )
    }
  }

  package static func strings(in bytes: UnsafeRawBufferPointer) -> [String] {
    var result: [String] = []
    _ = anyString(in: bytes) { text in
      result.append(String(decoding: text, as: UTF8.self))
      return false
    }
    return result
  }

  /// Returns whether the UTF-8 of any string passes a test; stops at the first that does.
  package static func anyString(
    in bytes: UnsafeRawBufferPointer,
    _ test: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    guard bytes.count >= 4 else { return false }
    func number(_ index: Int) -> Int {
      Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)))
    }
    let count = number(0)
    let textStart = 4 * (count + 1)
    // A damaged vector must not read beyond itself.
    guard textStart <= bytes.count else { return false }
    var start = textStart
    for index in 0..<count {
      let end = textStart + number(index + 1)
      guard start <= end, end <= bytes.count else { return false }
      if test(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) { return true }
      start = end
    }
    return false
  }

  package static func bytes(of strings: [String]) -> [UInt8] {
    var result: [UInt8] = []
    func append(_ number: Int) {
      withUnsafeBytes(of: UInt32(number).littleEndian) { result.append(contentsOf: $0) }
    }
    append(strings.count)
    var end = 0
    for string in strings {
      end += string.utf8.count
      append(end)
    }
    for string in strings { result.append(contentsOf: string.utf8) }
    return result
  }
}
