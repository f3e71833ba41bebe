internal import CObjectBoxLMDB
internal import Foundation

extension StorageError {
  /// True when a file cannot be replaced because it has several names.
  package var hasSeveralNames: Bool { code == EMLINK }
}

extension StorageEnvironment {
  /// The suffix of the folder in which a compaction writes the new file.
  private static let compactionEnd = ".compact"

  /// The result of a compaction.
  package struct Compaction: Sendable {
    /// The number of the newest commit, which stays the same.
    package var version: Int
    package var sizeBefore: Int
    package var sizeAfter: Int
  }

  /// The space that a compaction needs; checked before it begins.
  package struct CompactionNeed: Sendable {
    /// The size of the new file in bytes.
    package var bytes: Int
    /// The free space of the disk in bytes.
    package var available: Int
  }

  /// The absolute path of the data file, with links resolved.
  ///
  /// - Throws: ``StorageError`` with `isLostFile` when the environment is not open.
  package func pathToCompact() throws(StorageError) -> String {
    guard let dataFile else { throw .lostFile }
    return dataFile.path
  }

  /// Replaces the file by a new one that contains the newest version, without free pages.
  ///
  /// The new file is checked, synced, and then renamed: the store has one of the two files, even if
  /// the process is killed or power is lost. Then the environment is closed and reopened, in some
  /// milliseconds (``OpenEnvironment``). Open read transactions continue in the former file; new
  /// ones wait, and read the new file.
  ///
  /// The caller is the only writer of its process and keeps other processes from having the file
  /// open.
  ///
  /// - Parameters:
  ///   - progress: Gets the finished part, from 0 to 1; false ends the compaction.
  ///   - admit: Gets the space that is needed; throws to end the compaction.
  ///   - claim: Gets the path of the new file before it is renamed; takes the process's locks on
  ///     it, or throws to end the compaction.
  ///   - settle: Called when the new file is open.
  /// - Returns: Nil when `progress` ended it; nothing has changed then.
  /// - Throws: ``StorageError``, and the errors of `admit` and `claim`. Nothing has changed, unless
  ///   the file was renamed and could not be opened; then the environment is not open.
  package func compact(
    progress: (Double) -> Bool,
    admit: (CompactionNeed) throws -> Void,
    claim: (String) throws -> Void,
    settle: () -> Void
  ) throws -> Compaction? {
    guard let dataFile else { throw StorageError.lostFile }
    try Self.removeLeftovers(of: dataFile.path)
    defer { try? Self.removeLeftovers(of: dataFile.path) }
    guard let result = try replaceFile(dataFile, progress, admit, claim) else { return nil }
    do {
      try openNewFile(dataFile)
      settle()
      // Before any commit: after a commit, the disk must not return to the former file.
      try dataFile.synchronizeName()
    } catch {
      synchronizeAgain()
      throw error
    }
    return result
  }

  /// Writes the new file and renames it.
  ///
  /// - Returns: Nil when `progress` ended it.
  private func replaceFile(
    _ dataFile: DataFile,
    _ progress: (Double) -> Bool,
    _ admit: (CompactionNeed) throws -> Void,
    _ claim: (String) throws -> Void
  ) throws -> Compaction? {
    let writing = try beginWriteLMDB()
    defer { abortWriteLMDB(writing) }
    try prepareFirstWrite()
    let image = try image()
    guard let head = image.newestHead(), head.version + 1 == UInt64(mdb_txn_id(writing)) else {
      throw damaged(0)
    }
    let path = dataFile.path
    let folder = path + Self.compactionEnd
    guard mkdir(folder, 0o700) == 0 else { throw StorageError(code: errno, call: "mkdir") }
    let new = folder + "/" + Self.fileNames[0]
    guard let size = try write(image, head, to: new, of: path, progress, admit) else { return nil }
    try claim(new)
    guard rename(new, path) == 0 else { throw StorageError(code: errno, call: "rename") }
    dataFile.noteNewName()
    return Compaction(version: Int(head.version), sizeBefore: image.sizeInBytes, sizeAfter: size)
  }

