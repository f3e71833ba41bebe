import Foundation
import Testing

@testable import ObjectBox
@testable import ObjectBoxCluster

/// An embedded store, and a cluster with the same objects.
final class QueryStores {
  let embedded: Store
  let cluster: Cluster

  convenience init() async throws {
    try self.init(try await TestServer.cluster())
  }

  init(_ cluster: Cluster) throws {
    embedded = try Store(directoryPath: "memory:\(UUID().uuidString)")
    self.cluster = cluster
  }

  /// Puts objects into the embedded store, and copies all objects of their entity to the cluster.
  func put<E>(_ objects: [E]) async throws
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    let box = embedded.box(for: E.self)
    try box.put(objects)
    // Read again, since the given objects may have targets in the embedded store.
    try await insert(try objects.compactMap { try box.get(E.entityBinding.entityId(of: $0)) })
  }

  private func insert<E>(_ objects: [E]) async throws
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    let puts = try #require(cluster.writing.table(E.entityInfo.entitySchemaId))
    let table = puts.table
    let encoding = RecordEncoding<E>(table)
    let rows = try objects.map { object in
      let id = E.entityBinding.entityId(of: object)
      return PendingRow(
        row: try encoding.row(of: object, id: id, store: cluster.shape),
        isNew: true
      )
    }
    let statements = try PutStatements(puts).statements(rows)
    // No box put the rows and counted their IDs.
    let counter = Statement(
      "INSERT INTO \(cluster.tables.idTable) SELECT $1, max(\(table.id.name)) + 1 FROM \(table.name) "
        + "ON CONFLICT (entity) DO UPDATE SET next = excluded.next"
    ) {
      $0.append(id: table.schema.identity.uid)
    }
    _ = try await cluster.pool.run(statements + (objects.isEmpty ? [] : [counter]))
  }

  /// Copies the owners' pairs of friends.
  func copyFriends() async throws {
    var sources: [UInt64] = []
    var targets: [UInt64] = []
    for owner in try embedded.box(for: QueryOwner.self).all() {
      for friend in try owner.friends.getUncachedIdsFromDb() {
        sources.append(owner.id)
        targets.append(friend)
      }
    }
    let pairs = try #require(cluster.tables.allPairs.first { $0.source.name == "QueryOwner" })
    let copy = Statement(
      "INSERT INTO \(pairs.name) (source, target) SELECT * FROM unnest($1, $2)"
    ) {
      $0.append(ids: sources)
      $0.append(ids: targets)
    }
    _ = try await cluster.pool.run([copy])
  }

  /// Returns the number of round trips that a body makes; no others may run meanwhile.
  func roundTrips(_ body: () async throws -> Void) async throws -> Int {
    let before = cluster.pool.roundTrips
    try await body()
    return cluster.pool.roundTrips - before
  }
}

/// The queries of one of the two stores, in a common form.
protocol QueryStore {
  func ids<E>(_ query: TestedQuery<E>, offset: Int, limit: Int) async throws -> [UInt64]
  func count<E>(_ query: TestedQuery<E>) async throws -> Int
  func objects<E>(_ query: TestedQuery<E>) async throws -> [E]
  func unique<E>(_ query: TestedQuery<E>) async throws -> E?
  func page<E>(_ query: TestedQuery<E>, after cursor: PageCursor?, limit: Int) async throws
    -> QueryPage<E>
  func count<E>(_ query: TestedQuery<E>, limit: Int) async throws -> Int
  func update<E>(_ query: TestedQuery<E>, _ change: (inout ObjectUpdate<E>) -> Void) async throws
    -> UInt64
}

/// A query independent of a store.
struct TestedQuery<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  var selection: Selection

  init(_ condition: QueryCondition<E>?) {
    selection = Selection(of: condition?.condition)
  }

  init(_ selection: Selection) {
    self.selection = selection
  }

  func ordered(by propertyID: UInt32, _ flags: [OrderFlags] = []) -> Self {
    Self(selection.ordered(by: QueryOrder(propertyID: propertyID, flags)))
  }
}

struct EmbeddedQueries: QueryStore {
  let store: Store

  private func query<E>(_ query: TestedQuery<E>) throws -> Query<E> {
    try Query(checking: query.selection, in: store.box(for: E.self))
  }

  func ids<E>(_ query: TestedQuery<E>, offset: Int, limit: Int) async throws -> [UInt64] {
    try self.query(query).findIds(offset: offset, limit: limit).map(\.value)
  }

  func count<E>(_ query: TestedQuery<E>) async throws -> Int { try self.query(query).count() }

  func objects<E>(_ query: TestedQuery<E>) async throws -> [E] { try self.query(query).find() }

  func unique<E>(_ query: TestedQuery<E>) async throws -> E? { try self.query(query).findUnique() }

  func page<E>(
    _ query: TestedQuery<E>,
    after cursor: PageCursor?,
    limit: Int
  ) async throws -> QueryPage<E> {
    try self.query(query).find(after: cursor, limit: limit)
  }

  func count<E>(_ query: TestedQuery<E>, limit: Int) async throws -> Int {
    try self.query(query).count(limit: limit)
  }

  func update<E>(
    _ query: TestedQuery<E>,
    _ change: (inout ObjectUpdate<E>) -> Void
  ) async throws -> UInt64 {
    try self.query(query).update(change)
  }
}

struct ClusterQueries: QueryStore {
  let cluster: Cluster

  func query<E>(_ query: TestedQuery<E>) throws -> ClusterQuery<E> {
    var copy = cluster.box(for: E.self).query()
    copy.selection = query.selection
    return try copy.build()
  }

  func ids<E>(_ query: TestedQuery<E>, offset: Int, limit: Int) async throws -> [UInt64] {
    try await self.query(query).findIds(offset: offset, limit: limit).map(\.value)
  }

  func count<E>(_ query: TestedQuery<E>) async throws -> Int { try await self.query(query).count() }

  func objects<E>(_ query: TestedQuery<E>) async throws -> [E] {
    try await self.query(query).find()
  }

  func unique<E>(_ query: TestedQuery<E>) async throws -> E? {
    try await self.query(query).findUnique()
  }

  func page<E>(
    _ query: TestedQuery<E>,
    after cursor: PageCursor?,
    limit: Int
  ) async throws -> QueryPage<E> {
    try await self.query(query).find(after: cursor, limit: limit)
  }

  func count<E>(_ query: TestedQuery<E>, limit: Int) async throws -> Int {
    try await self.query(query).count(limit: limit)
  }

  func update<E>(
    _ query: TestedQuery<E>,
    _ change: (inout ObjectUpdate<E>) -> Void
  ) async throws -> UInt64 {
    try await self.query(query).update(change)
  }
}

extension QueryStores {
  var embeddedQueries: any QueryStore { EmbeddedQueries(store: embedded) }
  var clusterQueries: any QueryStore { ClusterQueries(cluster: cluster) }
}
