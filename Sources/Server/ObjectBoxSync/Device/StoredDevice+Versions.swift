internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol

/// Versions of objects with consecutive IDs that a transaction inserted or changed, on this device or another: one
/// row of the table in place of a row for each object.
///
/// The table has an object's versions in a row of its own or in one range, never in both. A change of an
/// object's versions takes the object out of its range.
extension StoredDevice {
  /// Objects of one entity with consecutive IDs.
  struct ObjectRange {
    let entity: EntityUID
    let ids: ClosedRange<UInt64>
    /// The versions of each of the objects.
    let versions: Row

    /// The keys of the objects.
    var keys: [ObjectKey] { ids.map { ObjectKey(entity: entity, id: $0) } }
  }

  /// The answer of a search for a range; it holds for all the IDs.
  struct KnownRange {
    let entity: EntityUID
    let ids: ClosedRange<UInt64>
    /// The range with these IDs; nil if none has any of them.
    let range: ObjectRange?
  }

  // MARK: Versions

  /// Returns what the table has of an object: a row without values.
  func storedVersions(at key: ObjectKey) throws -> Row? {
    if let range = try range(at: key) { return range.versions }
    let versions = try table.read(SyncKey(.versions, key), in: storage, as: Row.self)
    return try versions.map { try withAddedPairs($0, at: key) }
  }

  /// Returns the same by a cursor, which moves to the versions of one object after the other.
  func storedVersions(at key: ObjectKey, by cursor: StorageCursor) throws -> Row? {
    if let range = try range(at: key) { return range.versions }
    guard let row = try SyncTable.first(.versions, from: key, cursor), row.key.number(1) == key.id
    else { return nil }
    return try withAddedPairs(try SyncTable.decode(Array(row.value), row.key), at: key)
  }

  /// Returns the origin ID of an object, without reading its pairs.
  func storedOrigin(at key: ObjectKey) throws -> OriginID? {
    if let range = try range(at: key) { return range.versions.originID }
    guard let row = try SyncTable.first(.versions, from: key, try table.cursor(in: storage)),
      row.key.number(1) == key.id
    else { return nil }
    return try SyncTable.decode(Array(row.value.prefix(OriginID.size)), row.key)
  }

  /// Sets the versions of an object by a cursor that moves to them.
  func setVersions(
    _ versions: Row,
    at key: ObjectKey,
    by cursor: WriteCursor,
    _ writer: inout WireWriter
  ) throws {
    if let range = try range(at: key) { try split(range, at: key.id) }
    try removeAddedPairs(of: key)
    writer.removeAll()
    versions.write(to: &writer)
    try SyncKey(.versions, key).bytes.withUnsafeBytes { key in
      try writer.bytes.withUnsafeBytes { try cursor.put(key: key, value: $0) }
    }
  }

  /// Sets what the table has of an object; nil removes it.
  func setVersions(_ versions: Row?, at key: ObjectKey) throws {
    if let range = try range(at: key) {
      try split(range, at: key.id)
    } else if versions == nil {
      try table.remove(SyncKey(.versions, key), in: storage)
    }
    try removeAddedPairs(of: key)
    if let versions { try table.set(versions, at: SyncKey(.versions, key), in: storage) }
  }

  /// Takes an ID out of a range of versions.
  private func split(_ range: ObjectRange, at id: UInt64) throws {
    let (first, last) = (range.ids.lowerBound, range.ids.upperBound)
    if id < last {
      try put(id + 1...last, of: range.entity, range.versions)
    } else {
      try table.remove(SyncKey(.markedRange, range.entity.value, last), in: storage)
    }
    if id > first { try put(first...id - 1, of: range.entity, range.versions) }
    // The next change is often that of the next object.
    let rest = id < last ? id + 1...last : nil
    knownRange = rest.map { ids in
      KnownRange(
        entity: range.entity,
        ids: ids,
        range: ObjectRange(entity: range.entity, ids: ids, versions: range.versions)
      )
    }
  }

  /// Calls a body with the versions of an entity's objects, by ascending ID.
  ///
  /// In a transaction of the program these are also the versions of removed objects.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - ids: The IDs of the objects.
  ///   - body: Gets the key and the versions of an object, and returns false to end; it must not write to
  ///     the table.
  /// - Returns: False if the body has ended it.
  /// - Throws: ``ObjectBoxError`` when the table cannot be read, and the error of the body.
  func forEachVersions(
    of entity: EntityUID,
    in ids: ClosedRange<UInt64> = 0 ... .max,
    _ body: (ObjectKey, Row) throws -> Bool
  ) throws -> Bool {
    var ranges = try ranges(of: entity, in: ids)[...]
    var goesOn = true
    func passRanges(before id: UInt64) throws {
      while goesOn, let range = ranges.first, range.ids.lowerBound < id {
        ranges.removeFirst()
        for id in range.ids where goesOn {
          goesOn = try body(ObjectKey(entity: entity, id: id), range.versions)
        }
      }
    }
    let first = ObjectKey(entity: entity, id: ids.lowerBound)
    try table.forEach(.versions, from: first, in: storage) { key, value in
      let place = key.object()
      guard place.id <= ids.upperBound else { return false }
      // No range has an object that has versions of its own.
      try passRanges(before: place.id)
      if goesOn {
        let versions = try SyncTable.decode(Array(value), key, as: Row.self)
        goesOn = try body(place, try withAddedPairs(versions, at: place))
      }
      return goesOn
    }
    try passRanges(before: .max)
    return goesOn
  }

