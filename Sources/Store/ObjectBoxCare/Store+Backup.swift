internal import Foundation
public import ObjectBox
internal import ObjectBoxStorage

extension Store {
  /// Writes the newest version of the store to a new directory, while the store stays in use.
  ///
  /// The backup is a store of its own, with the same permission bits. It is written under another
  /// name, checked as by ``verify(maximumFaultCount:progress:)``, and synced. The final name comes
  /// last: if it exists, the backup is complete and on disk. The version stays in the file until
  /// the backup ends (see `activeVersions`). Later commits continue, and are not in the backup. A
  /// store in memory can be backed up too.
  ///
  ///     let version = try store.backup(to: "notes-monday")
  ///
  /// - Parameters:
  ///   - directory: The directory of the backup, whose last component is created when missing. It
  ///     must not contain a `data.mdb`.
  ///   - verifies: False to skip the check, which takes longer than writing.
  ///   - progress: Gets the finished part, from 0 to 1, from time to time; false ends the backup,
  ///     and leaves nothing behind.
  /// - Returns: The number of the commit that the backup holds; nil when `progress` ended it.
  /// - Throws: `ObjectBoxError`: `closed`; `illegalArgument` when the directory already contains a
  ///   store; `fileCorrupt` when the store has a fault; `dbFull` when the disk has no room;
  ///   `storageGeneral` when the directory cannot be written. Nothing is left behind then.
  /// - Complexity: O(size of the file).
  @discardableResult
  public func backup(
    to directory: String,
    verifies: Bool = true,
    progress: @escaping (Double) -> Bool = { _ in true }
  ) throws -> UInt64? {
    let source = file.location
    if let mirror = transactions.mirror {
      return try MirrorBackup(store: self, mirror: mirror)
        .write(to: directory, verifies: verifies, progress)
    }
    return try PageSnapshot.withNewest(of: transactions, for: .backup) { image, head in
      try Backup(image: image, head: head, source: source, mode: file.options.fileMode)
        .write(to: directory, verifies: verifies, progress)
    }
  }

  /// Writes the newest version of a store file to a new directory, without a model; see
  /// ``backup(to:verifies:progress:)``.
  ///
  /// This or another process may have the store open.
  ///
  /// - Parameters:
  ///   - source: The directory of the store, with or without `data.mdb`.
  ///   - directory: The directory of the backup, whose last component is created when missing.
  ///   - verifies: False to skip the check.
  ///   - progress: Gets the finished part, from 0 to 1, from time to time; false ends the backup.
  /// - Returns: The number of the commit that the backup holds; nil when `progress` ended it.
  /// - Throws: As ``backup(to:verifies:progress:)``.
  @discardableResult
  public static func backup(
    _ source: String,
    to directory: String,
    verifies: Bool = true,
    progress: @escaping (Double) -> Bool = { _ in true }
  ) throws -> UInt64? {
    // The image of an open encrypted store is not encrypted.
    if let open = try? Store.attachTo(directory: PageSnapshot.location(source)) {
      defer { open.close() }
      if open.transactions.mirror != nil {
        return try open.backup(to: directory, verifies: verifies, progress: progress)
      }
    }
    return try PageSnapshot.withNewest(in: source, for: .backup) { image, head in
      guard let head else { throw Backup.damaged(source, "neither head page is sound") }
      return try Backup(image: image, head: head, source: source, mode: nil)
        .write(to: directory, verifies: verifies, progress)
    }
  }

  /// Writes the newest version of a store, which may be encrypted, to a new directory, without a
  /// model; see ``backup(to:verifies:progress:)``.
  ///
  /// The backup of an encrypted store is encrypted with the same key. The store is opened to read,
  /// unless this process has it open.
  ///
  /// - Parameters:
  ///   - source: The directory of the store and its encryption. Other options are not used.
  ///   - directory: The directory of the backup, whose last component is created when missing.
  ///   - verifies: False to skip the check; the pages of an encrypted store are decrypted even so.
  ///   - progress: Gets the finished part, from 0 to 1, from time to time; false ends the backup.
  /// - Returns: The number of the commit that the backup holds; nil when `progress` ended it.
  /// - Throws: As ``backup(to:verifies:progress:)``; for an encrypted store also `illegalState` when
  ///   another process has it open, `dbFull` when memory cannot hold it, and
  ///   `EncryptionError.wrongKey`.
  @discardableResult
  public static func backup(
    of source: Store.Configuration,
    to directory: String,
    verifies: Bool = true,
    progress: @escaping (Double) -> Bool = { _ in true }
  ) throws -> UInt64? {
    let isOpen = (try? Store.attachTo(directory: source.directory))?.close() != nil
    guard source.medium != nil, !isOpen else {
      return try backup(source.directory, to: directory, verifies: verifies, progress: progress)
    }
    var opening = Store.Configuration(directory: source.directory)
    opening.medium = source.medium
    opening.readOnly = true
    opening.fileMode = Backup.fileMode(source.directory + "/" + StoreDirectory.sealedHead)
    let store = try Store(existing: opening)
    defer { store.close() }
    return try store.backup(to: directory, verifies: verifies, progress: progress)
  }
}

