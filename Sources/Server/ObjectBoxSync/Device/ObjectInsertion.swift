internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// Writes new objects of one entity as they arrive.
///
/// For ascending IDs it reads nothing for each object, and keeps only the data of relations in memory. It has open
/// cursors: it must be released before its transaction ends.
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
  /// The fields by ascending UIDs.
  private let fields: [Field]
  /// The fields of `properties`; nil where the program lacks a property.
  private var present: [Field?] = []
  /// The properties that the present objects have.
  private var properties: [PropertyUID] = []
  private let writer: ObjectWriter
  private let builder: FlatBufferBuilder
  private let objects: StorageCursor
  private let versions: WriteCursor
  /// The key of versions up to the ID.
  private let versionsPrefix: [UInt8]
  /// The key of an object's versions, which is changed for each one.
  private var versionsKey: [UInt8]
  private let isTarget: Bool
  private var bytes = WireWriter()
  private unowned let device: StoredDevice
  /// The last objects with consecutive IDs and equal versions, which are not written yet.
  private var run: (ids: ClosedRange<UInt64>, versions: Row)?
  /// IDs without object and versions.
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
  ///   - device: The device, which must outlive the insertion.
  /// - Throws: ``ObjectBoxError`` when the store cannot be read.
  init(
    _ entity: SyncedEntity,
    isTarget: Bool,
    in device: StoredDevice
  ) throws {
    let transaction = device.transaction
    self.device = device
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
    versions = device.table.writeCursor(in: transaction.storage)
    schema = entity.table.schema
    versionsPrefix = SyncKey(.versions, entity.uid.value).bytes
    versionsKey = SyncKey(.versions, entity.uid.value, 0).bytes
  }

  /// Writes the present object of a reader, unless the store has an object or versions with its ID.
  ///
  /// At the latest, ``endRun()`` writes its versions.
  ///
  /// - Parameters:
  ///   - rows: The reader, which does not change: a copy would retain its arrays for each object.
  ///   - content: The bytes of its batch.
  /// - Returns: False if nothing was written, since the ID is taken or a value does not have the type of its property.
  /// - Throws: ``ObjectBoxError`` when the store is full or damaged.
  func insert(_ rows: inout RowReader, _ content: UnsafeRawBufferPointer) throws -> Bool {
    let id = rows.key.id
    guard try isFree(id), let record = try record(of: &rows, content) else { return false }
    // The ID is free, so there is no old record to read.
    try writer.put(record, id: id, isNew: true, mode: .put, checksUnique: false)
    entity.table.raise(to: id)
    free = id + 1..<max(free.upperBound, id + 1)
    if rows.hasSameVersions, let ids = run?.ids, ids.upperBound + 1 == id {
      run?.ids = ids.lowerBound...id
    } else {
      try endRun()
      run = (id...id, rows.versions)
    }
    if !rows.pairs.isEmpty { related.append((rows.key, rows.pairs)) }
    if isTarget { targets.append(rows.key) }
    return true
  }

  /// Writes the versions of all objects so far.
  func endRun() throws {
    guard let run else { return }
    self.run = nil
    guard run.ids.count == 1 else {
      return try device.addVersions(run.ids, of: entity.uid, run.versions)
    }
    bytes.removeAll()
    bytes.append(run.versions)
    setVersionsKey(run.ids.lowerBound)
    try versionsKey.withUnsafeBytes { key in
      try bytes.bytes.withUnsafeBytes { try versions.put(key: key, value: $0) }
    }
  }

  /// Returns true if the store has neither an object nor versions with an ID.
  ///
  /// It finds the next ID that is taken: IDs below it need no further search.
  private func isFree(_ id: UInt64) throws -> Bool {
    if free.contains(id) { return true }
    var end = try objects.objects(from: id, isBackwards: false).first?.id ?? .max
    setVersionsKey(id)
    let found = try versionsKey.withUnsafeBytes { try StorageCursor.lmdb(versions).row(from: $0) }
    if let found, found.key.starts(with: versionsPrefix) {
      end = min(end, SyncKey(bytes: Array(found.key)).number(1))
    }
    let key = ObjectKey(entity: entity.uid, id: id)
    let cursor = StorageCursor.lmdb(versions)
    if let range = try StoredDevice.firstRange(from: key, cursor) {
      end = min(end, range.ids.lowerBound)
    }
    free = id..<max(id, end)
    return free.contains(id)
  }

  private func setVersionsKey(_ id: UInt64) {
    versionsKey.withUnsafeMutableBytes {
      $0.storeBytes(of: id.bigEndian, toByteOffset: versionsPrefix.count, as: UInt64.self)
    }
  }

  /// Returns the record of an object; nil if a value does not have the type of its property.
  private func record(
    of rows: inout RowReader,
    _ content: UnsafeRawBufferPointer
  ) throws -> UnsafeRawBufferPointer? {
    if properties != rows.properties {
      properties = rows.properties
      // The server may have properties that the program lacks.
      present = rows.properties.map { property in fields.first { $0.uid == property } }
    }
    var fits = true
    let record = try builder.record(of: schema, id: rows.key.id) {
      for index in present.indices {
        if let field = present[index], !set(rows.fields[index], field, content) { fits = false }
      }
    }
    return fits ? record : nil
  }

  private func set(
    _ value: RowReader.Field,
    _ field: Field,
    _ content: UnsafeRawBufferPointer
  ) -> Bool {
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
    case (.bytes(let place), .bytes):
      let bytes = UnsafeRawBufferPointer(rebasing: content[place])
      builder.collect(dataOffset: builder.scratch.append(bytes), at: field.slot)
    case (.bytes(let place), .list):
      let list = PropertyValue.bytes(Array(content[place]))
      return entity.properties[field.index].schema.set(syncValue: list) { property, value in
        builder.collect(value, of: property)
      }
    default: return false
    }
    return true
  }
}

extension StoredDevice {
  /// Sets the shown rows of a delta; writes new objects at once.
  ///
  /// Objects that have changed in this transaction stay in memory, and so do objects whose IDs the store has. New
  /// objects with unique values stay there while transactions wait: these are repeated after the delta, and look up
  /// unique values among the objects in memory.
  func setShownRows(_ rows: RowBatch) throws {
    var reader = rows.makeReader()
    var current: (entity: EntityUID, insertion: ObjectInsertion?)?
    try rows.withBytes { bytes in
      while try reader.next() {
        let key = reader.key
        if current?.entity != key.entity {
          try current?.insertion?.endRun()
          current = (key.entity, try insertion(of: key.entity))
        }
        let isInMemory = !changes.isEmpty && changes[key] != nil
        if !isInMemory, let insertion = current?.insertion, try insertion.insert(&reader, bytes) {
          for pair in reader.pairs { try table.add(source(pair, key), in: storage) }
        } else {
          try setShownRow(try reader.row(), at: key)
        }
      }
    }
    try current?.insertion?.endRun()
  }

  private func insertion(of uid: EntityUID) throws -> ObjectInsertion? {
    if let known = insertions[uid] { return known }
    guard let entity = model[uid] else { return nil }
    if waitingCount > 0, model.rules[uid]?.uniques.isEmpty == false { return nil }
    let isTarget = model.entities.values.contains { $0.relations.contains { $0.target == uid } }
    let new = try ObjectInsertion(entity, isTarget: isTarget, in: self)
    insertions[uid] = new
    return new
  }
}
