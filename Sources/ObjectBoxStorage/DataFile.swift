internal import Foundation
internal import Synchronization

/// The data file that an open environment reads and writes, exchanged when a compaction puts another one in its
/// place.
///
/// * The writer that compacts has LMDB's write lock and the *turn*, a lock on the file itself. Writers of other
///   processes take the turn, look whether the file still has its name, and only then ask for LMDB's write lock. So
///   none ever has that lock over a file that was replaced, also when LMDB has to clean up after a writer that was
///   killed, which it does from the head pages that it sees.
/// * Readers notice by the number of the newest commit, which `lock.mdb` has: a file whose head pages are older was
///   replaced. Up to that commit both files have the same content.
///
/// A class, since it owns the map. Invariant of `@unchecked Sendable`: the variables are touched while the lock is
/// held only; an exchange happens under it.
final class DataFile: @unchecked Sendable {
  /// The lock byte of the turn, behind those of ``FileLock`` that belong to opening.
  private static let turnByte = 3

  private let lock = NSLock()
  private var file: FollowedFile
  /// The absolute path of the file.
  let path: String
  private let isShared: Bool
  private let isReadOnly: Bool
  private var current: StoragePageMap
  /// The lock of the turn; nil while no other process may write.
  private var turn: FileLock?
  /// Checks a file before it is exchanged for the present one.
  private var accept: @Sendable (_ path: String) throws -> Void = { _ in }
  /// True after an exchange that the system refused half-way.
  private var isBroken = false
  /// True until the disk has the name of the file.
  private var hasNewName = false

  init(
    _ file: FollowedFile,
    _ image: StorageImage?,
    isShared: Bool,
    isReadOnly: Bool
  ) throws(StorageError) {
    self.file = file
    path = file.path
    self.isShared = isShared && !isReadOnly
    self.isReadOnly = isReadOnly
    current = try file.pageMap(image)
    turn = try self.isShared ? Self.turn(of: file.path) : nil
  }

  private static func turn(of path: String) throws(StorageError) -> FileLock {
    guard let lock = FileLock(path: path, mode: 0o600, isReadOnly: false) else {
      throw StorageError(code: errno, call: "open")
    }
    return lock
  }

  private func locked<T>(_ body: () throws(StorageError) -> T) throws(StorageError) -> T {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  /// The map of the file.
  var map: StoragePageMap {
    lock.lock()
    defer { lock.unlock() }
    return current
  }

  /// Makes a larger map in the place of one that the file has outgrown.
  func enlarge(_ map: StoragePageMap) throws(StorageError) {
    try locked { () throws(StorageError) in
      if current === map { current = try map.larger() }
    }
  }

  /// Finds LMDB's map anew, which has another place or size.
  ///
  /// - Parameter transaction: A read transaction; no other one is open.
  /// - Throws: ``StorageError`` when the map is not found.
  func findMap(by transaction: StorageTransaction) throws(StorageError) {
    try locked { () throws(StorageError) in
      guard let found = try file.found(by: transaction) else { throw .unknownForm }
      file = found
    }
  }

  /// True when the system and LMDB let another file take the place of this one.
  var canBeExchanged: Bool {
    lock.lock()
    defer { lock.unlock() }
    return file.canBeExchanged
  }

  /// Sets the check of a file that another process has put in the place of the present one.
  func acceptSuccessors(by check: @escaping @Sendable (String) throws -> Void) {
    lock.lock()
    defer { lock.unlock() }
    accept = check
  }

  // MARK: Turns

  /// Runs a body in which no other process can replace the file; the file is the one that has its name.
  ///
  /// The caller is the only writer of its process.
  func inTurn<T>(_ body: () throws(StorageError) -> T) throws(StorageError) -> T {
    while true {
      let turn = try locked { () throws(StorageError) -> FileLock? in
        if isBroken { throw .lostFile }
        return self.turn
      }
      guard let turn else { return try body() }
      _ = try turn.lock(Self.turnByte, isExclusive: true, waits: true)
      defer { turn.unlock(Self.turnByte) }
      if try !isReplaced(under: turn) { return try body() }
      try follow()
    }
  }

  private func isReplaced(under turn: FileLock) throws(StorageError) -> Bool {
    try locked { () throws(StorageError) in
      // A reader of this process may have followed meanwhile.
      if self.turn !== turn { return true }
      return try file.identity.nameCount == 0
    }
  }

  /// Goes over to the file that another process may have put in the place of the present one.
  func followIfReplaced() throws(StorageError) {
    guard isShared || isReadOnly else { return }
    if try locked({ () throws(StorageError) in try file.identity.nameCount == 0 }) { try follow() }
  }

  /// Goes over to the file that has the name now, if it is another one.
  ///
  /// - Throws: ``StorageError`` with `isLostFile` when it cannot be used in the place of the present one.
  func follow() throws(StorageError) {
    try locked { () throws(StorageError) in
      if isBroken { throw .lostFile }
      // A store in memory has no name.
      guard isShared || isReadOnly, file.canBeExchanged else { throw .lostFile }
      let successor = try file.open(file.path)
      if successor.map.identity == current.identity { return }
      let image = try StorageImage(descriptor: successor.pages)
      guard let head = image.newestHead(), head.pageSizeInBytes == Int(file.pageSize) else {
        throw .lostFile
      }
      do { try accept(file.path) } catch let error as StorageError {
        throw error
      } catch { throw .lostFile }
      let newTurn = try isShared ? Self.turn(of: file.path) : nil
      // The process that renamed it may have been killed before the disk had the name.
      if !isReadOnly { try synchronizeFolder() }
      try exchange(for: successor, newTurn)
    }
  }

  // MARK: Replacing

  /// Opens a file that is about to take the place of the present one, in all the ways that are needed.
  func successor(_ path: String) throws(StorageError) -> (FollowedFile.Successor, FileLock?) {
    (try file.open(path), try isShared ? Self.turn(of: path) : nil)
  }

  /// Exchanges the file for the one that has taken its name; the caller has LMDB's write lock and the turn.
  func replace(by successor: (FollowedFile.Successor, FileLock?)) throws(StorageError) {
    try locked { () throws(StorageError) in
      hasNewName = true
      try exchange(for: successor.0, successor.1)
    }
  }

  /// Waits until the disk has the name of the file, after a `replace`.
  ///
  /// - Throws: ``StorageError``; with `isLostFile` when the exchange did not succeed.
  func synchronizeName() throws(StorageError) {
    try locked { () throws(StorageError) in
      if isBroken { throw .lostFile }
      guard hasNewName else { return }
      try synchronizeFolder()
      hasNewName = false
    }
  }

  private func synchronizeFolder() throws(StorageError) {
    try StorageEnvironment.synchronize(StorageEnvironment.folder(of: file.path))
  }

  private func exchange(
    for successor: FollowedFile.Successor,
    _ newTurn: FileLock?
  ) throws(StorageError) {
    do {
      try file.exchange(for: successor)
    } catch {
      isBroken = true
      throw error
    }
    current = successor.map
    turn = newTurn
  }
}

extension StorageError {
  /// The error of a file that was replaced by one that cannot be followed.
  package static var lostFile: StorageError {
    StorageError(code: ESTALE, call: "following the data file")
  }

  /// True when another file has taken the name, which the process cannot use without opening the store again.
  package var isLostFile: Bool { code == ESTALE }
}
