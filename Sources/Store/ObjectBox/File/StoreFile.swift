internal import ObjectBoxStorage

/// An open store file: its environment, schema, tables and process locks.
package final class StoreFile: Sendable {
  package let options: Options
  let environment: StorageEnvironment
  /// Whether messages may quote stored values.
  package var quoting: ValueQuoting { ValueQuoting(of: environment) }
  /// False for a store in memory whose commits do not wait for a disk.
  let isDurable: Bool
  /// Number of reader slots for threads.
  let maximumReaderCount: Int
  /// Maximum number of pinned versions, which leaves enough reader slots to threads.
  let maximumPinnedVersionCount: Int
  package let schema: StoreSchema
  package let tables: [EntityTable]
  package let system: SystemTable?
  /// Elements of former models that the file keeps.
  let retired: Guarded<RetiredSchema>
  /// Derived indexes of earlier write transactions, for the next write transaction, by their IDs.
  ///
  /// Invariant: each index equals its tables. A transaction that changes a table takes the index out
  /// first, and returns it after the commit, while it still holds the write lock. Always empty if
  /// other processes may commit.
  let keptIndexes = Guarded<[UInt32: any DerivedIndex]>([:])
  /// The elements of `tables` by entity ID, for IDs below `smallIDCount`; unretained, since
  /// `tables` keeps them.
  private let tableByID: [Unmanaged<EntityTable>?]
  private static let smallIDCount: UInt32 = 1024
  private let relationByID: [UInt32: RelationTable]
  package let locks: ProcessLocks?
  /// The limit of the file in bytes, as the program set it.
  private let limit: Guarded<Int>
  /// Describes the holder of a version in this process, for messages; nil if there is none.
  let describeHolder = Guarded<(@Sendable (Int) -> String?)?>(nil)
  /// The damage that opening found and went back from, in words; nil if there was none.
  let damage: String?
  private let onClose: @Sendable () -> Void

  init(
    options: Options,
    environment: StorageEnvironment,
    content: StoreContent,
    locks: ProcessLocks?,
    damage: String?,
    onClose: @escaping @Sendable () -> Void
  ) throws {
    self.options = options
    limit = Guarded(options.maximumSizeInBytes)
    self.damage = damage
    self.environment = environment
    self.locks = locks
    self.onClose = onClose
    isDurable = !options.location.hasPrefix(StoreDirectory.inMemoryPrefix)
    maximumReaderCount = options.maximumReaderCount
    maximumPinnedVersionCount = max(
      1,
      try environment.information().maximumReaderCount - options.keptReaderCount
    )
    system = content.system
    schema = content.schema
    tables = content.tables
    retired = Guarded(content.retired)
    tableByID = Self.tableReferences(content.tables)
    relationByID = content.relations.byKey(\.schema.identity.id)
  }

  private static func tableReferences(_ tables: [EntityTable]) -> [Unmanaged<EntityTable>?] {
    let known = tables.filter { $0.schema.identity.id < smallIDCount }
    let count = known.map { Int($0.schema.identity.id) + 1 }.max() ?? 0
    var references = [Unmanaged<EntityTable>?](repeating: nil, count: count)
    for table in known.reversed() {
      references[Int(table.schema.identity.id)] = .passUnretained(table)
    }
    return references
  }

  /// The directory as the first opener gave it, for messages.
  package var location: String { options.location }
  package var isReadOnly: Bool { options.isReadOnly }
  /// True if commits refuse new relations to missing objects.
  var refusesDanglingRelations: Bool { options.refusesDanglingRelations }
  /// True when other processes may commit.
  var isShared: Bool { options.isShared }

  /// The table of an entity; nil when the model lacks it.
  package func table(entity: UInt32) -> EntityTable? {
    tableReference(entity: entity)?.takeUnretainedValue()
  }

  /// The table of an entity, unretained: the file keeps it; nil when the model lacks it.
  package func tableReference(entity: UInt32) -> Unmanaged<EntityTable>? {
    // Entity IDs are small, so nearly all tables are found without hashing. This earns 5 % of the row
    // 'read a property in a snapshot, 1 thread'.
    if entity < tableByID.count { return tableByID[Int(entity)] }
    return tables.first { $0.schema.identity.id == entity }.map(Unmanaged.passUnretained)
  }

  /// A standalone relation; nil when the model lacks it.
  package func relation(id: UInt32) -> RelationTable? { relationByID[id] }

  /// Returns the number of the newest commit.
  package func newestVersion() throws -> Int {
    try translating { try environment.information().lastCommit }
  }

  /// Closes the environment, releases the process locks and admits the next opener.
  ///
  /// No transaction may be open, and none may begin.
  func close() {
    let mirror = environment.mirror
    environment.close()
    mirror?.close()
    locks?.release()
    onClose()
  }

  // MARK: Size

  /// The size in bytes to which puts may grow the file; at least the size of an empty store.
  var maximumSize: Int {
    get { limit.copy }
    set {
      limit.withLock { limit in
        limit = max(newValue, Options.minimumSizeInBytes)
        environment.setLimit(inBytes: limit)
      }
    }
  }

  /// The use of the file, for the error of a write without enough room.
  private var room: StoreRoom {
    var room = StoreRoom(location: location, limit: limit.copy)
    guard let use = try? environment.roomInFile() else {
      room.disk = environment.availableDiskBytes
      return room
    }
    room.size = use.pages * use.pageSizeInBytes
    room.free = use.freePages * use.pageSizeInBytes
    room.waiting = use.waitingPages * use.pageSizeInBytes
    room.disk = use.diskBytes
    if let reader = use.holder, let version = reader.version {
      let holder =
        reader.isOwn
        ? describeHolder.copy?(version)
          ?? "thread \(String(reader.thread, radix: 16)) of this process reads"
        : "process \(reader.process) reads"
      room.held = "version \(version), which \(holder)"
    }
    return room
  }

  // MARK: Sequences

  /// Stores the ID sequence of an entity, so that the IDs of removed objects are not reused.
  func keepSequence(of table: EntityTable, in storage: StorageTransaction) throws {
    guard let system else { return }
    let entity = table.schema.identity.id
    if try system.sequence(entity: entity, in: storage) < table.highestID {
      try system.setSequence(table.highestID, entity: entity, in: storage)
    }
  }

  /// Raises the ID sequence of an entity above the IDs that a transaction can see.
  ///
  /// - Parameters:
  ///   - table: The entity.
  ///   - cursor: A cursor of the transaction on the entity's records, which this call moves; nil to
  ///     open one.
  ///   - storage: The transaction.
  /// - Throws: Errors of reading the tables.
  func catchUp(
    _ table: EntityTable,
    _ cursor: StorageCursor? = nil,
    in storage: StorageTransaction
  ) throws {
    let cursor = try cursor ?? storage.cursor(table.records.objects)
    table.raise(to: try cursor.lastObject()?.id ?? 0)
    if let system {
      table.raise(to: try system.sequence(entity: table.schema.identity.id, in: storage))
    }
  }

  // MARK: Errors

  /// Converts an error for users, with the location and the use of the file.
  func shown(_ error: any Error) -> any Error {
    StoreError.shown(error, location: location, room: { self.room })
  }

  /// Runs a body and converts its errors as `shown` does.
  package func translating<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch { throw shown(error) }
  }
}

