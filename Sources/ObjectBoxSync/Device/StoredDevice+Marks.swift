internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol

/// Marks of objects that a transaction inserted with consecutive IDs, on this device or another, and absent
/// bases of those of this device: one row of the table, and one range in the state, in place of two rows
/// for each object.
///
/// The table has an object's marks in a row of its own or in one range, never in both; the same
/// holds for its base. A change of an object's marks takes the object out of its range.
extension StoredDevice {
  /// Objects of one entity with consecutive IDs.
  struct ObjectRange {
    let entity: EntityUID
    let ids: ClosedRange<UInt64>
    /// The marks of each of the objects.
    let marks: Row

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

  // MARK: Marks

  /// Returns what the table has of an object: a row without values.
  func storedMarks(at key: ObjectKey) throws -> Row? {
    if let range = try range(at: key) { return range.marks }
    return try table.read(SyncKey(.marks, key), in: storage)
  }

  /// Returns what the table has of an object, by a cursor that moves to its marks.
  func storedMarks(at key: ObjectKey, by cursor: StorageCursor) throws -> Row? {
    if let range = try range(at: key) { return range.marks }
    guard let row = try SyncTable.first(.marks, from: key, cursor), row.key.number(1) == key.id
    else { return nil }
    return try SyncTable.decode(Array(row.value), row.key)
  }

  /// Sets the marks of an object by a cursor that moves to them.
  func setMarks(
    _ marks: Row,
    at key: ObjectKey,
    by cursor: WriteCursor,
    _ writer: inout WireWriter
  ) throws {
    if let range = try range(at: key) { try split(range, at: key.id) }
    writer.removeAll()
    marks.write(to: &writer)
    try SyncKey(.marks, key).bytes.withUnsafeBytes { key in
      try writer.bytes.withUnsafeBytes { try cursor.put(key: key, value: $0) }
    }
  }

  /// Sets what the table has of an object; nil removes it.
  func setMarks(_ marks: Row?, at key: ObjectKey) throws {
    if let range = try range(at: key) {
      try split(range, at: key.id)
    } else if marks == nil {
      try table.remove(SyncKey(.marks, key), in: storage)
    }
    if let marks { try table.set(marks, at: SyncKey(.marks, key), in: storage) }
  }

  /// Takes an ID out of a range of marks.
  private func split(_ range: ObjectRange, at id: UInt64) throws {
    let (first, last) = (range.ids.lowerBound, range.ids.upperBound)
    if id < last {
      try put(id + 1...last, of: range.entity, range.marks)
    } else {
      try table.remove(SyncKey(.markedRange, range.entity.value, last), in: storage)
    }
    if id > first { try put(first...id - 1, of: range.entity, range.marks) }
    // The next change is often that of the next object.
    let rest = id < last ? id + 1...last : nil
    knownRange = rest.map { ids in
      KnownRange(
        entity: range.entity,
        ids: ids,
        range: ObjectRange(entity: range.entity, ids: ids, marks: range.marks)
      )
    }
  }

