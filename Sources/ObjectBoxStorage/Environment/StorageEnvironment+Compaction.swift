internal import CObjectBoxLMDB
internal import Foundation

extension StorageError {
  /// True when a file cannot be replaced, since it has several names.
  package var hasSeveralNames: Bool { code == EMLINK }
}

extension StorageEnvironment {
  /// The end of the name of the folder in which a compaction writes the new file.
  private static let compactionEnd = ".compact"

  /// The result of a compaction.
  package struct Compaction: Sendable {
    /// The number of the newest commit, which stays the same.
    package var version: Int
    package var sizeBefore: Int
    package var sizeAfter: Int
  }

  /// The work of a compaction that can be refused before it begins.
  package struct CompactionNeed: Sendable {
    /// The bytes that the new file takes.
    package var bytes: Int
    /// The bytes that the disk has room for.
    package var available: Int
  }

  /// The absolute path of the data file, without links.
  ///
  /// - Throws: ``StorageError`` for an environment whose pages only LMDB reads, which cannot be compacted.
  package func pathToCompact() throws(StorageError) -> String {
    guard let dataFile else { throw .unknownForm }
    return dataFile.path
  }

  /// Writes the newest version to a new file without free pages, which takes the place of the present one.
  ///
  /// The new file is checked, synced, and then renamed: the store has the one or the other file, also when the process
  /// is killed or the power goes. Then the environment is closed and opened again, in some milliseconds
  /// (``OpenEnvironment``). Transactions that read go on in the former file; those that begin meanwhile wait, and read
  /// the new one.
  ///
  /// The caller is the only writer of its process and keeps other processes from having the file open.
  ///
  /// - Parameters:
  ///   - progress: Is passed the part that is done, from 0 to 1; false ends the compaction.
  ///   - admit: Is passed the room that is needed; throws to end the compaction.
  ///   - claim: Is passed the path of the new file, before that is renamed: takes the locks that the process has, or
  ///     throws to end the compaction.
  ///   - settle: Is called once the new file is open.
  /// - Returns: Nil when `progress` ended it; nothing has changed then.
  /// - Throws: ``StorageError``, and the errors of `admit` and `claim`. Nothing has changed, unless the file was
  ///   renamed and could not be opened: the environment is not open then.
  package func compact(
    progress: (Double) -> Bool,
    admit: (CompactionNeed) throws -> Void,
    claim: (String) throws -> Void,
    settle: () -> Void
  ) throws -> Compaction? {
    guard let dataFile else { throw StorageError.unknownForm }
    try Self.removeLeftovers(of: dataFile.path)
    defer { try? Self.removeLeftovers(of: dataFile.path) }
    guard let result = try replaceFile(dataFile, progress, admit, claim) else { return nil }
    do {
      try openNewFile(dataFile)
      settle()
      // Before any commit: the disk must not go back to the former file after one.
      try dataFile.synchronizeName()
    } catch {
      synchronizeAgain()
      throw error
    }
    return result
  }

  /// Makes the new file and gives it the name.
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

  /// Writes the compact copy, with the owner and the permission bits of the present file, and checks it.
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
    // The other names would lead to the former file.
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

  /// Returns the absolute path of a file without links; the same path when there is no such file.
  static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// The folder of a file.
  static func folder(of path: String) -> String {
    String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
  }

  /// Ends a compaction whose process was killed: whichever file has the name, the disk has it, and nothing else is
  /// left.
  ///
  /// The caller keeps other processes from opening and compacting the file.
  ///
  /// - Parameter directory: The folder of the file.
  /// - Throws: ``StorageError`` with the system's number.
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