extension StoreFile {
  /// Replaces the file by a compact copy.
  ///
  /// The caller holds the write lock of the process, and keeps the file open.
  ///
  /// - Parameter write: Writes the compact copy; throws or returns nil to stop the compaction.
  /// - Returns: A report; nil if `write` stopped the compaction, and for a store in memory.
  /// - Throws: ``ObjectBoxError`` with the reason why the file stays as it is.
  func compact(
    write: StorageEnvironment.CompactionWriter
  ) throws -> CompactionReport? {
    let result: StorageEnvironment.Compaction? = try translating {
      if let mirror = environment.mirror { return try environment.compact(mirror, write: write) }
      return try locks.flatMap { try replaceAlone($0, write: write) }
    }
    return result.map {
      CompactionReport(
        version: UInt64($0.version),
        bytesBefore: $0.sizeBefore,
        bytesAfter: $0.sizeAfter
      )
    }
  }

  private func replaceAlone(
    _ locks: ProcessLocks,
    write: StorageEnvironment.CompactionWriter
  ) throws -> StorageEnvironment.Compaction? {
    // No process can open the store from here on, so looking once for processes that have it open
    // is enough. Programs that use LMDB without this library ignore the locks. They are looked
    // for again before the rename.
    try locks.excludingOpeners(try environment.pathToCompact()) {
      guard
        let result = try locks.alone({
          try checkIsAlone()
          return try replace(locks, write: write)
        })
      else { throw StoreError.cannotCompact(location, openIn: environment.otherHolder) }
      return result
    }
  }

  private func replace(
    _ locks: ProcessLocks,
    write: StorageEnvironment.CompactionWriter
  ) throws -> StorageEnvironment.Compaction? {
    var claimed: FileLock?
    // Lets processes open the new file that wait for it.
    defer { locks.endOpening() }
    return try environment.compact(
      write: write,
      claim: {
        claimed = try locks.claim($0)
        try checkIsAlone()
      },
      settle: { if let claimed { locks.move(to: claimed) } }
    )
  }

  private func checkIsAlone() throws {
    if let holder = environment.otherHolder {
      throw StoreError.cannotCompact(location, openIn: holder)
    }
  }
}
