internal import CObjectBoxLMDB
internal import Synchronization

/// Makes the commits of an environment durable when its file is in memory.
///
/// The environment calls it under the process's write lock: one thread at a time. No other process uses the
/// file.
package protocol StorageMirror: AnyObject, Sendable {
  /// The number of the newest commit on the disk.
  var durableVersion: Int { get }
  /// Description of damage that was found at opening but does not prevent it; nil for none.
  var damage: String? { get }
  /// Whether messages of errors may quote stored values.
  var showsValuesInErrors: Bool { get }

  /// Called after LMDB or a page reader has mapped the file.
  func didMap()

  /// Takes all room that a commit needs, in memory and on the disk, before the commit begins.
  ///
  /// - Parameter pageCount: The number of pages that the file will have.
  /// - Throws: ``StorageError`` with a `reason` when there is too little; the caller then undoes
  ///   the transaction.
  func reserve(pageCount: Int) throws(StorageError)

  /// Writes the next version, and waits for the disk.
  ///
  /// No reader has seen the version. The pages of the version before are unchanged.
  ///
  /// - Throws: ``StorageError``. The environment then refuses writes until it is opened again.
  func write(_ version: PageVersion) throws(StorageError)

  /// Begins a copy of the files at the newest version.
  ///
  /// The caller pins the version until the copy is written.
  func beginCopy() -> any StorageMirrorCopy

  /// Begins to replace the file in memory and the files on the disk by a compact copy.
  ///
  /// The caller holds the write lock until it ends the replacement.
  ///
  /// - Throws: ``StorageError`` with the system's error number, or with a `reason` when memory and
  ///   disk may differ.
  func beginReplacement() throws(StorageError) -> any StorageMirrorReplacement

  /// Releases the files; called once, after the environment was closed.
  func close()
}

/// A copy of a mirror's files at one version.
package protocol StorageMirrorCopy: Sendable {
  /// Writes the files to a directory, and waits for the disk; complete or not at all.
  ///
  /// Any thread may call it while others commit.
  ///
  /// - Parameters:
  ///   - directory: An existing directory without a store.
  ///   - mode: The permission bits of the files.
  ///   - progress: Gets the written part, from 0 to 1; false ends the copy.
  /// - Returns: False when `progress` ended it; nothing is left behind then.
  /// - Throws: ``StorageError``; nothing is left behind then.
  func write(to directory: String, mode: UInt32, _ progress: (Double) -> Bool) throws(StorageError)
    -> Bool
}

/// New files for a mirror's newest version, in memory and on the disk.
///
/// One thread uses it, the holder of the process's write lock.
package protocol StorageMirrorReplacement: AnyObject {
  /// A folder whose `data.mdb` leads to a new, empty file in memory.
  var folder: String { get }

  /// Takes the room that the new files need, in memory and on the disk.
  ///
  /// - Parameter pageCount: The number of pages that the file in memory will have.
  /// - Throws: ``StorageError`` with a `reason` when there is too little.
  func reserve(pageCount: Int) throws(StorageError)

  /// Called after the file in memory was mapped.
  func didMap()

  /// Writes the file in memory to the disk, waits for the disk, and replaces the mirror's files, which have the
  /// same version.
  ///
  /// The mirror has its former files until this returns true, and the new ones from then on; the
  /// caller then opens the file of the folder. Whenever the process ends, the disk has one of the
  /// two.
  ///
  /// - Parameters:
  ///   - version: The pages of the file in memory.
  ///   - progress: Gets the written part, from 0 to 1; false ends the work.
  /// - Returns: False when `progress` ended it.
  /// - Throws: ``StorageError``; the mirror then keeps its former files.
  func write(_ version: PageVersion, _ progress: (Double) -> Bool) throws(StorageError) -> Bool

  /// Removes the folder, and new files that were not put in place.
  func end()
}

/// The commits of an environment with a mirror.
///
/// LMDB publishes a commit before the mirror has written it. Until then readers get the previous version,
/// without waiting. That version stays whole: a commit never reuses pages that the previous commit freed,
/// whatever a reader's slot pins, and only the second commit after a version overwrites its head page. See
/// ``visible(_:)``.
final class MirroredCommits: Sendable {
  let mirror: any StorageMirror
  /// The newest version that readers see.
  private let durable: Atomic<Int>
  /// True after a version could not be written.
  private let hasFailed = Atomic<Bool>(false)

  init(_ mirror: any StorageMirror) {
    self.mirror = mirror
    durable = Atomic(mirror.durableVersion)
  }

  /// Returns the version to read for a reader slot that pins a version.
  ///
  /// At most one version is not durable yet, so the result is the pinned version or the one
  /// before.
  func visible(_ pinned: Int) -> Int { min(pinned, durable.load(ordering: .acquiring)) }

  /// Throws ``StorageError`` with `isHeadUnwritten` after a version could not be written.
  func checkUsable() throws(StorageError) {
    if hasFailed.load(ordering: .relaxed) { throw .notMirrored }
  }

  /// Commits a transaction of LMDB without a parent, and has the mirror write the new version.
  ///
  /// - Parameters:
  ///   - transaction: The transaction, which ends.
  ///   - pageCount: The number of pages that the file will have.
  ///   - file: The file in memory.
  ///   - commit: Ends LMDB's transaction.
  /// - Throws: ``StorageError``. Nothing was committed, or writes are refused from now on.
  func commit(
    _ transaction: OpaquePointer,
    pageCount: Int,
    in file: DataFile,
    by commit: () throws(StorageError) -> Void
  ) throws(StorageError) {
    do throws(StorageError) {
      try checkUsable()
      try mirror.reserve(pageCount: pageCount)
    } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    let version = mdb_txn_id(transaction)
    try commit()
    do throws(StorageError) {
      // An empty transaction makes no version.
      guard let pages = try file.version(version) else { return }
      try mirror.write(pages)
    } catch {
      hasFailed.store(true, ordering: .relaxed)
      throw error
    }
    durable.store(version, ordering: .releasing)
  }
}

extension DataFile {
  /// Returns the pages of the newest version; nil if it has another number.
  ///
  /// The caller holds the write lock.
  fileprivate func version(_ number: Int) throws(StorageError) -> PageVersion? {
    while true {
      let map = map
      switch try map.find(number) {
      case .found(let pages, _): return pages
      case .outgrown: try enlarge(map)
      case .outdated: return nil
      case .overwritten: throw .damaged(UInt64(number & 1))
      }
    }
  }
}

extension StorageError {
  /// The error of writes after a version could not be written.
  static let notMirrored = unwritten(
    call: "mdb_txn_begin",
    reason:
      "an earlier commit could not be written to the disk, and may or may not last; close the store and open it again"
  )

  /// Makes the error of a commit that may or may not last.
  package static func unwritten(call: String, reason: String) -> StorageError {
    StorageError(code: MDB_PANIC, call: call, reason: reason)
  }

  /// Makes the error of a commit without enough room.
  package static func noRoom(call: String, reason: String) -> StorageError {
    StorageError(code: objectbox_no_space_on_device, call: call, reason: reason)
  }
}
