internal import CObjectBoxLMDB

/// Searches and compares bytes by the C library, which is faster than a Swift loop.
package enum ByteSearch {
  /// Returns whether the bytes contain a part, which is not empty.
  package static func contains(
    _ bytes: UnsafeRawPointer,
    _ count: Int,
    _ part: UnsafeRawPointer,
    _ partCount: Int
  ) -> Bool {
    memmem(bytes, count, part, partCount) != nil
  }

  /// Returns whether two buffers have equal bytes.
  package static func areEqual(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    guard a.count == b.count else { return false }
    guard a.count > 0, let left = a.baseAddress, let right = b.baseAddress else { return true }
    return memcmp(left, right, a.count) == 0
  }
}
