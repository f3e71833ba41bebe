internal import CObjectBoxLMDB
internal import CObjectBoxPages
internal import Foundation

extension StorageTransaction {
  /// Returns the value of a key; nil when it does not exist.
  package func get(_ table: StorageTable, key: [UInt8]) throws(StorageError) -> [UInt8]? {
    try key.withUnsafeBufferPointer { (key) throws(StorageError) in
      try value(table, key: UnsafeRawBufferPointer(key)).map { [UInt8]($0) }
    }
  }

  /// Writes the value of a key; replaces a stored one.
  package func put(
    _ table: StorageTable,
    key: [UInt8],
    value: [UInt8]
  ) throws(StorageError) {
    let code = key.withUnsafeBytes { keyBytes in
      value.withUnsafeBytes { valueBytes in
        var key = MDB_val(keyBytes)
        var value = MDB_val(valueBytes)
        return mdb_put(handle, handle(table), &key, &value, 0)
      }
    }
    try check(code, calling: "mdb_put")
  }

  /// Removes a key; false when it does not exist.
  package func delete(_ table: StorageTable, key: [UInt8]) throws(StorageError) -> Bool {
    try key.withUnsafeBufferPointer { (key) throws(StorageError) in
      try delete(table, key: UnsafeRawBufferPointer(key))
    }
  }

  /// Returns the value of a key, not copied; nil when it does not exist.
  @inline(__always)
  package func value(
    _ table: StorageTable,
    key: UnsafeRawBufferPointer
  ) throws(StorageError) -> UnsafeRawBufferPointer? {
    if let pages = try pages(table) {
      return try pageValue { obx_pages_get(pages, key.baseAddress, key.count, &$0, &$1, &$2) }
    }
    var key = MDB_val(key)
    var value = MDB_val()
    let code = mdb_get(handle, handle(table), &key, &value)
    return try isFound(code, calling: "mdb_get") ? value.bytes : nil
  }

  /// Removes a key; false when it does not exist.
  package func delete(
    _ table: StorageTable,
    key: UnsafeRawBufferPointer
  ) throws(StorageError) -> Bool {
    var key = MDB_val(key)
    let code = mdb_del(handle, handle(table), &key, nil)
    return try isFound(code, calling: "mdb_del")
  }

  /// Opens a cursor on a table.
  package func cursor(_ table: StorageTable) throws(StorageError) -> StorageCursor {
    if let pages = try pages(table) { .pages(ReadCursor(pages)) } else { .lmdb(writeCursor(table)) }
  }

  /// Returns a cursor of a write transaction.
  package func writeCursor(_ table: StorageTable) -> WriteCursor {
    WriteCursor(table, in: self)
  }
}
