internal import CObjectBoxLMDB
internal import CObjectBoxPages

/// Entries of tables, which are valid as long as buffers of ``StorageTransaction`` are.
extension StorageCursor {
  /// An entry of an object table.
  ///
  /// Has the fields of the page reader's entry, which writes it.
  ///
  /// Invariant of `@unchecked Sendable`: its bytes do not change while it is valid.
  package struct ObjectEntry: @unchecked Sendable {
    private let key: UnsafeRawPointer?
    private let value: UnsafeRawPointer?
    private let keySize: UInt32
    private let valueSize: UInt32

    init(_ key: MDB_val, _ value: MDB_val) {
      self.key = UnsafeRawPointer(key.mv_data)
      self.value = UnsafeRawPointer(value.mv_data)
      keySize = UInt32(truncatingIfNeeded: key.mv_size)
      valueSize = UInt32(truncatingIfNeeded: value.mv_size)
    }

    init(_ entry: obx_pages_entry) {
      key = UnsafeRawPointer(entry.key)
      value = UnsafeRawPointer(entry.value)
      keySize = entry.key_size
      valueSize = entry.value_size
    }

    /// The ID of the object; the reader has checked that it has 8 bytes.
    package var id: UInt64 { key?.loadUnaligned(as: UInt64.self) ?? 0 }

    /// The bytes of the record.
    package var record: UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: value, count: Int(valueSize))
    }

    /// The bytes of the key.
    var keyBytes: UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: key, count: Int(keySize))
    }
  }

  /// An entry of an index table: a key and one of its object IDs.
  package struct IndexEntry {
    package let key: UnsafeRawBufferPointer
    package let id: UInt64

    init(_ entry: ObjectEntry) {
      key = entry.keyBytes
      id = entry.record.loadUnaligned(as: UInt64.self)
    }
  }

  /// A row of a table whose keys and values are bytes.
  package struct Row {
    package let key: UnsafeRawBufferPointer
    package let value: UnsafeRawBufferPointer

    init(_ entry: ObjectEntry) {
      key = entry.keyBytes
      value = entry.record
    }
  }
}
