internal import Foundation
internal import ObjectBoxStorage

/// The locks of a file that a compaction replaces, which belong to the file and not to its name.
extension ProcessLocks {
  /// Runs a body while no process can open the store or replace its file; those that are about to open it wait.
  ///
  /// - Parameters:
  ///   - path: The data file.
  ///   - body: Finds the file under the path open in this process.
  /// - Returns: The result of the body; nil, without running it, when the locks are those of a former file.
  /// - Throws: `StorageError` when the file system has no locks, and the error of the body.
  func excludingOpeners<T>(_ path: String, _ body: () throws -> T) throws -> T? {
    guard let file else { return try body() }
    _ = try file.lock(LockByte.opening, isExclusive: true, waits: true)
    // The former file's, also once another one has the name.
    defer { file.unlock(LockByte.opening) }
    return file.isFile(at: path) ? try body() : nil
  }

  /// Takes the locks that this process has on another file, which no other process can find yet.
  ///
  /// - Returns: The locks, for `move`.
  /// - Throws: `StorageError` when the file cannot be locked.
  func claim(_ path: String) throws -> FileLock {
    guard let lock = FileLock(path: path, mode: 0o600, isReadOnly: isReadOnly) else {
      throw StorageError(code: errno, call: "open")
    }
    try claimLike(lock)
    return lock
  }

  /// Goes over to the file that another process has put in the place of the present one.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isUsable: Looks at the file, which no process upgrades meanwhile.
  /// - Throws: `StorageError` with `isLostFile` when it is not usable, or a process has it open that does not share
  ///   it; the locks stay then.
  func follow(to path: String, if isUsable: () throws -> Bool) throws {
    let lock = try claim(path)
    guard try isUsable() else { throw StorageError.lostFile }
    move(to: lock)
  }

  /// Goes over to the locks of another file; those of the former one end when nothing uses them any more.
  func move(to lock: FileLock) { current.withLock { $0 = lock } }

  private func claimLike(_ lock: FileLock) throws {
    if isReadOnly {
      _ = try? lock.lock(LockByte.presence, isExclusive: false)
      return
    }
    guard try lock.lock(LockByte.writing, isExclusive: !isShared) else {
      throw StorageError.lostFile
    }
    // Waits for a process that upgrades the file: what it stores is looked at after that.
    _ = try lock.lock(LockByte.presence, isExclusive: false, waits: true)
  }
}
