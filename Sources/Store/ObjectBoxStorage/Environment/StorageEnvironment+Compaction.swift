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

  /// The version that a compaction copies, and the paths of both files.
  package struct CompactionSource {
    /// The current file.
    package let image: StorageImage
    /// The head page of the newest version, which does not change meanwhile.
    package let head: StorageImage.Head
    /// The absolute path of the current file.
    package let path: String
    /// The path of the new file, which does not exist; its folder does.
    ///
    /// With a replacement, it leads to an empty file in memory.
    package let newPath: String
    /// The new files of the mirror; nil for a file on a disk.
    package let replacement: (any StorageMirrorReplacement)?
  }

  /// Writes the new file of a compaction, checks it and waits for the disk.
  ///
  /// Returns the size of the new file in bytes; nil to end the compaction.
  package typealias CompactionWriter = (CompactionSource) throws -> Int?

  /// The absolute path of the data file, with links resolved.
  ///
  /// - Throws: ``StorageError`` with `isLostFile` when the environment is not open.
  package func pathToCompact() throws(StorageError) -> String {
    guard let dataFile else { throw .lostFile }
    return dataFile.path
  }

  /// Replaces the file by a new one that contains the newest version, without free pages.
  ///
  /// The new file is written, checked, synced, and then renamed: the store has one of the two files,
  /// even if the process is killed or power is lost. Then the environment is closed and reopened, in
  /// some milliseconds (``OpenEnvironment``). Open read transactions continue in the former file;
  /// new ones wait, and read the new file.
  ///
  /// The caller is the only writer of its process and keeps other processes from having the file
  /// open.
  ///
  /// - Parameters:
  ///   - write: Writes, checks and syncs the new file; throws or returns nil to end the compaction.
  ///   - claim: Gets the path of the new file before it is renamed; takes the process's locks on
  ///     it, or throws to end the compaction.
  ///   - settle: Called when the new file is open.
  /// - Returns: Nil when `write` ended it; nothing has changed then.
  /// - Throws: ``StorageError``, and the errors of `write` and `claim`. Nothing has changed, unless
  ///   the file was renamed and could not be opened; then the environment is not open.
  package func compact(
    write: CompactionWriter,
    claim: (String) throws -> Void,
    settle: () -> Void
  ) throws -> Compaction? {
    guard let dataFile else { throw StorageError.lostFile }
    let path = dataFile.path
    try Self.removeLeftovers(of: path)
    defer { try? Self.removeLeftovers(of: path) }
    let result: Compaction? = try atNewestVersion { image, head in
      let folder = path + Self.compactionEnd
      guard mkdir(folder, 0o700) == 0 else { throw StorageError(code: errno, call: "mkdir") }
      let new = folder + "/" + Self.fileNames[0]
      let source = CompactionSource(
        image: image,
        head: head,
        path: path,
        newPath: new,
        replacement: nil
      )
      guard let size = try write(source) else { return nil }
      try claim(new)
      guard rename(new, path) == 0 else { throw StorageError(code: errno, call: "rename") }
      dataFile.noteNewName()
      return source.result(size: size)
    }
    guard let result else { return nil }
    do {
      try openNewFile(dataFile, in: Self.folder(of: path))
      settle()
      // Before any commit: after a commit, the disk must not return to the former file.
      try dataFile.synchronizeName()
    } catch {
      synchronizeAgain()
      throw error
    }
    return result
  }

  /// Replaces a file in memory and the files of its mirror by compact ones, as
  /// ``compact(write:claim:settle:)`` replaces a file on a disk.
  ///
  /// - Parameters:
  ///   - mirror: The mirror.
  ///   - write: Writes and checks the new file in memory, and has the replacement write it.
  /// - Returns: The sizes of the files in memory; nil when `write` ended the compaction.
  /// - Throws: ``StorageError``, and the errors of `write`. Nothing has changed, unless the new file
  ///   could not be opened; then the environment is not open.
  package func compact(
    _ mirror: any StorageMirror,
    write: CompactionWriter
  ) throws -> Compaction? {
    guard let dataFile else { throw StorageError.lostFile }
    try opened.mirrored?.checkUsable()
    let replacement = try mirror.beginReplacement()
    defer { replacement.end() }
    let result: Compaction? = try atNewestVersion { image, head in
      let source = CompactionSource(
        image: image,
        head: head,
        path: dataFile.path,
        newPath: replacement.folder + "/" + Self.fileNames[0],
        replacement: replacement
      )
      return try write(source).map(source.result)
    }
    guard let result else { return nil }
    try openNewFile(dataFile, in: replacement.folder)
    return result
  }

  /// Passes the newest version to a body; no transaction of LMDB writes meanwhile.
  private func atNewestVersion<T>(
    _ body: (StorageImage, StorageImage.Head) throws -> T
  ) throws -> T {
    let writing = try beginWriteLMDB()
    defer { abortWriteLMDB(writing) }
    try prepareFirstWrite()
    let image = try image()
    guard let head = image.newestHead(), head.version + 1 == UInt64(mdb_txn_id(writing)) else {
      throw StorageError.damaged(0)
    }
    return try body(image, head)
  }

  private func openNewFile(_ dataFile: DataFile, in directory: String) throws(StorageError) {
    var options = options
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

  /// Returns the absolute path of a file, with links resolved; the path itself if the file does not
  /// exist.
  static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Returns the folder of a file.
  package static func folder(of path: String) -> String {
    String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
  }

  /// Completes the compaction of a killed process: syncs the file's present name and removes the remains.
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
    guard access(folder, F_OK) == 0 else { return }
    try synchronize(Self.folder(of: path))
    unlink(folder + "/" + fileNames[0])
    rmdir(folder)
  }
}

extension StorageEnvironment.CompactionSource {
  /// Makes the result for a new file.
  fileprivate func result(size: Int) -> StorageEnvironment.Compaction {
    StorageEnvironment.Compaction(
      version: Int(head.version),
      sizeBefore: image.sizeInBytes,
      sizeAfter: size
    )
  }
}
