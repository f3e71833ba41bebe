internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// The bases of objects that a program's transaction updates; objects with equal versions share rows.
struct UpdatedBases {
  /// The greatest size of a row in bytes, not counting its last object.
  ///
  /// A search for one base reads the whole row.
  private static let runSize = 16_384

  /// A row of the table.
  private struct NewRow {
    let key: SyncKey
    /// The part of `room` with the value.
    let bytes: Range<Int>
  }

  /// An open row, to which bases are added.
  private struct Run {
    let entity: EntityUID
    let group: ObjectUpdates.Group
    let start: Int
    var last: UInt64
  }

  private let device: StoredDevice
  /// A cursor on bases in separate rows, which moves on with the objects.
  private let cursor: StorageCursor
  private let room = ByteRoom(capacity: 512)
  private var rows: [NewRow] = []
  private var run: Run?
  /// The IDs of the present entity that are known to have a base or none.
  private var taken: Range<UInt64> = 0..<0
  private var free: Range<UInt64> = 0..<0
  /// True if the IDs of `free` are between the IDs of a row.
  private var isFreeWithinRow = false

  /// - Parameter device: The state in the transaction.
  /// - Throws: ``ObjectBoxError`` when the table cannot be read.
  init(_ device: StoredDevice) throws {
    self.device = device
    cursor = try device.table.cursor(in: device.storage)
  }

  /// Adds the base of an object, unless it has one.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - columns: Its columns.
  ///   - record: The object before the transaction.
  ///   - key: The object; IDs of an entity must be in ascending order.
  ///   - group: The versions before the transaction.
  /// - Throws: ``ObjectBoxError`` when the table cannot be read.
  mutating func add(
    _ entity: SyncedEntity,
    _ columns: [SyncedColumn],
    _ record: RecordReader,
    _ key: ObjectKey,
    _ group: ObjectUpdates.Group
  ) throws {
    if try hasBase(key) { return }
    if isFreeWithinRow { return addAlone(entity, record, key, group.versions) }
    var last: UInt64 = 0
    if let run, run.group === group, room.count - run.start < Self.runSize {
      last = run.last
    } else {
      endRun()
      run = Run(entity: key.entity, group: group, start: room.count, last: key.id)
      room.append(key.id)
      room.append { writer in
        writer.append(group.versions)
        writer.append(columns.map(\.uid))
      }
    }
    room.append(key.id - last)
    run?.last = key.id
    for column in columns { room.append(column.column.content(in: record)) }
  }

  /// Finishes the objects of an entity.
  mutating func endEntity() {
    endRun()
    (free, taken) = (0..<0, 0..<0)
  }

  private mutating func endRun() {
    guard let run else { return }
    room.append(byte: 0)
    let key = SyncKey(.bases, run.entity.value, run.last)
    rows.append(NewRow(key: key, bytes: run.start..<room.count))
    self.run = nil
  }

  private mutating func addAlone(
    _ entity: SyncedEntity,
    _ record: RecordReader,
    _ key: ObjectKey,
    _ versions: Row
  ) {
    endRun()
    let start = room.count
    var row = versions
    row.values = entity.values(of: record)
    room.append { $0.append(BaseRow.row(row)) }
    rows.append(NewRow(key: SyncKey(.base, key), bytes: start..<room.count))
  }

  // MARK: Searches

  /// Returns true if an object has a base.
  private mutating func hasBase(_ key: ObjectKey) throws -> Bool {
    if free.contains(key.id) { return false }
    if taken.contains(key.id) { return true }
    return try search(key)
  }

  private mutating func search(_ key: ObjectKey) throws -> Bool {
    endRun()
    (free, taken) = (0..<0, 0..<0)
    let blocks = device.absentBases.filter { $0.entity == key.entity }.map(\.ids)
    if let block = blocks.first(where: { $0.contains(key.id) }) {
      taken = block
      return true
    }
    let known = try device.bases(around: key)
    if known.run?.row(id: key.id) != nil { return true }
    let next = try SyncTable.first(.base, from: key, cursor)?.key.object().id ?? .max
    if next == key.id { return true }
    isFreeWithinRow = known.run != nil
    if isFreeWithinRow {
      free = key.id..<key.id + 1
    } else {
      let block = blocks.map(\.lowerBound).filter { $0 > key.id }.min() ?? .max
      let end = known.ids.upperBound
      free = key.id..<min(next, block, end < .max ? end + 1 : end)
    }
    return false
  }

  // MARK: Writing

  /// Stores the bases.
  ///
  /// - Throws: ``ObjectBoxError`` when the file cannot be written.
  func store() throws {
    let cursor = device.table.writeCursor(in: device.storage)
    for row in rows {
      try row.key.bytes.withUnsafeBytes {
        try cursor.put(key: $0, value: UnsafeRawBufferPointer(rebasing: room.bytes[row.bytes]))
      }
    }
    device.knownBases = nil
  }
}
