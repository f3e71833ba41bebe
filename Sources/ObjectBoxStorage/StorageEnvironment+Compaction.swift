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

  /// Sets the check of a file that another process has put in the place of this one, before it is read.
  ///
  /// - Parameter check: Is passed the path of the new file. An error keeps the present file, and is thrown to
  ///   readers and writers as one with `isLostFile`.
  package func acceptSuccessors(
    by check: @escaping @Sendable (_ path: String) throws -> Void
  ) {
    dataFile?.acceptSuccessors(by: check)
  }

  /// Goes over to the file that has the name now, and returns its absolute path.
  ///
  /// - Throws: ``StorageError`` where no file can take the place of this one, and as readers and writers do.
  package func followedPath() throws(StorageError) -> String {
    guard let dataFile, dataFile.canBeExchanged else { throw .unknownForm }
    try dataFile.followIfReplaced()
    return dataFile.path
  }

  /// Writes the newest version to a new file without free pages, which takes the place of the present one.
  ///
  /// The new file is checked, synced, and then renamed: the store has the one or the other file, also when the process is
  /// killed or the power goes. Other processes go over to the new file by themselves, and transactions that read
  /// go on in the former one.
  ///
  /// The caller is the only writer of its process and keeps other processes from opening the file.
  ///
  /// - Parameters:
  ///   - progress: Is passed the part that is done, from 0 to 1; false ends the compaction.
  ///   - admit: Is passed the room that is needed; throws to end the compaction.
  ///   - claim: Is passed the path of the new file, before that is renamed: takes the locks that the process has.
  ///   - settle: Is called after the exchange.
  /// - Returns: Nil when `progress` ended it; nothing has changed then.
  /// - Throws: ``StorageError``, and the errors of `admit` and `claim`; nothing has changed unless `isLostFile`.
  package func compact(
    progress: (Double) -> Bool,
    admit: (CompactionNeed) throws -> Void,
    claim: (String) throws -> Void,
    settle: () -> Void
  ) throws -> Compaction? {
    guard let dataFile else { throw StorageError.unknownForm }
    return try dataFile.inTurn { () throws(StorageError) in
      Result {
        try replaceFile(dataFile, progress: progress, admit: admit, claim: claim, settle: settle)
      }
    }.get()
  }

  private func replaceFile(
    _ dataFile: DataFile,
    progress: (Double) -> Bool,
    admit: (CompactionNeed) throws -> Void,
    claim: (String) throws -> Void,
    settle: () -> Void
  ) throws -> Compaction? {
    let writing = try beginHandle(flags: 0)
    defer { abortHandle(writing) }
    try prepareFirstWrite()
    let image = try image()
    guard let head = image.newestHead(), head.version + 1 == UInt64(mdb_txn_id(writing)) else {
      throw damaged(0)
    }
    let path = dataFile.path
    try Self.removeLeftovers(of: path)
    let folder = path + Self.compactionEnd
    guard mkdir(folder, 0o700) == 0 else { throw StorageError(code: errno, call: "mkdir") }
    defer { try? Self.removeLeftovers(of: path) }
    let new = folder + "/" + Self.fileNames[0]
    guard let size = try write(image, head, to: new, of: path, progress, admit) else { return nil }
    try claim(new)
    let successor = try dataFile.successor(new)
    guard rename(new, path) == 0 else { throw StorageError(code: errno, call: "rename") }
    do {
      try dataFile.replace(by: successor)
      settle()
      // Before any commit: the disk must not go back to the former file after one.
      try dataFile.synchronizeName()
    } catch {
      synchronizeAgain()
      throw error
    }
    return Compaction(
      version: Int(head.version),
      sizeBefore: image.sizeInBytes,
      sizeAfter: size
    )
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
    // A writer would not notice that the file was replaced.
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
