internal import Foundation
internal import ObjectBoxStorage

/// The location of a store's files: a directory, or memory under a name.
package struct StoreDirectory {
  /// The beginning of the location of a store in memory; its name in the process follows.
  package static let inMemoryPrefix = "memory:"

  /// The location as given by the user.
  let location: String
  /// The directory of the files.
  package let path: String
  package let isInMemory: Bool

  /// Finds the directory of a store without creating it.
  package init(location: String) {
    self.location = location
    isInMemory = location.hasPrefix(Self.inMemoryPrefix)
    if isInMemory {
      // A file system in memory, if the system has one.
      let base =
        FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
      path = base + "/objectbox-" + UUID().uuidString
    } else {
      path = location
    }
  }

  /// The identity of the directory, the same for all its paths: its device and node numbers, or the location
  /// itself for a store in memory.
  ///
  /// Nil while it does not exist. Another directory may get the numbers once this one is removed; see `held`.
  var registryKey: String? {
    isInMemory ? location : status.map(HeldDirectory.key)
  }

  /// The directory as it is now, kept open; nil, with the cause in `errno`, when there is none.
  var held: HeldDirectory? {
    isInMemory ? HeldDirectory(memory: location) : HeldDirectory.open(path)
  }

  /// The status of the directory; nil, with the cause in `errno`, when there is none.
  private var status: stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  /// Makes the directory when it is missing: its last level only.
  ///
  /// - Parameters:
  ///   - fileMode: The permission bits of files; the directory gets the search bit wherever they allow to
  ///     read or to write.
  ///   - isReadOnly: True when nothing may be created.
  /// - Returns: The directory, kept open.
  /// - Throws: ``ObjectBoxError/storageGeneral(message:)`` when it cannot be made, or is missing.
  package func prepare(fileMode: UInt32, isReadOnly: Bool) throws -> HeldDirectory {
    if isInMemory { return HeldDirectory(memory: location) }
    try checkPath()
    if isReadOnly, registryKey == nil {
      throw StoreError.missing(location, cause: "(\(errno): \(String(cString: strerror(errno))))")
    }
    while true {
      if let held { return held }
      try make(fileMode: fileMode)
      if let held { return held }
      // Another thread or process may have removed the directory again.
      guard errno == ENOENT else { throw unusable(errno) }
    }
  }

  /// Makes the directory of a store in memory, for the first store of the name.
  func prepareMemory() throws {
    if isInMemory { try make(fileMode: 0o600) }
  }

  private func make(fileMode: UInt32) throws {
    var mode = fileMode & 0o777
    for shift in [0, 3, 6] where (fileMode >> UInt32(shift)) & 0o6 != 0 {
      mode |= 1 << UInt32(shift)
    }
    while mkdir(path, mode_t(mode)) != 0 {
      guard errno == EEXIST else { throw unusable(errno) }
      var status = stat()
      if stat(path, &status) == 0 {
        guard status.st_mode & S_IFMT == S_IFDIR else { throw unusable(ENOTDIR) }
        return
      }
      // The directory is gone again, and may be back by now, or a dangling link has its name.
      let isThere = lstat(path, &status) == 0
      guard isThere ? status.st_mode & S_IFMT == S_IFDIR : errno == ENOENT else {
        throw unusable(ENOTDIR)
      }
    }
  }

  private func unusable(_ cause: Int32) -> ObjectBoxError {
    let advice =
      switch cause {
      case ENOENT: "the folder above it does not exist; make that first, or correct the path"
      case ENOTDIR: "a file has the name of a folder of this path; use another path"
      case EACCES, EPERM:
        "the user of this process may not write there; give it the right, or use a folder of its own"
      default: "its parent must exist and be writable"
      }
    return .storageGeneral(
      message:
        "Could not prepare directory '\(path)' (\(cause): \(String(cString: strerror(cause)))): "
        + advice
    )
  }

  /// Unlinks the files of a store in memory: they exist until they are closed, so that nothing is left behind
  /// however the process ends.
  func unlinkIfInMemory() {
    if isInMemory { try? FileManager.default.removeItem(atPath: path) }
  }

  /// Removes the files of a closed store, and the directory with all other files.
  ///
  /// The data file is removed last: a later opener creates a new one, of which nothing is removed.
  package func removeFiles() throws {
    guard !isInMemory else { return }
    let dataFile = StorageEnvironment.fileNames[0]
    do {
      for name in try FileManager.default.contentsOfDirectory(atPath: path) where name != dataFile {
        try FileManager.default.removeItem(atPath: path + "/" + name)
      }
      try FileManager.default.removeItem(atPath: path + "/" + dataFile)
    } catch {
      throw unremovable(error.localizedDescription)
    }
    // Of a linked directory the link is removed, and the empty directory stays.
    guard rmdir(path) != 0, errno != ENOTDIR || unlink(path) != 0 else { return }
    let cause = errno
    // Another thread or process has created a new store already.
    if [ENOENT, ENOTEMPTY, EEXIST].contains(cause) { return }
    throw unremovable(String(cString: strerror(cause)))
  }

  /// Gives the directory of a closed store another name, which at most an empty directory has, and waits for the disk.
  package func move(to other: String) throws {
    let parent = URL(fileURLWithPath: other).deletingLastPathComponent().path
    try StoreError.translating(location) {
      try StorageEnvironment.synchronize(path)
      guard rename(path, other) == 0 else { throw StorageError(code: errno, call: "rename") }
      try StorageEnvironment.synchronize(parent)
    }
  }

  private func unremovable(_ cause: String) -> ObjectBoxError {
    .storageGeneral(message: "cannot remove the store at '\(location)': \(cause)")
  }
}