  /// Calls a body with the marks of an entity's objects, by ascending ID.
  ///
  /// In a transaction of the program these are also the marks of removed objects.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - ids: The IDs of the objects.
  ///   - body: Gets the key and the marks of an object, and returns false to end; it must not write to
  ///     the table.
  /// - Returns: False if the body has ended it.
  /// - Throws: ``ObjectBoxError`` when the table cannot be read, and the error of the body.
  func forEachMarks(
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
          goesOn = try body(ObjectKey(entity: entity, id: id), range.marks)
        }
      }
    }
    let first = ObjectKey(entity: entity, id: ids.lowerBound)
    try table.forEach(.marks, from: first, in: storage) { key, value in
      let place = key.object()
      guard place.id <= ids.upperBound else { return false }
      // No range has an object that has marks of its own.
      try passRanges(before: place.id)
      if goesOn { goesOn = try body(place, try SyncTable.decode(Array(value), key)) }
      return goesOn
    }
    try passRanges(before: .max)
    return goesOn
  }

  // MARK: New objects

  /// Returns whether the table has neither marks nor bases of any object with the given IDs.
  func isFree(_ ids: ClosedRange<UInt64>, of entity: EntityUID) throws -> Bool {
    let taken = Range(ids)
    if absentBases.contains(where: { $0.entity == entity && $0.ids.overlaps(taken) }) {
      return false
    }
    let start = ObjectKey(entity: entity, id: ids.lowerBound)
    let cursor = try table.cursor(in: storage)
    for kind in [SyncTable.Kind.marks, .base] {
      if let row = try SyncTable.first(kind, from: start, cursor),
        row.key.number(1) <= ids.upperBound
      {
        return false
      }
    }
    let range = try Self.firstRange(from: start, cursor)
    return range.map { $0.ids.lowerBound > ids.upperBound } ?? true
  }

  /// Adds marks and absent bases of new objects; ``isFree(_:of:)`` must hold for them.
  func addNew(_ ids: ClosedRange<UInt64>, of entity: EntityUID, _ marks: Row) throws {
    try addMarks(ids, of: entity, marks)
    try addAbsentBases(ids, of: entity)
  }

  /// Adds marks of objects that have none in the table.
  func addMarks(_ ids: ClosedRange<UInt64>, of entity: EntityUID, _ marks: Row) throws {
    try put(ids, of: entity, marks)
    knownRange = nil
  }

  // MARK: Bases

  /// The greatest number of ranges in the state; further bases have rows of their own.
  private static let absentBaseLimit = 64

  /// Returns whether a range of absent bases has an object.
  func hasAbsentBase(_ key: ObjectKey) -> Bool {
    absentBases.contains { $0.entity == key.entity && $0.ids.contains(key.id) }
  }

  /// Sets the bases of new objects: the server has no objects below them.
  func addAbsentBases(_ ids: ClosedRange<UInt64>, of entity: EntityUID) throws {
    let place = absentBases.lastIndex { $0.entity == entity && $0.ids.upperBound == ids.lowerBound }
    if let place {
      absentBases[place].ids = absentBases[place].ids.lowerBound..<ids.upperBound + 1
    } else if absentBases.count < Self.absentBaseLimit {
      absentBases.append(IDBlock(entity: entity, ids: Range(ids)))
    } else {
      for id in ids { try setBase(.absent, at: ObjectKey(entity: entity, id: id)) }
    }
  }

  /// Moves the ranges of absent bases of a table of the form 2 into the state.
  func moveAbsentRanges() throws {
    var ranges: [(entity: EntityUID, ids: ClosedRange<UInt64>)] = []
    try table.forEach(SyncKey(.absentRange), in: storage) { key, value in
      ranges.append((key.object().entity, try RangeRow.read(key, value).ids))
    }
    guard !ranges.isEmpty else { return }
    for range in ranges { try addAbsentBases(range.ids, of: range.entity) }
    try table.removeAll(.absentRange, in: storage)
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
      ranges.append(ObjectRange(entity: entity, ids: own, marks: range.marks))
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
    let (ids, marks) = try RangeRow.read(key, value)
    guard let marks else { throw SyncTable.unreadable(key, "it has no marks") }
    return ObjectRange(entity: key.object().entity, ids: ids, marks: marks)
  }

  private func put(_ ids: ClosedRange<UInt64>, of entity: EntityUID, _ marks: Row) throws {
    let row = RangeRow(first: ids.lowerBound, marks: marks)
    try table.set(row, at: SyncKey(.markedRange, entity.value, ids.upperBound), in: storage)
  }
}

/// The value of a range's row, whose key has the last ID.
private struct RangeRow: WireValue {
  let first: UInt64
  /// Nil in a range of absent bases.
  let marks: Row?

  init(first: UInt64, marks: Row?) {
    self.first = first
    self.marks = marks
  }

  func write(to writer: inout WireWriter) {
    writer.append(first)
    writer.append(byte: marks == nil ? 0 : 1)
    marks?.write(to: &writer)
  }

  init(from reader: inout WireReader) throws(WireError) {
    self.init(first: try reader.number(), marks: try reader.optional())
  }

  /// Reads the IDs and the marks of a row.
  static func read(
    _ key: SyncKey,
    _ value: UnsafeRawBufferPointer
  ) throws -> (ids: ClosedRange<UInt64>, marks: Row?) {
    let row = try SyncTable.decode(Array(value), key, as: RangeRow.self)
    let last = key.object().id
    guard row.first <= last else { throw SyncTable.unreadable(key, "it ends before it begins") }
    return (row.first...last, row.marks)
  }
}
