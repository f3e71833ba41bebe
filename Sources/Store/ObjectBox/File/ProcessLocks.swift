internal import Foundation
internal import ObjectBoxStorage

/// The locks between processes that use a store's directory.
///
/// Reading needs no lock. Tools that use LMDB directly ignore these locks.
package final class ProcessLocks: Sendable {
  private enum LockByte {
    /// Held while a store is being opened or removed, so that its files do not change meanwhile.
    static let opening = 0
    /// Shared by processes that have the store open; exclusive to upgrade or remove it.
    static let presence = 1
    /// Held by processes that may write: shared if several may write, else exclusive.
    static let writing = 2
  }

  /// The locks of the file; nil if the file cannot be opened.
  ///
  /// Opening the environment reports that.
  private let current: Guarded<FileLock?>
  private var file: FileLock? { current.copy }
  private let isReadOnly: Bool
  private let isShared: Bool

  /// Thrown when the directory was removed while an opener waited.
  struct DirectoryIsGone: Error {}

  /// Waits while another process opens or removes the store, then prevents both until `endOpening`.
  ///
  /// - Throws: ``ObjectBoxError``: `illegalState` when another process has the store open for
  ///   writing and one of the two does not share it, `storageGeneral` when the file system has no
  ///   locks; ``DirectoryIsGone``.
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
      // If locking fails, LMDB decides whether the file can be read.
      _ = try? file.lock(LockByte.opening, isExclusive: false, waits: true)
      _ = try? file.lock(LockByte.presence, isExclusive: false)
      return
    }
    _ = try file.lock(LockByte.opening, isExclusive: true, waits: true)
    let isShared = options.isShared
    guard try file.lock(LockByte.writing, isExclusive: !isShared) else {
      // This process has no environment open on the file, so closing the lock file drops no locks.
      let holder = LockFile(directory: directory.path)?.otherHolder
      throw ObjectBoxError.illegalState(
        message:
          "cannot open store at '\(directory.location)' beside another process: "
          + "\(StoreError.text(of: holder)) has it open for writing\(isShared ? " alone" : ""); close it "
          + "there, or open it with isSharedWithOtherProcesses in both"
      )
    }
    // Always succeeds: an exclusive lock of this byte is held only together with the opening lock.
    _ = try file.lock(LockByte.presence, isExclusive: false)
  }

  /// Runs a body that removes a store; meanwhile no process can have it open.
  ///
  /// Openers wait, and then find no file. The body must remove the data file last.
  ///
  /// - Parameters:
  ///   - directory: An existing directory.
  ///   - body: Removes the files.
  /// - Throws: ``ObjectBoxError``: `illegalState` when another process has the store open,
  ///   `storageGeneral` when the use by other processes is unknown; and the error of the body.
  package static func removing(_ directory: StoreDirectory, _ body: () throws -> Void) throws {
    let path = path(directory)
    // Created if it is missing: locks need a file.
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
    // Another process has already removed the store. A file of this name belongs to a new store.
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
  /// - Returns: The result of the body; nil, without running it, if another process has the store
  ///   open.
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

  /// Releases the locks when the file is closed; no other call may follow.
  func release() {
    file?.close()
  }
}

/// The locks during a compaction, which replaces the file; locks belong to a file, not to its name.
///
/// A compaction takes the opening lock of the old file before it looks for other processes. It
/// takes the opening lock of the new file before the rename, and keeps it until this process has
/// opened the new file. So an opener waits for one of the two locks: it locks the file that it
/// finds under the name, then checks that the name still belongs to this file, and otherwise starts
/// again.
extension ProcessLocks {
  /// Runs a body while no other process can open the store; openers wait.
  ///
  /// - Parameters:
  ///   - path: The data file.
  ///   - body: May rename another file to this path.
  /// - Returns: The result of the body.
  /// - Throws: `StorageError` when the file system has no locks, or with `isLostFile` when another
  ///   file is at the path; and the error of the body.
  func excludingOpeners<T>(_ path: String, _ body: () throws -> T) throws -> T {
    guard let file else { return try body() }
    _ = try file.lock(LockByte.opening, isExclusive: true, waits: true)
    defer { file.unlock(LockByte.opening) }
    guard file.isFile(at: path) else { throw StorageError.lostFile }
    return try body()
  }

  /// Takes the opening lock on a new file, and the locks that this process holds on the present
  /// file.
  ///
  /// No other process can find the new file yet.
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

  /// Replaces the locks by the locks of another file; the old locks end with their last use.
  func move(to lock: FileLock) { current.withLock { $0 = lock } }
}
