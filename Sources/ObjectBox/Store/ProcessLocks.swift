internal import Foundation
internal import ObjectBoxStorage
internal import Synchronization

/// What an open store says to other processes that use its directory, and learns of them.
///
/// Reading needs nobody's leave. Tools that read the file with LMDB alone neither see these locks nor are
/// kept out by them.
///
/// A class, since it owns locks.
final class ProcessLocks: Sendable {
  private enum Place {
    /// Held while a store is being opened; what is found out then stays true.
    static let opening = 0
    /// Shared by all that have the store open; exclusive to change what they rely on.
    static let presence = 1
    /// Held by those who may write: shared, or by one process alone.
    static let writing = 2
  }

  /// Kept open so that the number of the directory is not given to another one, should it be removed.
  private let directory: Atomic<Int32>
  /// Nil when the file cannot be opened, which opening it as a database will tell.
  private let file: FileLock?
  private let isReadOnly: Bool

  /// Waits while another process opens the store, and then keeps others from opening it until
  /// `endOpening`.
  ///
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when another process has the store open for
  ///   writing, and the two do not agree to share it.
  init(_ place: StoreDirectory, _ configuration: Store.Configuration) throws {
    isReadOnly = configuration.readOnly
    directory = Atomic(open(place.path, O_RDONLY | O_CLOEXEC))
    file = FileLock(
      path: place.path + "/" + StorageEnvironment.fileNames[0],
      mode: configuration.fileMode,
      isReadOnly: isReadOnly
    )
    guard let file else { return }
    _ = file.lock(Place.opening, isExclusive: !isReadOnly, waits: true)
    let isShared = configuration.isSharedWithOtherProcesses
    if !isReadOnly, !file.lock(Place.writing, isExclusive: !isShared) {
      release()
      throw ObjectBoxError.illegalState(
        message: "cannot open store at '\(place.location)': another process has it open for writing"
          + (isShared ? " alone" : "")
          + "; close it there, or open it with isSharedWithOtherProcesses in both"
      )
    }
    // Exclusive locks of it are held by those who are opening only.
    _ = file.lock(Place.presence, isExclusive: false)
  }

  /// Returns whether another process has a store open, which this one has closed.
  static func isOpenElsewhere(_ place: StoreDirectory) -> Bool {
    let path = place.path + "/" + StorageEnvironment.fileNames[0]
    guard !place.isInMemory, FileManager.default.fileExists(atPath: path),
      let file = FileLock(path: path, mode: 0o644, isReadOnly: false)
    else { return false }
    defer { file.close() }
    return !file.lock(Place.presence, isExclusive: true)
  }

  /// Runs a body while no other process has the store open.
  ///
  /// - Returns: What the body returns; nil, without running it, when another process has it open.
  func alone<T>(_ body: () throws -> T) rethrows -> T? {
    guard let file else { return try body() }
    guard !isReadOnly, file.lock(Place.presence, isExclusive: true) else { return nil }
    defer { _ = file.lock(Place.presence, isExclusive: false) }
    return try body()
  }

  /// Lets other processes open the store.
  func endOpening() {
    file?.unlock(Place.opening)
  }

  /// Gives up the locks, when the file is closed; no other call but `forgetDirectory` may follow.
  func release() {
    file?.close()
  }

  /// Lets the number of the directory be given to another one, when nobody knows the store by it any more.
  func forgetDirectory() {
    let descriptor = directory.exchange(-1, ordering: .relaxed)
    if descriptor >= 0 { _ = close(descriptor) }
  }

  deinit {
    forgetDirectory()
  }
}