  /// Adds versions of objects that have none in the table.
  func addVersions(_ ids: ClosedRange<UInt64>, of entity: EntityUID, _ versions: Row) throws {
    try put(ids, of: entity, versions)
    knownRange = nil
  }

  /// Sets the versions of objects, all of which have versions but no pairs; nil removes them.
  func setVersions(_ versions: Row?, of ids: ClosedRange<UInt64>, _ entity: EntityUID) throws {
    knownRange = nil
    let start = ObjectKey(entity: entity, id: ids.lowerBound)
    while let range = try Self.firstRange(from: start, try table.cursor(in: storage)),
      range.ids.lowerBound <= ids.upperBound
    {
      let (first, last) = (range.ids.lowerBound, range.ids.upperBound)
      if last > ids.upperBound {
        try put(ids.upperBound + 1...last, of: entity, range.versions)
      } else {
        try table.remove(SyncKey(.markedRange, entity.value, last), in: storage)
      }
      if first < ids.lowerBound { try put(first...ids.lowerBound - 1, of: entity, range.versions) }
    }
    var own: [SyncKey] = []
    try table.forEach(.versions, from: start, in: storage) { key, _ in
      guard key.number(1) <= ids.upperBound else { return false }
      own.append(key)
      return true
    }
    for key in own { try table.remove(key, in: storage) }
    if let versions { try put(ids, of: entity, versions) }
  }

  // MARK: Ranges

  /// Returns the range with an object; nil if none has it.
  func range(at key: ObjectKey) throws -> ObjectRange? {
    if let known = knownRange, known.entity == key.entity, known.ids.contains(key.id) {
      return known.range
    }
    let next = try Self.firstRange(from: key, try table.cursor(in: storage))
    if let next, next.ids.contains(key.id) {
      knownRange = KnownRange(entity: key.entity, ids: next.ids, range: next)
      return next
    }
    let gap = key.id...(next.map { $0.ids.lowerBound - 1 } ?? .max)
    knownRange = KnownRange(entity: key.entity, ids: gap, range: nil)
    return nil
  }

  /// Returns the ranges of an entity, cut off outside of the given IDs.
  func ranges(
    of entity: EntityUID,
    in ids: ClosedRange<UInt64> = 0 ... .max
  ) throws -> [ObjectRange] {
    var ranges: [ObjectRange] = []
    let first = ObjectKey(entity: entity, id: ids.lowerBound)
    try table.forEach(.markedRange, from: first, in: storage) { key, value in
      let range = try Self.range(key, value)
      guard range.ids.overlaps(ids) else { return false }
      let own = range.ids.clamped(to: ids)
      ranges.append(ObjectRange(entity: entity, ids: own, versions: range.versions))
      return true
    }
    return ranges
  }

  /// Returns the first range of an entity that ends at the ID of a key or later.
  static func firstRange(
    from key: ObjectKey,
    _ cursor: StorageCursor
  ) throws -> ObjectRange? {
    try SyncTable.first(.markedRange, from: key, cursor).map { try range($0.key, $0.value) }
  }

  private static func range(
    _ key: SyncKey,
    _ value: UnsafeRawBufferPointer
  ) throws -> ObjectRange {
    let (ids, versions) = try RangeRow.read(key, value)
    guard let versions else { throw SyncTable.unreadable(key, "it has no versions") }
    return ObjectRange(entity: key.object().entity, ids: ids, versions: versions)
  }

  private func put(_ ids: ClosedRange<UInt64>, of entity: EntityUID, _ versions: Row) throws {
    let row = RangeRow(first: ids.lowerBound, versions: versions)
    try table.set(row, at: SyncKey(.markedRange, entity.value, ids.upperBound), in: storage)
  }
}

/// The value of a range's row, whose key has the last ID.
struct RangeRow: WireValue {
  let first: UInt64
  /// Nil in a range of absent bases.
  let versions: Row?

  init(first: UInt64, versions: Row?) {
    self.first = first
    self.versions = versions
  }

  func write(to writer: inout WireWriter) {
    writer.append(first)
    writer.append(byte: versions == nil ? 0 : 1)
    versions?.write(to: &writer)
  }

  init(from reader: inout WireReader) throws(WireError) {
    self.init(first: try reader.number(), versions: try reader.optional())
  }

  /// Reads the IDs and the versions of a row.
  static func read(
    _ key: SyncKey,
    _ value: UnsafeRawBufferPointer
  ) throws -> (ids: ClosedRange<UInt64>, versions: Row?) {
    let row = try SyncTable.decode(Array(value), key, as: RangeRow.self)
    let last = key.object().id
    guard row.first <= last else { throw SyncTable.unreadable(key, "it ends before it begins") }
    return (row.first...last, row.versions)
  }
}
