internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol

/// Marks and bases of objects that a transaction inserted with consecutive IDs: one row of the table
/// in place of one for each object.
///
/// The table has an object's marks in a row of its own or in one range, never in both; the same
/// holds for its base. A change of an object's marks takes the object out of its range.
extension StoredDevice {
  /// Objects of one entity with consecutive IDs.
  struct ObjectRange {
    let entity: EntityUID
    let ids: ClosedRange<UInt64>
    /// The marks of each of the objects; nil in a range of absent bases.
    let marks: Row?

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
    if let marks = try range(.markedRange, at: key)?.marks { return marks }
    return try table.read(SyncKey(.marks, key), in: storage)
  }

  /// Sets what the table has of an object; nil removes it.
  func setMarks(_ marks: Row?, at key: ObjectKey) throws {
    if let range = try range(.markedRange, at: key) {
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
      try put(.markedRange, id + 1...last, of: range.entity, range.marks)
    } else {
      try table.remove(SyncKey(.markedRange, range.entity.value, last), in: storage)
    }
    if id > first { try put(.markedRange, first...id - 1, of: range.entity, range.marks) }
    // The next change is often that of the next object.
    let rest = id < last ? id + 1...last : nil
    knownRanges[.markedRange] = rest.map { ids in
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
    var ranges = try ranges(.markedRange, of: entity, in: ids)[...]
    var goesOn = true
    func passRanges(before id: UInt64) throws {
      while goesOn, let range = ranges.first, range.ids.lowerBound < id {
        ranges.removeFirst()
        guard let marks = range.marks else { continue }
        for id in range.ids where goesOn {
          goesOn = try body(ObjectKey(entity: entity, id: id), marks)
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
    let start = ObjectKey(entity: entity, id: ids.lowerBound)
    let cursor = try table.cursor(in: storage)
    for kind in [SyncTable.Kind.marks, .base] {
      if let row = try SyncTable.first(kind, from: start, cursor),
        row.key.number(1) <= ids.upperBound
      {
        return false
      }
    }
    for kind in [SyncTable.Kind.markedRange, .absentRange] {
      if let range = try Self.firstRange(kind, from: start, cursor),
        range.ids.lowerBound <= ids.upperBound
      {
        return false
      }
    }
    return true
  }

  /// Adds marks and absent bases of new objects; ``isFree(_:of:)`` must hold for them.
  func addNew(_ ids: ClosedRange<UInt64>, of entity: EntityUID, _ marks: Row) throws {
    try put(.markedRange, ids, of: entity, marks)
    try put(.absentRange, ids, of: entity, nil)
    knownRanges = [:]
  }

  // MARK: Ranges

  /// Returns the range with an object; nil if none has it.
  func range(_ kind: SyncTable.Kind, at key: ObjectKey) throws -> ObjectRange? {
    if let known = knownRanges[kind], known.entity == key.entity, known.ids.contains(key.id) {
      return known.range
    }
    let next = try Self.firstRange(kind, from: key, try table.cursor(in: storage))
    if let next, next.ids.contains(key.id) {
      knownRanges[kind] = KnownRange(entity: key.entity, ids: next.ids, range: next)
      return next
    }
    let gap = key.id...(next.map { $0.ids.lowerBound - 1 } ?? .max)
    knownRanges[kind] = KnownRange(entity: key.entity, ids: gap, range: nil)
    return nil
  }

  /// Returns the ranges of an entity, cut off outside of the given IDs.
  func ranges(
    _ kind: SyncTable.Kind,
    of entity: EntityUID,
    in ids: ClosedRange<UInt64> = 0 ... .max
  ) throws -> [ObjectRange] {
    var ranges: [ObjectRange] = []
    let first = ObjectKey(entity: entity, id: ids.lowerBound)
    try table.forEach(kind, from: first, in: storage) { key, value in
      let range = try Self.range(key, value)
      guard range.ids.overlaps(ids) else { return false }
      let own = range.ids.clamped(to: ids)
      ranges.append(ObjectRange(entity: entity, ids: own, marks: range.marks))
      return true
    }
    return ranges
  }

  /// Returns the first range of an entity that ends at the ID of a key or later.
  private static func firstRange(
    _ kind: SyncTable.Kind,
    from key: ObjectKey,
    _ cursor: StorageCursor
  ) throws -> ObjectRange? {
    try SyncTable.first(kind, from: key, cursor).map { try range($0.key, $0.value) }
  }

  private static func range(
    _ key: SyncKey,
    _ value: UnsafeRawBufferPointer
  ) throws -> ObjectRange {
    let row = try SyncTable.decode(Array(value), key, as: RangeRow.self)
    let last = key.object()
    guard row.first <= last.id else { throw SyncTable.unreadable(key, "it ends before it begins") }
    return ObjectRange(entity: last.entity, ids: row.first...last.id, marks: row.marks)
  }

  private func put(
    _ kind: SyncTable.Kind,
    _ ids: ClosedRange<UInt64>,
    of entity: EntityUID,
    _ marks: Row?
  ) throws {
    let row = RangeRow(first: ids.lowerBound, marks: marks)
    try table.set(row, at: SyncKey(kind, entity.value, ids.upperBound), in: storage)
  }
}

/// The value of a range's row, whose key has the last ID.
private struct RangeRow: WireValue {
  let first: UInt64
  let marks: Row?

  init(first: UInt64, marks: Row?) {
    self.first = first
    self.marks = marks
  }

  func write(to writer: inout WireWriter) {
    writer.append(first)
    writer.append(marks)
  }

  init(from reader: inout WireReader) throws(WireError) {
    self.init(first: try reader.number(), marks: try reader.optional())
  }
}
