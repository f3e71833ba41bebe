internal import CObjectBoxLMDB

/// A storage call that did not succeed: LMDB's or the system's number, and the call it came from.
package struct StorageError: Error, Hashable, Sendable {
  /// A negative LMDB number, or a positive `errno` of the system.
  package var code: Int32
  /// The C function, such as `mdb_put`.
  package var call: String
  /// The damage that a check of the file found, in words; nil for the errors of calls.
  package var fault: String?

  package init(code: Int32, call: String) {
    self.code = code
    self.call = call
  }

  /// The text of LMDB or the system for the code.
  package var explanation: String { String(cString: mdb_strerror(code)) }

  /// True when the map has no room for another page.
  package var isMapFull: Bool { code == MDB_MAP_FULL }
  /// True when the disk has no room for another page, or the user's part of it.
  package var isDiskFull: Bool {
    code == objectbox_no_space_on_device || code == objectbox_quota_exceeded
  }
  /// True when the file or its folder is not there.
  package var isMissingFile: Bool { code == objectbox_no_such_file }
  /// True when a file has the name already.
  package var isExisting: Bool { code == objectbox_file_exists }
  /// True when the user of the process may not open the file.
  package var isPermissionDenied: Bool { code == objectbox_permission_denied }
  /// True when another process has made the file greater than this one has mapped.
  package var isMapOutgrown: Bool { code == MDB_MAP_RESIZED }
  /// True once a commit could not write its head page: nobody knows whether it lasts before the file is opened again.
  package var isHeadUnwritten: Bool { code == MDB_PANIC }
  /// True when the file system refuses every write.
  package var isReadOnlyDisk: Bool { code == objectbox_read_only_file_system }
  /// True for an input/output error, as after a write that the disk took only a part of.
  package var isInputOutputError: Bool { code == objectbox_input_output_error }
  /// True when every reader slot is taken.
  package var isReadersFull: Bool { code == MDB_READERS_FULL }
  /// True when the system or the file system has no locks between processes.
  package var isWithoutLocks: Bool { call == "fcntl" }
  /// True when the file is no database, of another version, or damaged.
  package var isCorrupt: Bool {
    [MDB_CORRUPTED, MDB_INVALID, MDB_VERSION_MISMATCH, MDB_PAGE_NOTFOUND].contains(code)
  }
}

/// Turns the return code of a C call into an error; every `mdb_` call that can fail goes through here.
@inline(__always)
func check(_ code: Int32, calling call: StaticString) throws(StorageError) {
  if code != MDB_SUCCESS {
    throw makeError(code, call)
  }
}

@inline(never)
private func makeError(_ code: Int32, _ call: StaticString) -> StorageError {
  StorageError(code: code, call: "\(call)")
}
