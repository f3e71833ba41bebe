internal import CObjectBoxLMDB
internal import Foundation

extension StorageEnvironment {
  /// The suffix of the folder in which a file is being made.
  private static let temporaryEnd = ".new"
  /// The suffix of a complete file before it takes its name.
  private static let completeEnd = ".made"

  /// Creates the data file of an environment without a commit, or replaces an empty file: complete
  /// or not at all, even if power is lost.
  ///
  /// No other process may create or open it meanwhile; the caller makes sure of that.
  ///
  /// - Parameters:
  ///   - directory: An existing folder.
  ///   - options: The options of the environment.
  /// - Throws: ``StorageError``; the file is then unchanged.
  package static func makeFile(directory: String, options: Options) throws(StorageError) {
    let path = directory + "/" + fileNames[0]
    let complete = path + completeEnd
    // Once the file has its name, another process may open the store, remove it and create the next one. So the
    // temporary folder is removed first, and the folder to sync is already open.
    let folder = try openToSynchronize(folder(of: path))
    defer { _ = Foundation.close(folder) }
    try makeFile(complete, in: path + temporaryEnd, options)
    guard rename(complete, path) == 0 else {
      let cause = errno
      unlink(complete)
      throw StorageError(code: cause, call: "rename")
    }
    try synchronize(folder)
  }

  /// Makes a complete file; LMDB makes it in a temporary folder, which is gone afterwards.
  private static func makeFile(
    _ path: String,
    in temporary: String,
    _ options: Options
  ) throws(StorageError) {
    removeTemporary(temporary)
    defer { removeTemporary(temporary) }
    guard mkdir(temporary, 0o700) == 0 else { throw StorageError(code: errno, call: "mkdir") }
    let made = temporary + "/" + fileNames[0]
    var options = options
    try withFittingMap(&options) { (options) throws(StorageError) in
      mdb_env_close(try openLMDB(temporary, options, flags: UInt32(MDB_NOLOCK)))
    }
    guard try StorageImage(path: made).newestHead() != nil else { throw .unknownForm }
    try synchronize(made)
    guard rename(made, path) == 0 else { throw StorageError(code: errno, call: "rename") }
  }

  /// The permission bits of a file that LMDB creates.
  ///
  /// The lock file of an existing store gets the bits of its data file, so that the same users can open both.
  static func fileMode(in directory: String, _ options: Options) -> mode_t {
    let file = try? FileIdentity(path: directory + "/" + fileNames[0])
    return file.map { $0.mode & 0o666 | 0o600 } ?? mode_t(options.fileMode)
  }

  private static func removeTemporary(_ folder: String) {
    // A link to another folder is removed, not followed.
    if unlink(folder) == 0 { return }
    unlink(folder + "/" + fileNames[0])
    rmdir(folder)
  }

  /// Waits until a file, or the names in a folder, are on disk.
  package static func synchronize(_ path: String) throws(StorageError) {
    let descriptor = try openToSynchronize(path)
    defer { _ = Foundation.close(descriptor) }
    try synchronize(descriptor)
  }

  private static func openToSynchronize(_ path: String) throws(StorageError) -> Int32 {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StorageError(code: errno, call: "open") }
    return descriptor
  }

  private static func synchronize(_ descriptor: Int32) throws(StorageError) {
    #if canImport(Darwin)
      // On Apple systems, `fsync` alone leaves the data in the disk's own cache.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    // Some file systems cannot sync a folder, and need not.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw StorageError(code: errno, call: "fsync")
    }
  }

  /// Writes all bytes to a place of an open file.
  ///
  /// - Throws: ``StorageError`` with the system's error number; a part may be written then.
  package static func write(
    _ bytes: UnsafeRawBufferPointer,
    to descriptor: Int32,
    at offset: Int
  ) throws(StorageError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw StorageError(code: count < 0 ? errno : EIO, call: "pwrite") }
      done += count
    }
  }
}
