internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// The inserts of a program's transaction in the form of ``StoredOperations``: the targets of to-one relations come
/// before their sources.
struct WrittenInserts {
  var parts: WrittenParts
  /// The relations that are empty until their targets are inserted.
  var completions = WrittenParts()
  /// True if relations may stay empty: the insert beats their completion, which has the same time.
  private(set) var needForecast = false
  private let objects: WrittenObjects
  private let device: StoredDevice

  /// Writes the inserts.
  ///
  /// - Parameters:
  ///   - objects: The objects of the transaction.
  ///   - versions: The versions of the inserted objects.
  ///   - token: The random identity of the transaction.
  ///   - targets: The targets of relations.
  ///   - device: The state in the transaction.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read, and for IDs that the server's database cannot have.
  init(
    _ objects: WrittenObjects,
    _ versions: Row,
    _ token: TransactionToken,
    _ targets: inout WrittenTargets,
    _ device: StoredDevice
  ) throws {
    self.objects = objects
    self.device = device
    let size = objects.parts.reduce(0) { size, part in
      let count = part.inserted.reduce(0) { $0 + $1.count }
      return count == 0 ? size : size + 32 + (count + 1) * (2 + part.entity.columns.count * 10)
    }
    parts = WrittenParts(capacity: size)
    try checkIDs()
    guard let order = try order() else {
      let room = parts.room
      try forEachRecord { key, entity, record in
        _ = begin(key, entity)
        for column in entity.columns { try targets.write(column, of: record, to: room) }
      }
      return
    }
    let missing = Dictionary(
      uniqueKeysWithValues: order.completions.map { ($0.key, $0.properties) }
    )
    try forEachRecord(in: order.keys) { key, entity, record in
      let (room, empty) = (begin(key, entity), missing[key] ?? [])
      for column in entity.columns {
        if empty.contains(column.uid) {
          room.append(.null)
        } else {
          try targets.write(column, of: record, to: room)
        }
      }
    }
    let made = VersionsGroup(versions, token)
    try forEachRecord(in: order.completions.map(\.key)) { key, entity, record in
      let columns = entity.columns.indices.filter { index in
        missing[key]?.contains(entity.columns[index].uid) ?? false
      }
      if device.model.rules[key.entity]?.mode != .arrival { needForecast = true }
      let room = completions.begin(key, .updates, entity, columns, made)
      for index in columns { try targets.write(entity.columns[index], of: record, to: room) }
    }
  }

  private mutating func begin(_ key: ObjectKey, _ entity: SyncedEntity) -> ByteRoom {
    let isEarlier = !objects.earlier.isEmpty && objects.earlier.contains(key)
    let origin = isEarlier ? .assigned : entity.origin(of: key.id)
    return parts.begin(key, StoredOperations.Kind(origin), entity, entity.columnIndexes)
  }

  // MARK: Order

  /// Returns an order of the objects; nil if the order of their keys will do.
  private func order() throws -> InsertOrder? {
    let inserted = Set(objects.parts.filter { !$0.inserted.isEmpty }.map(\.entity.uid))
    guard
      objects.parts.contains(where: { $0.entity.toOnes.contains { inserted.contains($0.target) } })
    else { return nil }
    var relations: [ObjectKey: PropertyList<PropertyValue>] = [:]
    var isOrdered = true
    try forEachRecord { key, entity, record in
      var targets = PropertyList<PropertyValue>()
      for column in entity.columns {
        guard let target = column.target, let id = column.column.target(in: record) else {
          continue
        }
        let targetKey = ObjectKey(entity: target, id: id)
        guard objects.inserts(targetKey) else { continue }
        targets[column.uid] = .integer(Int64(bitPattern: id))
        if targetKey >= key { isOrdered = false }
      }
      relations[key] = targets
    }
    return isOrdered ? nil : InsertOrder(relations, device.model)
  }

  /// Calls a body with the objects by ascending keys.
  private func forEachRecord(
    _ body: (ObjectKey, SyncedEntity, RecordReader) throws -> Void
  ) throws {
    for part in objects.parts where !part.inserted.isEmpty {
      let (entity, records) = (part.entity, part.entity.table.records)
      var stored = try AscendingRecords(records.objects, in: device.storage)
      for ids in part.inserted {
        for id in ids {
          guard let record = try stored.record(id: id) else { continue }
          let key = ObjectKey(entity: entity.uid, id: id)
          try body(key, entity, records.reader(record, id: id))
        }
      }
    }
  }

  /// Calls a body with objects in any order.
  private func forEachRecord(
    in keys: [ObjectKey],
    _ body: (ObjectKey, SyncedEntity, RecordReader) throws -> Void
  ) throws {
    for key in keys {
      guard let entity = device.model[key.entity],
        let record = try entity.table.record(key.id, in: device.storage)
      else { continue }
      try body(key, entity, record)
    }
  }

  /// Throws for an ID that the server's database cannot have.
  private func checkIDs() throws {
    for part in objects.parts {
      guard let last = part.inserted.last?.upperBound, last > UInt64(Int64.max) else { continue }
      throw ObjectBoxError.illegalArgument(
        message: "cannot put '\(part.entity.table.name)' with ID \(last): the greatest ID of a "
          + "synchronized object is \(Int64.max); choose a smaller one"
      )
    }
  }
}
