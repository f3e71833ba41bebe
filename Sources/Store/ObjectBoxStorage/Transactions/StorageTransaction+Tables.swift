internal import CObjectBoxLMDB

extension StorageTransaction {
  /// Removes all entries of a table, and the table itself when `delete` is true.
  package func drop(_ table: StorageTable, delete: Bool) throws(StorageError) {
    try check(mdb_drop(handle, handle(table), delete ? 1 : 0), calling: "mdb_drop")
    if delete { forget(table) }
  }

  /// Removes a table by name, if it exists.
  package func dropTable(_ name: String, _ kind: StorageTable.Kind) throws(StorageError) {
    if let table = try openTable(name, kind, create: false) { try drop(table, delete: true) }
  }

  /// Copies all entries of a table to an empty one of the same kind.
  package func copy(
    _ source: StorageTable,
    to target: StorageTable,
    _ kind: StorageTable.Kind
  ) throws(StorageError) {
    let from = writeCursor(source)
    let to = writeCursor(target)
    defer { withExtendedLifetime((from, to)) {} }
    let (fromHandle, toHandle) = (try from.handle, try to.handle)
    var key = MDB_val()
    var value = MDB_val()
    let flag = UInt32(kind == .index ? MDB_APPENDDUP : MDB_APPEND)
    var code = mdb_cursor_get(fromHandle, &key, &value, MDB_FIRST)
    while code == MDB_SUCCESS {
      // A write may move the page that contains the buffers.
      var keyCopy = [UInt8](key.bytes)
      var copy = [UInt8](value.bytes)
      let written = keyCopy.withUnsafeMutableBytes { keyBytes in
        copy.withUnsafeMutableBytes { bytes in
          var key = MDB_val(mv_size: keyBytes.count, mv_data: keyBytes.baseAddress)
          var value = MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
          return mdb_cursor_put(toHandle, &key, &value, flag)
        }
      }
      try check(written, calling: "mdb_cursor_put")
      code = mdb_cursor_get(fromHandle, &key, &value, MDB_NEXT)
    }
    if code != MDB_NOTFOUND { try check(code, calling: "mdb_cursor_get") }
  }
}
