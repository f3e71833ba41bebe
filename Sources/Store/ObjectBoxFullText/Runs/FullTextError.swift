package import ObjectBoxStorage

/// A failed operation on a full text index.
package enum FullTextError: Error, Hashable {
  /// A failed storage call.
  case storage(StorageError)
  /// Bytes that no writer has written: the run, and the fault.
  case damaged(run: UInt32, String)
  /// The system has no memory left for gathered postings.
  case withoutMemory
  /// A format of another version of the library.
  case unknownFormat(UInt32)
}

/// Runs a body, and turns its storage errors into errors of the index.
@inline(__always)
func storing<T>(_ body: () throws(StorageError) -> T) throws(FullTextError) -> T {
  do { return try body() } catch { throw .storage(error) }
}
