internal import CObjectBoxLMDB

/// Rows of tables whose keys and values are bytes.
extension StorageCursor {
  /// A key and its value, valid as long as buffers of ``StorageTransaction`` are.
  package struct Row {
    package let key: UnsafeRawBufferPointer
    package let value: UnsafeRawBufferPointer
  }

  /// Goes to the first row and returns it; nil when the table is empty.
  package func firstRow() throws(StorageError) -> Row? {
    try move(MDB_FIRST).map { Row(key: $0.key.bytes, value: $0.value.bytes) }
  }

  /// Goes to the next row, by the bytes of the keys, and returns it; nil after the last.
  package func nextRow() throws(StorageError) -> Row? {
    try move(MDB_NEXT).map { Row(key: $0.key.bytes, value: $0.value.bytes) }
  }
}