/// A backup of a pinned version.
struct Backup {
  let image: StorageImage
  let head: StorageImage.Head
  let source: String
  /// The permission bits, for a file without a name; nil to read them from the file.
  let mode: UInt32?

  func write(
    to directory: String,
    verifies: Bool,
    _ progress: @escaping (Double) -> Bool
  ) throws -> UInt64? {
    let bits = fileMode
    let target = StoreDirectory(location: directory)
    try Self.prepare(target, mode: bits)
    let path = target.path + "/" + StorageEnvironment.fileNames[0]
    // The check takes about four times as long as writing.
    let share = verifies ? 0.2 : 1
    do {
      let isDone = try StoreError.translating(directory) {
        try image.copy(head, to: path, mode: bits, progress: { progress($0 * share) }) { copy in
          if verifies { try verify(copy) { progress(share + $0 * (1 - share)) } }
        }
      }
      return isDone ? head.version : nil
    } catch is Ended {
      return nil
    } catch let error as StorageError where error.isExisting {
      throw Self.isTaken(directory)
    }
  }

  /// Makes the directory of a backup; throws when it has a store.
  static func prepare(_ target: StoreDirectory, mode: UInt32) throws {
    guard !target.isInMemory else {
      throw ObjectBoxError.illegalArgument(
        message: "cannot write a store to '\(target.path)': use a path"
      )
    }
    _ = try target.prepare(fileMode: mode, isReadOnly: false)
    for name in [StorageEnvironment.fileNames[0], StoreDirectory.sealedHead]
    where access(target.path + "/" + name, F_OK) == 0 {
      throw isTaken(target.path)
    }
  }

  private static func isTaken(_ directory: String) -> ObjectBoxError {
    .illegalArgument(
      message:
        "cannot write a store to '\(directory)': there is a store already; use another directory, or remove it"
    )
  }

  struct Ended: Error {}

  private func verify(_ copy: String, _ progress: @escaping (Double) -> Bool) throws {
    let image = try StorageImage(path: copy)
    guard let head = image.newestHead() else {
      throw Self.damaged(source, "the copy has no head page")
    }
    try Self.verify(image, head, of: source, progress)
  }

  /// Checks a version that a backup has or will have.
  ///
  /// - Throws: ``Ended`` when `progress` ended it, and ``ObjectBoxError/fileCorrupt(message:)``.
  static func verify(
    _ image: StorageImage,
    _ head: StorageImage.Head,
    of source: String,
    _ progress: @escaping (Double) -> Bool
  ) throws {
    var isEnded = false
    let run = VerificationRun(maximumFaultCount: 1, quoting: .shown) { part in
      isEnded = !progress(part)
      return !isEnded
    }
    let report = try run.report(on: image, head)
    if isEnded { throw Ended() }
    if let fault = report.faults.first { throw damaged(source, fault.message) }
  }

  static func damaged(_ source: String, _ fault: String) -> ObjectBoxError {
    .fileCorrupt(
      message:
        "cannot back up the store at '\(source)': \(fault); check it with verify(), and restore it from an "
        + "earlier backup, or save what can be read with 'objectbox salvage'; no backup was written"
    )
  }

  /// The permission bits of the store's file.
  private var fileMode: UInt32 {
    mode ?? Self.fileMode(PageSnapshot.location(source) + "/" + StorageEnvironment.fileNames[0])
  }

  /// Returns the permission bits of a file; a private file's if there is none.
  static func fileMode(_ path: String) -> UInt32 {
    var status = stat()
    return stat(path, &status) == 0 ? UInt32(status.st_mode) & 0o777 : 0o600
  }
}
