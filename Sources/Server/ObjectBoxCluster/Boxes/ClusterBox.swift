public import ObjectBox

/// The objects of one entity in a cluster: puts, gets and removes them.
///
/// Each call of a cluster's box is a transaction. A box of a transaction runs its calls in that
/// transaction. The functions have the names and the behaviour of `Box` in an embedded store, but
/// wait for the server; each function documents its round trips.
///
/// A transaction buffers puts until its next read or its end, so they cost no round trip. Errors
/// that only the server finds, such as `uniqueViolation`, are thrown by that read or end.
public struct ClusterBox<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// The type of the object ID of the entity.
  public typealias IdType = E.EntityBindingType.IdType

  let source: ReadSource

  init(_ source: ReadSource) {
    self.source = source
  }

  var cluster: Cluster { source.cluster }

  /// The entity's table.
  ///
  /// - Throws: `ObjectBoxError.illegalArgument` when the cluster's model lacks the entity.
  func table() throws -> WriteTable {
    let id = E.entityInfo.entitySchemaId
    guard let table = cluster.writing.table(id) else {
      throw WriteRefusal.missing(E.entityInfo.entityName, id)
    }
    return table
  }

  // MARK: Counting

  /// Returns true if the box holds no object.
  ///
  /// One round trip. Throws `ClusterError`.
  public func isEmpty() async throws -> Bool { try await count(limit: 1) == 0 }

  /// Returns the number of objects.
  ///
  /// One round trip.
  ///
  /// - Parameter limit: The count at which to stop; 0 counts all objects.
  /// - Returns: The number of objects, at most `limit` unless that is 0.
  /// - Throws: `ObjectBoxError.illegalArgument(message:)` for a negative limit; `ClusterError`.
  /// - Complexity: O(*n*) in the number of objects up to the limit, since PostgreSQL counts rows.
  public func count(limit: Int = 0) async throws -> Int {
    try ObjectBoxError.checkPart(limit: limit)
    let name = try table().table.name
    let rows = try await source.run([
      limit > 0
        ? Statement("SELECT count(*) FROM (SELECT FROM \(name) LIMIT $1) AS a") {
          $0.append(Int64(limit))
        } : Statement("SELECT count(*) FROM \(name)")
    ])
    return Int(rows[0].anyInteger(0, 0) ?? 0)
  }

  /// Returns true if there is an object with the given ID.
  ///
  /// One round trip.
  ///
  /// - Parameter entityId: An ID; no object has ID 0.
  /// - Returns: True when the object exists.
  /// - Throws: `ClusterError`.
  public func contains(_ entityId: IdType) async throws -> Bool { try await contains([entityId]) }

  /// Returns true if there is an object for each of the given IDs.
  ///
  /// One round trip.
  ///
  /// - Parameter ids: IDs; the result is true for an empty array.
  /// - Returns: True when all objects exist.
  /// - Throws: `ClusterError`.
  public func contains(_ ids: [IdType]) async throws -> Bool {
    let table = try table().table
    let wanted = Set(ids.map(\.value))
    if wanted.isEmpty { return true }
    if wanted.contains(where: { $0 == 0 || $0 > IDCounters.maximumID }) { return false }
    let rows = try await source.run([
      Statement("SELECT count(*) FROM \(table.name) WHERE \(table.id.name) = ANY($1)") {
        $0.append(ids: wanted)
      }
    ])
    return rows[0].anyInteger(0, 0) == Int64(wanted.count)
  }

  /// Returns true if there is an object for each of the given IDs.
  ///
  /// One round trip.
  ///
  /// - Parameter ids: IDs; the result is true without IDs.
  /// - Returns: True when all objects exist.
  /// - Throws: `ClusterError`.
  public func contains(_ ids: IdType...) async throws -> Bool { try await contains(ids) }
}

extension Cluster {
  /// Returns the box of an entity.
  ///
  ///     let notes = cluster.box(for: Note.self)
  ///     let note = try await notes.get(1)
  ///
  /// - Parameter type: The entity type; may be left out when it can be inferred.
  /// - Returns: The box, which keeps the cluster open.
  public func box<T>(for type: T.Type = T.self) -> ClusterBox<T>
  where T: EntityInspectable & __EntityRelatable, T == T.EntityBindingType.EntityType {
    ClusterBox(.newest(self))
  }
}
