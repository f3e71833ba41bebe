internal import ObjectBox

/// IDs of the objects that are being put.
extension WriteBuffer {
  /// Reserves IDs for new objects of an entity, so that the first attempt can use them.
  func reserve(_ count: Int, of table: WriteTable) async throws {
    let own = granted[table.entityID, default: []].reduce(0) { $0 + $1.count }
    guard count > own else { return }
    let need = IDCounters.Need(count: UInt64(count - own))
    for (entity, ranges) in try await cluster.writing.ids.reserve(
      [table.entityID: need],
      in: cluster
    ) {
      granted[entity, default: []] += ranges
    }
  }

  /// Releases reserved IDs to other transactions.
  func giveBack(_ ranges: [Range<UInt64>], of entity: UInt32) {
    // See `IDCounters.nextBlock`.
    guard !ranges.isEmpty, let table = cluster.writing.table(entity), !table.isAssignable else {
      return
    }
    cluster.writing.ids.giveBack(ranges, of: entity)
  }

  /// Returns the ID to put an object under: its own, or a new one.
  func chooseID(given: UInt64, mode: PutMode, _ table: WriteTable) throws -> UInt64 {
    if given == 0 {
      if mode == .update { throw WriteRefusal.notFound(0, table) }
      return takeID(of: table)
    }
    guard given <= IDCounters.maximumID else {
      throw ObjectBoxError.illegalArgument(
        message:
          "\(given) is no ID of an object; the greatest in a cluster is \(IDCounters.maximumID)"
      )
    }
    let ids = cluster.writing.ids
    guard !ids.isGivenOut(given, of: table.entityID) else { return given }
    if told.contains(table.entityID) {
      // The counter is above the ID, or the ID is reserved for a new object.
      if table.isAssignable { return given }
      throw ObjectBoxError.illegalArgument(
        message:
          "ID is higher or equal to internal ID sequence: \(given) (vs. \(max(1, ids.next(of: table.entityID)))); "
          + "put '\(table.name)' with ID 0 to get a new one, or declare `id = { \"assignable\": true }`"
      )
    }
    let need = needs[table.entityID]?.given ?? 0
    needs[table.entityID, default: IDCounters.Need()].given = max(need, given)
    return given
  }

  private func takeID(of table: WriteTable) -> UInt64 {
    takeID(of: table, from: &granted[table.entityID, default: []])
  }

  private func takeID(of table: WriteTable, from granted: inout [Range<UInt64>]) -> UInt64 {
    let entity = table.entityID
    if granted.isEmpty { granted = cluster.writing.ids.take(of: entity) }
    if let id = granted.takeFirstID() {
      if let last = taken.last, last.entity == entity, last.ids.upperBound == id {
        taken[taken.count - 1].ids = last.ids.lowerBound..<id + 1
      } else {
        taken.append((entity, id..<id + 1))
      }
      return id
    }
    needs[entity, default: IDCounters.Need()].count += 1
    // A placeholder that no object keeps, since the attempt is repeated.
    return IDCounters.maximumID - (needs[entity]?.count ?? 0)
  }

  /// Takes back the IDs of the current attempt; the next attempt uses the same ones.
  func takeBackIDs() {
    for (entity, ids) in taken.reversed() {
      if let first = granted[entity]?.first, first.lowerBound == ids.upperBound {
        granted[entity]?[0] = ids.lowerBound..<first.upperBound
      } else {
        granted[entity, default: []].insert(ids, at: 0)
      }
    }
    taken = []
  }

  /// Passes the rows of an entity to a body that adds many, with a function that returns new IDs.
  ///
  /// During the body, rows and IDs are outside of the buffer, which saves a lookup for each row.
  func withRows(
    of table: WriteTable,
    _ body: (inout PendingRows, _ newID: () -> UInt64) throws -> Void
  ) rethrows {
    var rows = self.rows.removeValue(forKey: table.entityID) ?? PendingRows()
    var granted = self.granted.removeValue(forKey: table.entityID) ?? []
    defer {
      self.rows[table.entityID] = rows
      self.granted[table.entityID] = granted
    }
    try body(&rows) { takeID(of: table, from: &granted) }
  }
}

extension [Range<UInt64>] {
  /// Takes the first ID; nil when there is none.
  fileprivate mutating func takeFirstID() -> UInt64? {
    guard let first else { return nil }
    if first.count == 1 {
      removeFirst()
    } else {
      self[0] = first.lowerBound + 1..<first.upperBound
    }
    return first.lowerBound
  }
}
