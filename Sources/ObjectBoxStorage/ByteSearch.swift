internal import CObjectBoxLMDB

/// The byte search of the C library, which is faster than any loop of ours.
package enum ByteSearch {
  /// Returns whether the bytes contain the given part, which is not empty.
  package static func contains(
    _ bytes: UnsafeRawPointer,
    _ count: Int,
    _ part: UnsafeRawPointer,
    _ partCount: Int
  ) -> Bool {
    memmem(bytes, count, part, partCount) != nil
  }
}
