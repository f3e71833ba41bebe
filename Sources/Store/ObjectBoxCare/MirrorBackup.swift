internal import ObjectBox
internal import ObjectBoxStorage

/// A backup of a store whose files a mirror keeps, in the mirror's form.
struct MirrorBackup {
  let store: Store
  let mirror: any StorageMirror

  /// Writes the backup; see ``Store/backup(to:verifies:progress:)``.
  func write(
    to directory: String,
    verifies: Bool,
    _ progress: @escaping (Double) -> Bool
  ) throws -> UInt64? {
    let (source, transactions) = (store.file.location, store.transactions)
    if transactions.openTransaction?.isWritable ?? false {
      throw ObjectBoxError.illegalState(
        message:
          "cannot back up the encrypted store at '\(source)' inside a write transaction; call backup(to:) "
          + "before or after it"
      )
    }
    let mode = store.file.options.fileMode
    let target = StoreDirectory(location: directory)
    try Backup.prepare(target, mode: mode)
    let share = verifies ? 0.8 : 0
    return try transactions.atNewestVersion(for: .backup, begin: mirror.beginCopy) {
      copy,
      image,
      head in
      do {
        // The pages of the copy are the same, and each is opened.
        if verifies {
          try Backup.verify(image, head, of: source) { progress($0 * share) }
        }
        let isDone = try StoreError.translating(directory) {
          try copy.write(to: target.path, mode: mode) { progress(share + $0 * (1 - share)) }
        }
        return isDone ? head.version : nil
      } catch is Backup.Ended {
        return nil
      }
    }
  }
}
