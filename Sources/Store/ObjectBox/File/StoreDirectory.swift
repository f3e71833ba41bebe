internal import Foundation
internal import ObjectBoxStorage

/// The location of a store's files: a directory, or memory under a name.
package struct StoreDirectory {
  /// The prefix of the location of a store in memory; the store's name in the process follows.
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
      // Preferably a file system in memory.
      let base =
        FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
      path = base + "/objectbox-" + UUID().uuidString
    } else {
      path = location
    }
  }

  /// Makes the directory of a copy in memory, which no other process can find.
  ///
  /// - Parameters:
  ///   - folder: The folder, which is removed when the copy is open.
  ///   - location: The store as given by the user, for messages.
  init(copyIn folder: String, of location: String) {
    self.location = location
    path = folder
    isInMemory = true
  }

  /// The identity of the directory, the same for all its paths; nil if it does not exist.
  ///
  /// It consists of the device and inode numbers. For a store in memory it is the location.
  ///
  /// After the removal of the directory, another directory may get the same numbers; see `held`.
  var registryKey: String? {
    isInMemory ? location : status.map(HeldDirectory.key)
  }

  /// The present directory, kept open; nil, with the cause in `errno`, if there is none.
  var held: HeldDirectory? {
    isInMemory ? HeldDirectory(key: location) : HeldDirectory.open(path)
  }

  /// The status of the directory; nil, with the cause in `errno`, if there is none.
  private var status: stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  /// Creates the directory if it is missing, but not its parents.
  ///
  /// - Parameters:
  ///   - fileMode: The permission bits of files. The directory also gets the search bit wherever
  ///     they allow reading or writing.
  ///   - isReadOnly: True if nothing may be created.
  /// - Returns: The directory, kept open.
  /// - Throws: ``ObjectBoxError/storageGeneral(message:)`` when the directory cannot be created, or
  ///   is missing and `isReadOnly` is true.
  package func prepare(fileMode: UInt32, isReadOnly: Bool) throws -> HeldDirectory {
    if isInMemory { return HeldDirectory(key: location) }
    try checkPath()
    if isReadOnly, registryKey == nil {
      throw StoreError.missing(location, cause: "(\(errno): \(String(cString: strerror(errno))))")
    }
    while true {
      if let held { return held }
      try make(fileMode: fileMode)
      if let held { return held }
      // Another thread or process may have removed it again.
      guard errno == ENOENT else { throw unusable(errno) }
    }
  }

  /// Creates the directory of a store in memory for the first store of this name.
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
      // Either the directory is gone again, and may be back by now, or a dangling link has its
      // name.
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

  /// Unlinks the files of a store in memory.
  ///
  /// The files exist until they are closed, so nothing is left behind, however the process ends.
  func unlinkIfInMemory() {
    if isInMemory { try? FileManager.default.removeItem(atPath: path) }
  }

  /// Removes the directory of a closed store with all files.
  ///
  /// The data file is removed last. After that, an opener creates a new data file, which is not
  /// touched.
  ///
  /// - Parameter dataFile: The file that is removed last.
  /// - Throws: ``ObjectBoxError/storageGeneral(message:)`` when a file cannot be removed.
  package func removeFiles(last dataFile: String = StorageEnvironment.fileNames[0]) throws {
    guard !isInMemory else { return }
    do {
      for name in try FileManager.default.contentsOfDirectory(atPath: path) where name != dataFile {
        try FileManager.default.removeItem(atPath: path + "/" + name)
      }
      try FileManager.default.removeItem(atPath: path + "/" + dataFile)
    } catch {
      throw unremovable(error.localizedDescription)
    }
    // If the path is a link, the link is removed and the empty directory stays.
    guard rmdir(path) != 0, errno != ENOTDIR || unlink(path) != 0 else { return }
    let cause = errno
    // Another thread or process has created a new store already.
    if [ENOENT, ENOTEMPTY, EEXIST].contains(cause) { return }
    throw unremovable(String(cString: strerror(cause)))
  }

  /// Renames the directory of a closed store, and waits for the disk.
  ///
  /// Only an empty directory may have the new name.
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
