internal import Foundation

/// The data file of an open environment, whose pages are read through a map of their own.
///
/// A class, since it owns the map. Invariant of `@unchecked Sendable`: the variables are touched while the lock is
/// held only.
final class DataFile: @unchecked Sendable {
  private let lock = NSLock()
  /// The absolute path of the file, without links: it stays the same when the process changes its folder.
  let path: String
  private var current: StoragePageMap
  /// True until the disk has the name of a file that was put in the place of another one.
  private var hasNewName = false

  /// Maps the file of an environment, unless an image with room has it mapped already.
  ///
  /// - Parameters:
  ///   - environment: LMDB's environment.
  ///   - path: The path of its data file.
  ///   - image: An image with room of what may be the same file.
  /// - Throws: ``StorageError`` with the system's number.
  init(_ environment: OpaquePointer, path: String, image: StorageImage?) throws(StorageError) {
    let (data, pageSize) = try OpenEnvironment.file(of: environment)
    if let map = image?.map, try FileIdentity(map.descriptor) == FileIdentity(data) {
      current = StoragePageMap(map, pageSize: pageSize)
    } else {
      current = try StoragePageMap(descriptor: data, pageSize: pageSize)
    }
    self.path = StorageEnvironment.resolved(path)
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

  /// True when the file has no name any more, since another one has taken it.
  ///
  /// - Throws: ``StorageError`` with the system's number.
  var isReplaced: Bool {
    get throws(StorageError) { try map.hasNoName }
  }

  /// Notes that another file has taken the name; the disk need not have it yet.
  func noteNewName() {
    lock.lock()
    defer { lock.unlock() }
    hasNewName = true
  }

  /// Maps the file of an environment that was opened again.
  func replaceMap(by environment: OpaquePointer) throws(StorageError) {
    let (data, pageSize) = try OpenEnvironment.file(of: environment)
    let map = try StoragePageMap(descriptor: data, pageSize: pageSize)
    try locked { () throws(StorageError) in current = map }
  }

  /// Waits until the disk has the name of the file, after `noteNewName`.
  func synchronizeName() throws(StorageError) {
    try locked { () throws(StorageError) in
      guard hasNewName else { return }
      try StorageEnvironment.synchronize(StorageEnvironment.folder(of: path))
      hasNewName = false
    }
  }
}
