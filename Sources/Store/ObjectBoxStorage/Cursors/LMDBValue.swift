internal import CObjectBoxLMDB

/// Bytes as LMDB passes them, not copied.
extension MDB_val {
  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(
      mv_size: bytes.count,
      mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress)
    )
  }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: mv_data, count: mv_size) }
}

extension UInt64 {
  /// Passes the bytes of an ID to a call of LMDB.
  @inline(__always)
  func withLMDBValue<T>(_ call: (inout MDB_val) -> T) -> T {
    withUnsafeBytes(of: self) { bytes in
      var value = MDB_val(bytes)
      return call(&value)
    }
  }
}
