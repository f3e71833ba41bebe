internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol

/// The objects of an entity as they were before a program's transaction, by ascending IDs.
struct FormerRecords {
  private let entity: SyncedEntity
  private var committed: AscendingRecords
  /// Operations behind the newest commit, by the ID of their object.
  private let later: [UInt64: [Operation]]
  /// The bytes of a record that the newest commit lacks.
  private var room = ByteRoom()

  /// - Parameters:
  ///   - entity: The entity.
  ///   - members: The transactions that are waiting since the newest commit, in order: members of a group share one.
  ///   - storage: The newest commit.
  /// - Throws: ``ObjectBoxError`` when the table cannot be read.
  init(
    _ entity: SyncedEntity,
    after members: [SyncTransaction],
    in storage: StorageTransaction
  ) throws {
    self.entity = entity
    committed = try AscendingRecords(entity.table.records.objects, in: storage)
    let operations = members.flatMap(\.operations).filter { $0.key.entity == entity.uid }
    later = Dictionary(grouping: operations, by: \.key.id)
  }

  /// Returns a record, valid until the next call.
  ///
  /// - Parameter id: An ID above that of the call before.
  /// - Returns: A reader of the record.
  /// - Throws: ``ObjectBoxError`` when the table cannot be read.
  mutating func reader(id: UInt64) throws -> RecordReader {
    // Without an object: a program without synchronization has removed it, and left its versions.
    guard let record = try committed.record(id: id) else { return try changedReader(nil, id) }
    let stored = try entity.table.records.reader(record, id: id)
    return later.isEmpty || later[id] == nil ? stored : try changedReader(stored, id)
  }

  /// Returns the record of an object that is not in the newest commit, or that later transactions have changed.
  private mutating func changedReader(
    _ stored: RecordReader?,
    _ id: UInt64
  ) throws -> RecordReader {
    var values = stored.map(entity.values) ?? PropertyList()
    for operation in later[id] ?? [] { values.follow(operation) }
    room = ByteRoom()
    try entity.record(of: values, id: id).withUnsafeBytes { room.append(raw: $0) }
    return try entity.table.records.reader(room.bytes, id: id)
  }
}

extension PropertyList<PropertyValue> {
  /// Changes the values of an object as an operation has changed them; targets become IDs.
  fileprivate mutating func follow(_ operation: Operation) {
    switch operation {
    case .insert(_, let values, _), .update(_, let values, _):
      for element in values.elements {
        if case .target(let target) = element.value {
          self[element.property] = .integer(Int64(bitPattern: target.key.id))
        } else {
          self[element.property] = element.value
        }
      }
    case .increment(_, let property, let difference):
      self[property] = .integer((self[property]?.integerValue ?? 0) &+ difference)
    case .delete, .addPair, .removePair: break
    }
  }
}