  private func openNewFile(_ dataFile: DataFile) throws(StorageError) {
    var options = options
    let directory = Self.folder(of: dataFile.path)
    try opened.exchange { () throws(StorageError) in
      let environment = try Self.withFittingMap(&options) { (options) throws(StorageError) in
        try Self.openLMDB(directory, options)
      }
      do throws(StorageError) {
        try dataFile.replaceMap(by: environment)
      } catch {
        mdb_env_close(environment)
        throw error
      }
      return environment
    }
  }

  /// Writes the compact copy, with the owner and permission bits of the current file, and checks
  /// it.
  private func write(
    _ image: StorageImage,
    _ head: StorageImage.Head,
    to new: String,
    of path: String,
    _ progress: (Double) -> Bool,
    _ admit: (CompactionNeed) throws -> Void
  ) throws -> Int? {
    var status = stat()
    guard stat(path, &status) == 0 else { throw StorageError(code: errno, call: "stat") }
    // Other names would still lead to the former file.
    guard status.st_nlink == 1 else { throw StorageError(code: EMLINK, call: "stat") }
    let known = try image.verify(head, .quick) { _ in true }
    let pageCount = max(1, Int(head.lastPage) + 1 - known.freePages)
    try admit(
      CompactionNeed(
        bytes: pageCount * head.pageSizeInBytes,
        available: availableDiskBytes ?? .max
      )
    )
    let descriptor = open(new, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StorageError(code: errno, call: "open") }
    defer { _ = Foundation.close(descriptor) }
    if status.st_uid != geteuid() || status.st_gid != getegid() {
      guard fchown(descriptor, status.st_uid, status.st_gid) == 0 else {
        throw StorageError(code: errno, call: "fchown")
      }
    }
    guard fchmod(descriptor, status.st_mode & 0o7777) == 0 else {
      throw StorageError(code: errno, call: "fchmod")
    }
    let part = { (pages: Int) in min(1, Double(pages) / Double(pageCount)) }
    guard let size = try image.compact(head, to: descriptor, progress: { progress(part($0) / 2) })
    else { return nil }
    try Self.synchronize(new)
    return try Self.check(new, head, progress: { progress(0.5 + part($0) / 2) }) ? size : nil
  }

  /// Checks all pages of a compact copy; false when `progress` ended it.
  private static func check(
    _ new: String,
    _ head: StorageImage.Head,
    progress: (Int) -> Bool
  ) throws -> Bool {
    let copy = try StorageImage(path: new)
    guard let made = copy.newestHead(), made.version == head.version else { throw damaged(0) }
    var isEnded = false
    let finding = try copy.firstFinding(
      made,
      .all,
      progress: { pages in
        isEnded = !progress(pages)
        return !isEnded
      }
    )
    if finding != nil { throw damaged(0) }
    return !isEnded
  }

  /// Returns the absolute path of a file, with links resolved; the path itself if the file does not
  /// exist.
  static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// The folder of a file.
  static func folder(of path: String) -> String {
    String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
  }

  /// Completes a compaction whose process was killed: puts the name that the file has now on disk,
  /// and removes the remains.
  ///
  /// The caller keeps other processes from opening and compacting the file.
  ///
  /// - Parameter directory: The folder of the file.
  /// - Throws: ``StorageError`` with the system's error number.
  package static func endCompaction(directory: String) throws(StorageError) {
    try removeLeftovers(of: directory + "/" + fileNames[0])
  }

  private static func removeLeftovers(of path: String) throws(StorageError) {
    let folder = path + compactionEnd
    var status = stat()
    guard lstat(folder, &status) == 0 else { return }
    try synchronize(Self.folder(of: path))
    unlink(folder + "/" + fileNames[0])
    rmdir(folder)
  }
}
