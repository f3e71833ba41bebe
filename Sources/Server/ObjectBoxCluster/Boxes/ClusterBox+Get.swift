public import ObjectBox

extension ClusterBox {
  // MARK: One object

  /// Returns the object with the given ID.
  ///
  /// One round trip.
  ///
  /// - Parameter id: An ID; no object has ID 0.
  /// - Returns: A new instance, or nil when there is none.
  /// - Throws: `ClusterError`; `ObjectBoxError` when a value does not fit its property's type.
  public func get<I: UntypedIdBase>(_ id: I) async throws -> E? { try await object(id.value) }

  /// Returns the object with the given ID.
  ///
  /// One round trip.
  ///
  /// - Parameter id: An ID; no object has ID 0.
  /// - Returns: A new instance, or nil when there is none.
  /// - Throws: `ClusterError`; `ObjectBoxError` when a value does not fit its property's type.
  public func get(_ id: EntityId<E>) async throws -> E? { try await object(id.value) }

  private func object(_ id: UInt64) async throws -> E? {
    let table = try table()
    guard id != 0, id <= IDCounters.maximumID else { return nil }
    var select = Statement(table.selectOne) { $0.append(id: id) }
    select.isShort = true
    let rows = try await source.run([select])[0]
    guard rows.count > 0 else { return nil }
    cluster.writing.ids.noteStored(id, of: table.entityID)
    return try decoding(table).object(rows, 0)
  }

  func decoding(_ table: WriteTable) -> RowDecoding<E> {
    RowDecoding<E>(table.table, store: cluster.shape)
  }

  // MARK: Many objects

  /// Returns the objects with the given IDs, in the order of `ids`.
  ///
  /// One round trip.
  ///
  /// - Parameters:
  ///   - ids: IDs; IDs without an object are skipped.
  ///   - maxCount: Greatest number of objects; 0 for all.
  /// - Returns: New instances.
  /// - Throws: `ClusterError`; `ObjectBoxError` when a value does not fit its property's type.
  public func get<I: IdBase, C: Collection>(_ ids: C, maxCount: Int = 0) async throws -> [E]
  where C.Element == I {
    try await found(ids.map(\.value), maxCount: maxCount).map(\.object)
  }

  /// Returns the objects with the given IDs by their IDs.
  ///
  /// One round trip.
  ///
  /// - Parameter ids: IDs; IDs without an object are skipped.
  /// - Returns: New instances.
  /// - Throws: `ClusterError`; `ObjectBoxError` when a value does not fit its property's type.
  public func getAsDictionary<C: Collection>(_ ids: C) async throws -> [EntityId<E>: E]
  where C.Element == EntityId<E> {
    try await dictionary(ids)
  }

  /// Returns the objects with the given IDs by their IDs.
  ///
  /// One round trip.
  ///
  /// - Parameter ids: IDs; IDs without an object are skipped.
  /// - Returns: New instances.
  /// - Throws: `ClusterError`; `ObjectBoxError` when a value does not fit its property's type.
  public func getAsDictionary<I: UntypedIdBase, C: Collection>(_ ids: C) async throws -> [I: E]
  where C.Element == I {
    try await dictionary(ids)
  }

  private func dictionary<I: IdBase, C: Collection>(_ ids: C) async throws -> [I: E]
  where C.Element == I {
    let different = Set(ids.map(\.value))
    let found = try await found(Array(different))
    return Dictionary(found.map { (I($0.id), $0.object) }) { first, _ in first }
  }

  /// Reads objects in the order of `ids`; an ID that occurs twice gives two instances.
  func found(
    _ ids: [UInt64],
    maxCount: Int = 0
  ) async throws -> [(id: UInt64, object: E)] {
    let table = try table()
    let wanted = ids.filter { $0 != 0 && $0 <= IDCounters.maximumID }
    guard !wanted.isEmpty else { return [] }
    let rows = try await source.run([Statement(table.selectMany) { $0.append(ids: wanted) }])[0]
    var indices: [UInt64: Int] = [:]
    indices.reserveCapacity(rows.count)
    for (index, id) in rows.ids().enumerated() { indices[id] = index }
    if let last = indices.keys.max() { cluster.writing.ids.noteStored(last, of: table.entityID) }
    let decoding = decoding(table)
    var found: [(id: UInt64, object: E)] = []
    for id in wanted {
      guard let index = indices[id] else { continue }
      found.append((id, try decoding.object(rows, index)))
      if found.count == maxCount { break }
    }
    return found
  }

  // MARK: All objects

  /// Returns all objects, in the order of their IDs.
  ///
  /// One round trip. Throws `ClusterError`, and `ObjectBoxError` when a value does not fit its
  /// property's type.
  public func all() async throws -> [E] {
    let table = try table()
    let rows = try await source.run([Statement(table.selectAll)])[0]
    return try decoding(table).objects(rows)
  }

  /// Returns all objects, in the order of their IDs.
  ///
  /// One round trip. Throws `ClusterError`, and `ObjectBoxError` when a value does not fit its
  /// property's type.
  public func allContiguous() async throws -> ContiguousArray<E> {
    ContiguousArray(try await all())
  }
}

extension WriteTable {
  fileprivate var selectMany: String {
    "SELECT \(table.selection) FROM \(table.name) WHERE \(table.id.name) = ANY($1)"
  }

  fileprivate var selectAll: String {
    "SELECT \(table.selection) FROM \(table.name) ORDER BY \(table.id.name)"
  }
}
