internal import Foundation
internal import ObjectBoxStorage

/// The locks between processes that use a store's directory.
///
/// Reading needs no lock. Tools that use LMDB directly ignore these locks.
///
/// A class, since it owns locks.
package final class ProcessLocks: Sendable {
  private enum LockByte {
    /// Held while a store is being opened or removed, so that its files do not change meanwhile.
    static let opening = 0
    /// Shared by all that have the store open; exclusive to upgrade or remove it.
    static let presence = 1
    /// Held by processes that may write: shared, or exclusive for a single one.
    static let writing = 2
  }

  /// The locks of the file; nil when it cannot be opened, as opening the environment tells then.
  private let current: Guarded<FileLock?>
  private var file: FileLock? { current.copy }
  private let isReadOnly: Bool
  private let isShared: Bool

  /// Thrown when the directory was removed while an opener waited.
  struct DirectoryIsGone: Error {}

  /// Waits while another process opens or removes the store, and then excludes both until `endOpening`.
  ///
  /// - Throws: ``ObjectBoxError``: `illegalState` when another process has the store open for writing, and the
  ///   two do not agree to share it, `storageGeneral` when the file system has no locks; ``DirectoryIsGone``.
  init(_ directory: StoreDirectory, _ options: StoreFile.Options) throws {
    isReadOnly = options.isReadOnly
    let path = Self.path(directory)
    isShared = options.isShared
    let file = FileLock(path: path, mode: options.fileMode, isReadOnly: isReadOnly)
    current = Guarded(file)
    guard let file else {
      if errno == ENOENT, !isReadOnly { throw DirectoryIsGone() }
      return
    }
    do {
      try StoreError.translating(directory.location) {
        try Self.claim(file, directory, options)
        if !file.isFile(at: path) { throw DirectoryIsGone() }
      }
    } catch {
      release()
      throw error
    }
  }

  private static func path(_ directory: StoreDirectory) -> String {
    directory.path + "/" + StorageEnvironment.fileNames[0]
  }

  private static func claim(
    _ file: FileLock,
    _ directory: StoreDirectory,
    _ options: StoreFile.Options
  ) throws {
    if options.isReadOnly {
      // Without locks LMDB decides whether the file can be read.
      _ = try? file.lock(LockByte.opening, isExclusive: false, waits: true)
      _ = try? file.lock(LockByte.presence, isExclusive: false)
      return
    }
    _ = try file.lock(LockByte.opening, isExclusive: true, waits: true)
    let isShared = options.isShared
    guard try file.lock(LockByte.writing, isExclusive: !isShared) else {
      // This process has no environment of the file open, so the lock file may be closed again.
      let holder = LockFile(directory: directory.path)?.otherHolder
      throw ObjectBoxError.illegalState(
        message:
          "cannot open store at '\(directory.location)': \(StoreError.text(of: holder)) has it open for writing"
          + (isShared ? " alone" : "")
          + "; close it there, or open it with isSharedWithOtherProcesses in both"
      )
    }
    // Succeeds: exclusive locks of this byte are held only together with the opening lock.
    _ = try file.lock(LockByte.presence, isExclusive: false)
  }

  /// Runs a body that removes a store, while no process has it open or opens it.
  ///
  /// Openers wait, and then find that the file is gone. The body must remove the data file last.
  ///
  /// - Parameters:
  ///   - directory: An existing directory.
  ///   - body: Removes the files.
  /// - Throws: ``ObjectBoxError``: `illegalState` when another process has the store open, `storageGeneral`
  ///   when that is unknown; and the error of the body.
  package static func removing(_ directory: StoreDirectory, _ body: () throws -> Void) throws {
    let path = path(directory)
    // Created when it is missing, since locks need a file.
    guard let file = FileLock(path: path, mode: 0o600, isReadOnly: false) else {
      let cause = errno
      if cause == ENOENT { return }
      throw ObjectBoxError.storageGeneral(
        message:
          "cannot remove the store at '\(directory.location)': '\(StorageEnvironment.fileNames[0])' cannot be "
          + "opened to see whether another process uses it (\(cause): \(String(cString: strerror(cause))))"
          + "; make it a file that can be read and written, or remove the directory yourself"
      )
    }
    defer { file.close() }
    let isUnused = try StoreError.translating(directory.location) {
      try file.lock(LockByte.opening, isExclusive: true, waits: true)
        && file.lock(LockByte.presence, isExclusive: true)
    }
    // Another process removed the store first; a file of that name belongs to a new one.
    guard file.isFile(at: path) else { return }
    guard isUnused else {
      throw ObjectBoxError.illegalState(
        message:
          "cannot remove the store at '\(directory.location)': another process has it open; close it there first"
      )
    }
    try body()
  }

  /// Runs a body while no other process has the store open.
  ///
  /// - Returns: The result of the body; nil, without running it, when another process has it open.
  func alone<T>(_ body: () throws -> T) throws -> T? {
    guard let file else { return try body() }
    guard !isReadOnly, try file.lock(LockByte.presence, isExclusive: true) else { return nil }
    defer { _ = try? file.lock(LockByte.presence, isExclusive: false) }
    return try body()
  }

  /// Lets other processes open the store.
  func endOpening() {
    file?.unlock(LockByte.opening)
  }

  /// Releases the locks, when the file is closed; no other call may follow.
  func release() {
    file?.close()
  }
}

/// The locks of a file that a compaction replaces, which belong to the file and not to its name.
///
/// A compaction has the opening lock of the former file from before it looks for other processes, and that of the new
/// file from before the rename until this process has it open. An opener waits for the one or the other: it takes the
/// lock of the file that it finds under the name, then looks whether that file still has the name, and begins again
/// when it has not.
extension ProcessLocks {
  /// Runs a body while no process can open the store; those that are about to open it wait.
  ///
  /// - Parameters:
  ///   - path: The data file.
  ///   - body: May give the name to another file.
  /// - Returns: The result of the body.
  /// - Throws: `StorageError` when the file system has no locks, or with `isLostFile` when another file has the name;
  ///   and the error of the body.
  func excludingOpeners<T>(_ path: String, _ body: () throws -> T) throws -> T {
    guard let file else { return try body() }
    _ = try file.lock(LockByte.opening, isExclusive: true, waits: true)
    defer { file.unlock(LockByte.opening) }
    guard file.isFile(at: path) else { throw StorageError.lostFile }
    return try body()
  }

  /// Takes the locks that this process has on another file, and that of opening; no other process can find it yet.
  ///
  /// - Returns: The locks, for `move`.
  /// - Throws: `StorageError` when the file cannot be locked.
  func claim(_ path: String) throws -> FileLock {
    guard let lock = FileLock(path: path, mode: 0o600, isReadOnly: false) else {
      throw StorageError(code: errno, call: "open")
    }
    guard try lock.lock(LockByte.opening, isExclusive: true),
      try lock.lock(LockByte.writing, isExclusive: !isShared),
      try lock.lock(LockByte.presence, isExclusive: false)
    else { throw StorageError.lostFile }
    return lock
  }

  /// Goes over to the locks of another file; those of the former one end when nothing uses them any more.
  func move(to lock: FileLock) { current.withLock { $0 = lock } }
}
