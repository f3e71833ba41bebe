internal import CObjectBoxLMDB

/// A failed storage call: the error number of LMDB or the system, and the name of the call.
package struct StorageError: Error, Hashable, Sendable {
  /// A negative LMDB error number, or a positive `errno`.
  package var code: Int32
  /// The C function, such as `mdb_put`.
  package var call: String
  /// A description of damage that a check of the file found; nil for failed calls.
  package var fault: String?
  /// Why a ``StorageMirror`` refused a commit, and what to do; nil for other errors.
  package var reason: String?

  package init(code: Int32, call: String, fault: String? = nil, reason: String? = nil) {
    self.code = code
    self.call = call
    self.fault = fault
    self.reason = reason
  }

  /// The text of LMDB or the system for the code.
  package var explanation: String { String(cString: mdb_strerror(code)) }

  /// True when the map has no room for another page.
  package var isMapFull: Bool { code == MDB_MAP_FULL }
  /// True when the disk, or the user's quota, has no room for another page.
  package var isDiskFull: Bool {
    code == objectbox_no_space_on_device || code == objectbox_quota_exceeded
  }
  /// True when the file or its folder does not exist.
  package var isMissingFile: Bool { code == objectbox_no_such_file }
  /// True when a file already has the name.
  package var isExisting: Bool { code == objectbox_file_exists }
  /// True when the process's user may not open the file.
  package var isPermissionDenied: Bool { code == objectbox_permission_denied }
  /// True when another process has grown the file beyond this process's map.
  package var isMapOutgrown: Bool { code == MDB_MAP_RESIZED }
  /// True after a commit could not write its head page: until the file is reopened, it is unknown whether the
  /// commit lasts.
  package var isHeadUnwritten: Bool { code == MDB_PANIC }
  /// True when the file system refuses every write.
  package var isReadOnlyDisk: Bool { code == objectbox_read_only_file_system }
  /// True for an input/output error, as after a partial write.
  package var isInputOutputError: Bool { code == objectbox_input_output_error }
  /// True when every reader slot is taken.
  package var isReadersFull: Bool { code == MDB_READERS_FULL }
  /// True when the system or the file system has no locks between processes.
  package var isWithoutLocks: Bool { call == "fcntl" }
  /// True when the file is not a database, has another version, or is damaged.
  package var isCorrupt: Bool {
    [MDB_CORRUPTED, MDB_INVALID, MDB_VERSION_MISMATCH, MDB_PAGE_NOTFOUND].contains(code)
  }
}

/// Turns the return code of a C call into an error; every `mdb_` call that can fail goes through
/// here.
func check(_ code: Int32, calling call: StaticString) throws(StorageError) {
  if code != MDB_SUCCESS {
    throw makeError(code, call)
  }
}

/// Returns false when LMDB has not found the key.
///
/// - Throws: ``StorageError`` when the call failed otherwise.
func isFound(_ code: Int32, calling call: StaticString) throws(StorageError) -> Bool {
  if code == MDB_NOTFOUND { return false }
  try check(code, calling: call)
  return true
}

/// Returns the object that a call of LMDB makes.
@inline(__always)
func made(
  by call: StaticString,
  _ make: (inout OpaquePointer?) -> Int32
) throws(StorageError) -> OpaquePointer {
  var object: OpaquePointer?
  try check(make(&object), calling: call)
  guard let object else { throw makeError(objectbox_out_of_memory, call) }
  return object
}

@inline(never)
private func makeError(_ code: Int32, _ call: StaticString) -> StorageError {
  StorageError(code: code, call: "\(call)")
}
