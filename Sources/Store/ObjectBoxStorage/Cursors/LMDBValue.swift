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
