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
    let records = entity.table.records
    var values = PropertyList<PropertyValue>()
    // Without an object: a program without synchronization has removed it, and left its versions.
    if let record = try committed.record(id: id) {
      let stored = try records.reader(record, id: id)
      if later.isEmpty || later[id] == nil { return stored }
      values = entity.values(of: stored)
    }
    for operation in later[id] ?? [] { values.follow(operation) }
    room = ByteRoom()
    try entity.record(of: values, id: id).withUnsafeBytes { room.append(raw: $0) }
    return try records.reader(room.bytes, id: id)
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
