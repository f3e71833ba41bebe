internal import Foundation
internal import ObjectBoxStorage

/// Where the files of a store are: a directory, or memory under a name.
struct StoreDirectory {
  /// As the user gave it.
  let location: String
  /// Where the files are made.
  let path: String
  let isInMemory: Bool

  /// Finds the place of a store without making anything.
  init(location: String) {
    self.location = location
    isInMemory = location.hasPrefix(Store.inMemoryPrefix)
    if isInMemory {
      // Memory that looks like a disk, where the system has it.
      let base =
        FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
      path = base + "/objectbox-" + UUID().uuidString
    } else {
      path = location
    }
  }

  /// What tells the directory from all others, whatever path leads to it: the numbers of its device and
  /// node, or the location itself for a store in memory.
  ///
  /// Nil while it does not exist. An open store keeps the directory open, so that its number is not given to another one.
  var registryKey: String? {
    if isInMemory { return location }
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return "\(status.st_dev):\(status.st_ino)"
  }

  /// Makes the directory when it is missing: its last level only.
  ///
  /// - Parameters:
  ///   - fileMode: The permission bits of files; the directory gets the search bit wherever they allow to
  ///     read or to write.
  ///   - isReadOnly: True when nothing is to be made.
  /// - Returns: The key of ``StoreRegistry``.
  /// - Throws: ``ObjectBoxError/storageGeneral(message:)`` when it cannot be made, or is missing.
  func prepare(fileMode: UInt32, isReadOnly: Bool) throws -> String {
    if isInMemory { return location }
    if isReadOnly, registryKey == nil {
      throw StoreError.missing(location, cause: "(\(errno): \(String(cString: strerror(errno))))")
    }
    try make(fileMode: fileMode)
    guard let registryKey else { throw unusable(errno) }
    return registryKey
  }

  /// Makes the directory of a store in memory, which whoever opens the first store of the name does.
  func prepareMemory() throws {
    if isInMemory { try make(fileMode: 0o600) }
  }

  private func make(fileMode: UInt32) throws {
    var mode = fileMode & 0o777
    for shift in [0, 3, 6] where (fileMode >> UInt32(shift)) & 0o6 != 0 {
      mode |= 1 << UInt32(shift)
    }
    if mkdir(path, mode_t(mode)) == 0 { return }
    let code = errno
    var isDirectory: ObjCBool = false
    if code == EEXIST, FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory),
      isDirectory.boolValue
    {
      return
    }
    throw unusable(code == EEXIST ? ENOTDIR : code)
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

  /// Removes the names of a store in memory: the open files live on until they are closed, and
  /// nothing is left behind when the process ends in whatever way.
  func unlinkIfInMemory() {
    if isInMemory { try? FileManager.default.removeItem(atPath: path) }
  }

  /// Removes the files of a closed store, and the directory with whatever is in it.
  func removeFiles() throws {
    guard !isInMemory, FileManager.default.fileExists(atPath: path) else { return }
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      throw ObjectBoxError.storageGeneral(
        message: "cannot remove the store at '\(location)': \(error.localizedDescription)"
      )
    }
  }
}
