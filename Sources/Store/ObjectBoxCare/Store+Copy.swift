internal import Foundation
public import ObjectBox
internal import ObjectBoxStorage

extension Store {
  /// Writes the newest version of the store to a new store, which may be encrypted when this one is
  /// not, or the other way round, or with another key.
  ///
  /// Pages are copied as they are: objects, IDs, relations, the schema with its UIDs, data of
  /// earlier models and the number of the version stay. An encrypted copy gets a data key of its
  /// own. Otherwise it is written as ``backup(to:verifies:progress:)`` writes a backup, while this
  /// store stays in use.
  ///
  /// ```text
  /// var target = Store.Configuration(directory: "notes-encrypted")
  /// target.encryption = .passphrase("correct horse battery staple")  // import ObjectBoxEncryption
  /// try store.copy(to: target)
  /// ```
  ///
  /// - Parameters:
  ///   - target: The directory of the new store, whose last component is created when missing, and
  ///     its encryption; without encryption the copy is not encrypted. Other options are not used:
  ///     the permission bits equal this store's.
  ///   - verifies: False to skip the check of the version, which takes longer than writing.
  ///   - progress: Gets the finished part, from 0 to 1, from time to time; false ends the copy, and
  ///     leaves no store behind.
  /// - Returns: The number of the commit that the copy holds; nil when `progress` ended it.
  /// - Throws: `ObjectBoxError`: `closed`; `illegalArgument` when the directory already contains a
  ///   store, or for a key that no store can have; `fileCorrupt` when the store has a fault;
  ///   `dbFull` when the disk has no room; `storageGeneral` when the directory cannot be written;
  ///   `featureNotAvailable` for an encrypted copy where encryption is missing. No store is left
  ///   behind then.
  /// - Complexity: O(size of the file).
  @discardableResult
  public func copy(
    to target: Store.Configuration,
    verifies: Bool = true,
    progress: @escaping (Double) -> Bool = { _ in true }
  ) throws -> UInt64? {
    let (source, mode) = (file.location, file.options.fileMode)
    return try PageSnapshot.withNewest(of: transactions, for: .backup) { image, head in
      guard let medium = target.medium else {
        return try Backup(image: image, head: head, source: source, mode: mode)
          .write(to: target.directory, verifies: verifies, progress)
      }
      let directory = StoreDirectory(location: target.directory)
      try Backup.prepare(directory, mode: mode)
      let share = verifies ? 0.8 : 0
      do {
        if verifies { try Backup.verify(image, head, of: source) { progress($0 * share) } }
      } catch is Backup.Ended {
        return nil
      }
      let opening = StoreOpening(
        path: directory.path,
        location: target.directory,
        isReadOnly: false,
        isCreating: true,
        fileMode: mode
      )
      let isDone = try medium.write(try image.version(head), to: opening) {
        progress(share + $0 * (1 - share))
      }
      return isDone ? head.version : nil
    }
  }
}
