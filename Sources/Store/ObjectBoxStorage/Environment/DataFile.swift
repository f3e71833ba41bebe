internal import Foundation

/// The data file of an open environment, whose pages are read through a separate map.
///
/// Invariant of `@unchecked Sendable`: the variables are accessed under the lock only.
final class DataFile: @unchecked Sendable {
  private let lock = NSLock()
  /// The absolute path of the file, with links resolved, so it stays valid if the process changes
  /// its folder.
  let path: String
  private var current: StoragePageMap
  private let mirror: (any StorageMirror)?
  /// True until the file's name is known to be on disk.
  ///
  /// The process that created or replaced the file may have ended before it synced the name.
  private var hasNewName: Bool

  /// Maps the file of an environment; uses the map of an image with room, if it shows the same
  /// file.
  ///
  /// - Parameters:
  ///   - environment: LMDB's environment.
  ///   - path: The path of its data file.
  ///   - image: An image with room, which may show the same file.
  ///   - mirror: Called after each mapping.
  /// - Throws: ``StorageError`` with the system's error number.
  init(
    _ environment: OpaquePointer,
    path: String,
    image: StorageImage?,
    mirror: (any StorageMirror)? = nil
  ) throws(StorageError) {
    let (data, pageSize) = try OpenEnvironment.file(of: environment)
    if let map = image?.map, try FileIdentity(map.descriptor) == FileIdentity(data) {
      current = StoragePageMap(map, pageSize: pageSize)
    } else {
      current = try StoragePageMap(descriptor: data, pageSize: pageSize)
    }
    self.path = StorageEnvironment.resolved(path)
    self.mirror = mirror
    // The mirror has files of its own.
    hasNewName = mirror == nil
    mirror?.didMap()
  }

  /// The map of the file.
  var map: StoragePageMap {
    lock.withLock { current }
  }

  /// Replaces a map that the file has outgrown by a larger one.
  func enlarge(_ map: StoragePageMap) throws(StorageError) {
    try lock.locked { () throws(StorageError) in
      if current === map { current = try map.larger() }
    }
    mirror?.didMap()
  }

  /// True when another file has taken the file's name.
  ///
  /// - Throws: ``StorageError`` with the system's error number.
  var isReplaced: Bool {
    get throws(StorageError) { try map.hasNoName }
  }

  /// Notes that another file has taken the name, which may not be on disk yet.
  func noteNewName() {
    lock.withLock { hasNewName = true }
  }

  /// Maps the file of an environment that was reopened.
  func replaceMap(by environment: OpaquePointer) throws(StorageError) {
    let (data, pageSize) = try OpenEnvironment.file(of: environment)
    let map = try StoragePageMap(descriptor: data, pageSize: pageSize)
    try lock.locked { () throws(StorageError) in current = map }
    mirror?.didMap()
  }

  /// Waits until the file's name is on disk, after `noteNewName`.
  func synchronizeName() throws(StorageError) {
    try lock.locked { () throws(StorageError) in
      guard hasNewName else { return }
      do throws(StorageError) {
        try StorageEnvironment.synchronize(StorageEnvironment.folder(of: path))
      } catch {
        // Another process removed the folder while this one opened the file: there is no name to sync, and the
        // opening detects it.
        guard error.code == ENOENT else { throw error }
      }
      hasNewName = false
    }
  }
}
