internal import Foundation
internal import ObjectBoxStorage
internal import Synchronization

/// The locks by which processes that use a store's directory know of each other.
///
/// Reading needs no lock. Tools that read the file with LMDB alone neither see these locks nor are
/// kept out by them.
///
/// A class, since it owns locks.
final class ProcessLocks: Sendable {
  private enum LockByte {
    /// Held while a store is being opened; what is found out then stays true.
    static let opening = 0
    /// Shared by all that have the store open; exclusive to change what they rely on.
    static let presence = 1
    /// Held by those who may write: shared, or by one process alone.
    static let writing = 2
  }

  /// Kept open so that the number of the directory is not given to another one, should it be removed.
  private let directoryDescriptor: Atomic<Int32>
  /// Nil when the file cannot be opened, which opening it as a database will tell of.
  private let file: FileLock?
  private let isReadOnly: Bool

  /// Thrown where the directory was removed while this waited to open the store.
  struct DirectoryIsGone: Error {}

  /// Waits while another process opens or removes the store, and then keeps others from both until
  /// `endOpening`.
  ///
  /// - Throws: ``ObjectBoxError``: `illegalState` when another process has the store open for writing, and the
  ///   two do not agree to share it, `storageGeneral` when the file system has no locks; ``DirectoryIsGone``.
  init(_ directory: StoreDirectory, _ options: StoreFile.Options) throws {
    isReadOnly = options.isReadOnly
    directoryDescriptor = Atomic(open(directory.path, O_RDONLY | O_CLOEXEC))
    let path = Self.path(directory)
    file = FileLock(path: path, mode: options.fileMode, isReadOnly: isReadOnly)
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
      // Without locks it is up to LMDB whether one can read.
      _ = try? file.lock(LockByte.opening, isExclusive: false, waits: true)
      _ = try? file.lock(LockByte.presence, isExclusive: false)
      return
    }
    _ = try file.lock(LockByte.opening, isExclusive: true, waits: true)
    let isShared = options.isShared
    guard try file.lock(LockByte.writing, isExclusive: !isShared) else {
      throw ObjectBoxError.illegalState(
        message:
          "cannot open store at '\(directory.location)': another process has it open for writing"
          + (isShared ? " alone" : "")
          + "; close it there, or open it with isSharedWithOtherProcesses in both"
      )
    }
    // Exclusive locks of it are held by those who are opening or removing only.
    _ = try file.lock(LockByte.presence, isExclusive: false)
  }

  /// Runs a body that removes a store, which no process has open or opens meanwhile.
  ///
  /// Openers wait, and then find that the file is gone. The body must remove the data file last.
  ///
  /// - Parameters:
  ///   - directory: A directory that is there.
  ///   - body: Removes the files.
  /// - Throws: ``ObjectBoxError``: `illegalState` when another process has the store open, `storageGeneral`
  ///   when it cannot be told; and what the body throws.
  static func removing(_ directory: StoreDirectory, _ body: () throws -> Void) throws {
    let path = path(directory)
    // Made when it is missing, so that there is something to lock.
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
    // Another process was faster, and what stands there now is not what was to be removed.
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

  /// Gives up the locks, when the file is closed; no other call but `forgetDirectory` may follow.
  func release() {
    file?.close()
  }

  /// Lets the number of the directory be given to another one, once the registry has forgotten the store.
  func forgetDirectory() {
    let descriptor = directoryDescriptor.exchange(-1, ordering: .relaxed)
    if descriptor >= 0 { _ = close(descriptor) }
  }

  deinit {
    forgetDirectory()
  }
}
