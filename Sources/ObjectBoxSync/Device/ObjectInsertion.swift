internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// Writes objects of one entity that the store does not have, as they come.
///
/// For IDs in ascending order nothing is read for each object, and nothing is kept in memory but what
/// relations need. It has open cursors: it must be released before its transaction ends.
final class ObjectInsertion {
  /// A property of records.
  private struct Field {
    let uid: PropertyUID
    let slot: UInt16
    let form: PropertySchema.SyncForm
    let isFloat: Bool
    let isTarget: Bool
    /// The place among the entity's properties.
    let index: Int
  }

  private let entity: SyncedEntity
  private let schema: EntitySchema
  /// By ascending UIDs.
  private let fields: [Field]
  private let writer: ObjectWriter
  private let builder: FlatBufferBuilder
  private let objects: StorageCursor
  private let marks: WriteCursor
  /// The key of marks up to the ID.
  private let marksPrefix: [UInt8]
  /// The key of an object's marks, which is changed for each one.
  private var marksKey: [UInt8]
  private let isTarget: Bool
  private var bytes = WireWriter()
  /// IDs without object and marks.
  private var free: Range<UInt64> = 0..<0
  /// The inserted objects with pairs to others.
  private(set) var related: [(key: ObjectKey, pairs: [Pair])] = []
  /// The inserted objects of an entity to which pairs can lead.
  private(set) var targets: [ObjectKey] = []

  /// Begins to insert objects.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - isTarget: True if relations lead to the entity.
  ///   - table: The table with the marks of objects.
  ///   - transaction: The transaction, without savepoints.
  /// - Throws: ``ObjectBoxError`` when the store cannot be read.
  init(
    _ entity: SyncedEntity,
    isTarget: Bool,
    _ table: SyncTable,
    in transaction: Transaction
  ) throws {
    self.entity = entity
    self.isTarget = isTarget
    fields = entity.properties.enumerated().map { index, property in
      Field(
        uid: property.uid,
        slot: UInt16(2 + 2 * property.schema.identity.id),
        form: property.schema.syncForm,
        isFloat: property.schema.type == .float,
        isTarget: property.target != nil,
        index: index
      )
    }.sorted { $0.uid < $1.uid }
    writer = try ObjectWriter(entity.table, in: transaction)
    builder = FlatBufferBuilder(layout: writer.layout)
    objects = try transaction.storage.cursor(entity.table.records.objects)
    marks = table.writeCursor(in: transaction.storage)
    schema = entity.table.schema
    marksPrefix = SyncKey(.marks, entity.uid.value).bytes
    marksKey = SyncKey(.marks, entity.uid.value, 0).bytes
  }

  /// Writes an object with its marks, unless the store has an object or marks with its ID.
  ///
  /// - Parameters:
  ///   - row: The object.
  ///   - key: Its key.
  /// - Returns: False if nothing was written, since the ID is taken, or since a value has not the type of
  ///   its property.
  /// - Throws: ``ObjectBoxError`` when the store is full or damaged.
  func insert(_ row: Row, at key: ObjectKey) throws -> Bool {
    guard try isFree(key.id), let record = try record(of: row, id: key.id) else { return false }
    // Nobody has the ID, so nothing is looked up for it.
    try writer.put(record, id: key.id, isNew: true, mode: .put, checksUnique: false)
    entity.table.raise(to: key.id)
    free = key.id + 1..<max(free.upperBound, key.id + 1)
    bytes.removeAll()
    bytes.append(row.marks)
    setMarksKey(key.id)
    try marksKey.withUnsafeBytes { key in
      try bytes.bytes.withUnsafeBytes { try marks.put(key: key, value: $0) }
    }
    if !row.pairs.isEmpty { related.append((key, row.pairs)) }
    if isTarget { targets.append(key) }
    return true
  }

  /// Returns whether the store has neither an object nor marks with an ID.
  ///
  /// It looks for the next ID that is taken: the IDs up to it need no further look.
  private func isFree(_ id: UInt64) throws -> Bool {
    if free.contains(id) { return true }
    var end = try objects.objects(from: id, isBackwards: false).first?.id ?? .max
    setMarksKey(id)
    let found = try marksKey.withUnsafeBytes { try StorageCursor.lmdb(marks).row(from: $0) }
    if let found, found.key.starts(with: marksPrefix) {
      end = min(end, SyncKey(bytes: Array(found.key)).number(1))
    }
    free = id..<max(id, end)
    return free.contains(id)
  }

  private func setMarksKey(_ id: UInt64) {
    marksKey.withUnsafeMutableBytes {
      $0.storeBytes(of: id.bigEndian, toByteOffset: marksPrefix.count, as: UInt64.self)
    }
  }

  /// Returns the record of an object; nil when a value has not the type of its property.
  private func record(of row: Row, id: UInt64) throws -> UnsafeRawBufferPointer? {
    var fits = true
    let record = try builder.record(of: schema, id: id) {
      var next = 0
      for element in row.values.elements {
        // Both are in the order of UIDs. The server may have properties that the program lacks.
        while next < fields.count, fields[next].uid < element.property { next += 1 }
        guard next < fields.count else { break }
        if fields[next].uid == element.property, !set(element.value, fields[next]) { fits = false }
      }
    }
    return fits ? record : nil
  }

  private func set(_ value: PropertyValue, _ field: Field) -> Bool {
    switch (value, field.form) {
    case (.null, _): return true
    case (.integer(let number), .integer):
      // An empty relation is null in records.
      if number != 0 || !field.isTarget { builder.collect(number, at: field.slot) }
    case (.double(let bits), .double):
      let number = Double(bitPattern: bits)
      if field.isFloat {
        builder.collect(Float(number), at: field.slot)
      } else {
        builder.collect(number, at: field.slot)
      }
    case (.bytes(let bytes), .bytes):
      builder.collect(dataOffset: builder.prepare(bytes: bytes), at: field.slot)
    case (.bytes, .list):
      return entity.properties[field.index].schema.set(syncValue: value) { property, value in
        builder.collect(value, of: property)
      }
    default: return false
    }
    return true
  }
}

extension StoredDevice {
  /// Shows the objects of a cut; new ones are written at once.
  ///
  /// Objects that have changed in this transaction stay in memory, as do those whose IDs the store
  /// has. So do new ones with unique values while transactions wait: these are repeated after the cut,
  /// and then the values are looked up among the objects in memory.
  func setShownRows(_ rows: [KeyedRow]) throws {
    var current: (entity: EntityUID, insertion: ObjectInsertion?)?
    for row in rows {
      if current?.entity != row.key.entity {
        current = (row.key.entity, try insertion(of: row.key.entity))
      }
      let isInMemory = !changes.isEmpty && changes[row.key] != nil
      if !isInMemory, let insertion = current?.insertion, try insertion.insert(row.row, at: row.key)
      {
        for pair in row.row.pairs { try table.add(source(pair, row.key), in: storage) }
      } else {
        try setShownRow(row.row, at: row.key)
      }
    }
  }

  private func insertion(of uid: EntityUID) throws -> ObjectInsertion? {
    if let known = insertions[uid] { return known }
    guard let entity = model[uid] else { return nil }
    if waitingCount > 0, model.rules[uid]?.uniques.isEmpty == false { return nil }
    let isTarget = model.entities.values.contains { $0.relations.contains { $0.target == uid } }
    let new = try ObjectInsertion(entity, isTarget: isTarget, table, in: transaction)
    insertions[uid] = new
    return new
  }
}
