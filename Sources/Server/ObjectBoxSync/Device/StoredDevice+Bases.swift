internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol

/// The server's rows of objects that waiting transactions changed.
///
/// An object's base is in a separate row, in a row with the bases of other objects, or, for a new object, in a range of
/// absent bases in the state. It does not change until a delta removes all bases.
extension StoredDevice {
  /// The result of a search for a row with the bases of several objects; it is the same for all these IDs.
  struct KnownBases {
    let entity: EntityUID
    let ids: ClosedRange<UInt64>
    /// The row with these first and last IDs; nil if the IDs are between rows.
    let run: BaseRun?
  }

  func base(at key: ObjectKey) throws -> BaseRow? {
    if hasAbsentBase(key) { return .absent }
    if let row = try bases(around: key).run?.row(id: key.id) { return .row(row) }
    return try table.read(SyncKey(.base, key), in: storage)
  }

  /// Returns true if an object has a base, without reading it.
  func hasBase(at key: ObjectKey) throws -> Bool {
    if hasAbsentBase(key) { return true }
    if try bases(around: key).run?.row(id: key.id) != nil { return true }
    return try !table.isEmpty(SyncKey(.base, key), in: storage)
  }

  /// Sets the base of an object that has none.
  func setBase(_ base: BaseRow, at key: ObjectKey) throws {
    try table.set(base, at: SyncKey(.base, key), in: storage)
  }

  var baseKeys: [ObjectKey] {
    get throws {
      var keys: [ObjectKey] = []
      try table.forEach(SyncKey(.base), in: storage) { key, _ in keys.append(key.object()) }
      try table.forEach(SyncKey(.bases), in: storage) { key, value in
        let entity = key.object().entity
        keys += try BaseRun(key, value).ids.map { ObjectKey(entity: entity, id: $0) }
      }
      for block in absentBases {
        keys += block.ids.map { ObjectKey(entity: block.entity, id: $0) }
      }
      return keys
    }
  }

  /// Removes all bases from the table and the state.
  func removeStoredBases() throws {
    if !absentBases.isEmpty { absentBases = [] }
    try table.removeAll(.base, in: storage)
    try table.removeAll(.bases, in: storage)
    knownBases = nil
  }

  /// Searches the row of several bases whose range of IDs includes an ID.
  func bases(around key: ObjectKey) throws -> KnownBases {
    if let known = knownBases, known.entity == key.entity, known.ids.contains(key.id) {
      return known
    }
    var end = UInt64.max
    var run: BaseRun?
    var start = key.id
    if let row = try SyncTable.first(.bases, from: key, try table.cursor(in: storage)) {
      let first = try BaseRun.first(row.key, row.value)
      if first <= key.id {
        run = try BaseRun(row.key, row.value)
        (start, end) = (first, row.key.object().id)
      } else {
        end = first - 1
      }
    }
    let known = KnownBases(entity: key.entity, ids: start...end, run: run)
    knownBases = known
    return known
  }

  // MARK: New objects

  /// Returns true if the table has neither versions nor bases of any object with the given IDs.
  func isFree(_ ids: ClosedRange<UInt64>, of entity: EntityUID) throws -> Bool {
    let taken = Range(ids)
    if absentBases.contains(where: { $0.entity == entity && $0.ids.overlaps(taken) }) {
      return false
    }
    let start = ObjectKey(entity: entity, id: ids.lowerBound)
    let cursor = try table.cursor(in: storage)
    for kind in [SyncTable.Kind.versions, .base] {
      if let row = try SyncTable.first(kind, from: start, cursor),
        row.key.number(1) <= ids.upperBound
      {
        return false
      }
    }
    if let row = try SyncTable.first(.bases, from: start, cursor),
      try BaseRun.first(row.key, row.value) <= ids.upperBound
    {
      return false
    }
    let range = try Self.firstRange(from: start, cursor)
    return range.map { $0.ids.lowerBound > ids.upperBound } ?? true
  }

  /// Adds versions and absent bases of new objects; ``isFree(_:of:)`` must hold for them.
  func addNew(_ ids: ClosedRange<UInt64>, of entity: EntityUID, _ versions: Row) throws {
    try addVersions(ids, of: entity, versions)
    try addAbsentBases(ids, of: entity)
  }

  // MARK: Absent bases

  /// The greatest number of ranges in the state; further bases have separate rows.
  private static let absentBaseLimit = 64

  /// Returns true if a range of absent bases has an object.
  func hasAbsentBase(_ key: ObjectKey) -> Bool {
    absentBases.contains { $0.entity == key.entity && $0.ids.contains(key.id) }
  }

  /// Sets the bases of new objects to absent: the server lacks these objects.
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
}

/// Bases of objects that had equal versions: one row of the table.
///
/// The key has the entity and the last ID. The value has the first ID, the versions and the properties, then for each
/// object the difference of its ID to the previous object's ID and its values, then 0. Two rows never overlap; an
/// object with an ID inside the range of a row has its own base, or none.
struct BaseRun {
  private let versions: Row
  /// The objects by ascending ID.
  let ids: [UInt64]
  private let values: [PropertyList<PropertyValue>]

  /// Reads a row.
  init(_ key: SyncKey, _ value: UnsafeRawBufferPointer) throws {
    (versions, ids, values) = try SyncTable.decode(Array(value), key) { reader throws(WireError) in
      let first = try reader.number()
      let versions = try reader.value(Row.self)
      let properties = try reader.ascendingProperties()
      var (ids, values): ([UInt64], [PropertyList<PropertyValue>]) = ([], [])
      while let id = try reader.id(after: ids.last ?? 0) {
        ids.append(id)
        values.append(try reader.values(of: properties))
      }
      guard ids.first == first, ids.last == key.object().id else {
        throw reader.error("the IDs of its objects are not those that it tells")
      }
      return (versions, ids, values)
    }
  }

  /// Returns the first ID of a row.
  static func first(_ key: SyncKey, _ value: UnsafeRawBufferPointer) throws -> UInt64 {
    var reader = WireReader(Array(value.prefix(10)))
    do {
      return try reader.number()
    } catch {
      throw SyncTable.unreadable(key, "\(error)")
    }
  }

  /// Returns the base of an object; nil if it is not in the row.
  func row(id: UInt64) -> Row? {
    var (lower, upper) = (0, ids.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if ids[middle] < id { lower = middle + 1 } else { upper = middle }
    }
    guard lower < ids.count, ids[lower] == id else { return nil }
    var row = versions
    row.values = values[lower]
    return row
  }
}
