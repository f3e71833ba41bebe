internal import ObjectBox

/// Loads one end of a relation of several objects in one statement.
protocol RelationLoading: AnyObject {
  /// Adds a relation unless it has another end, or is loaded or changed.
  func add(_ relation: any __RelationInMemory)

  /// Returns the statement for the related objects; nil when no relation was added.
  func statement(_ tables: ClusterTables) throws -> Statement?

  /// Sets the objects of the relations.
  ///
  /// - Parameters:
  ///   - rows: The rows of the statement.
  ///   - cluster: The cluster of the rows.
  /// - Throws: `ObjectBoxError` of the binding; no relation is then loaded.
  func take(_ rows: ResultRows, in cluster: Cluster) throws

  /// The next level: the relations of the objects set by ``take(_:in:)``.
  var further: [any RelationLoading] { get }
}

extension ReadSource {
  /// Loads relations, level by level, in one round trip for each level, or none.
  func load(_ relations: [any RelationLoading]) async throws {
    let cluster = cluster
    var level = relations
    while !level.isEmpty {
      var open: [any RelationLoading] = []
      var batch: [Statement] = []
      for load in level {
        guard let statement = try load.statement(cluster.tables) else { continue }
        open.append(load)
        batch.append(statement)
      }
      if batch.isEmpty { return }
      for (load, rows) in zip(open, try await run(batch)) { try load.take(rows, in: cluster) }
      level = open.flatMap(\.further)
    }
  }
}

/// Loads relations of several objects to the entity `S` in one statement.
final class RelationLoad<S>: RelationLoading
where S: Entity & EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
  private let end: RelationEnd
  private var toOnes: [(id: UInt64, relation: ToOne<S>)] = []
  private var toManys: [(host: UInt64, relation: ToMany<S>)] = []
  private let inclusions: ClusterInclusions<S>
  private(set) var further: [any RelationLoading] = []

  /// - Parameters:
  ///   - end: The end of the relations.
  ///   - inclusions: Relations of the related objects to load as well.
  init(_ end: RelationEnd, _ inclusions: ClusterInclusions<S> = ClusterInclusions()) {
    self.end = end
    self.inclusions = inclusions
  }

  func add(_ relation: any __RelationInMemory) {
    if case .toOne(let property) = end {
      guard let toOne = relation as? ToOne<S>, toOne.propertyID == property else { return }
      add(toOne)
    } else if let toMany = relation as? ToMany<S>, toMany.link?.end == end {
      add(toMany)
    }
  }

  func add(_ relation: ToOne<S>) {
    if let id = relation.lazyTarget?.id { toOnes.append((id, relation)) }
  }

  func add(_ relation: ToMany<S>) {
    guard relation.content == nil, let host = relation.link?.host, host != 0 else { return }
    toManys.append((host, relation))
  }

  /// The table of the related objects.
  private static func table(_ tables: ClusterTables) throws -> ClusterTable {
    guard let table = tables.table(entity: S.entityInfo.entitySchemaId) else {
      throw ObjectBoxError.illegalArgument(
        message:
          "the model of the cluster lacks '\(S.entityInfo.entityName)'; run the generator again"
      )
    }
    return table
  }

  func statement(_ tables: ClusterTables) throws -> Statement? {
    if toOnes.isEmpty, toManys.isEmpty { return nil }
    let table = try Self.table(tables)
    let columns = table.selection(as: "t")
    var parameters = Parameters()
    parameters.append(ids: Set(toOnes.map(\.id) + toManys.map(\.host)).sorted())
    if case .toOne = end {
      return Statement(
        "SELECT \(columns) FROM \(table.name) t WHERE t.\(table.id.name) = ANY($1)",
        parameters
      )
    }
    let related = try tables.related(by: end, to: table)
    return Statement(
      "SELECT \(related.host), \(columns)\(related.source) WHERE \(related.host) = ANY($1)"
        + " ORDER BY t.\(table.id.name)",
      parameters
    )
  }

  func take(_ rows: ResultRows, in cluster: Cluster) throws {
    let decoding = RowDecoding<S>(try Self.table(cluster.tables), store: cluster.shape)
    if case .toOne = end {
      var found: [UInt64: Int] = [:]
      for (row, id) in rows.ids().enumerated() { found[id] = row }
      // Each relation gets its own instance, so that a change of one does not appear in another.
      let targets = try toOnes.map { try found[$0.id].map { try decoding.object(rows, $0) } }
      for (toOne, target) in zip(toOnes, targets) {
        _ = toOne.relation.resolve(toOne.id, to: target.map { KeptTarget.keep($0) })
      }
      further = inclusions.loads(of: targets.compactMap { $0 })
      return
    }
    var found: [UInt64: [Int]] = [:]
    for (row, host) in rows.ids().enumerated() { found[host, default: []].append(row) }
    let lists = try toManys.map {
      try (found[$0.host] ?? []).map { try decoding.object(rows, $0, from: 1) }
    }
    for (toMany, objects) in zip(toManys, lists) {
      toMany.relation.setContent(RelatedObjects(stored: objects))
    }
    further = inclusions.loads(of: Array(lists.joined()))
  }
}

extension ClusterTables {
  /// Returns FROM with the related objects as `t`, and the host's column; not for the end at a
  /// to-one property.
  func related(
    by end: RelationEnd,
    to table: ClusterTable
  ) throws -> (source: String, host: String) {
    let columns = try columns(of: end, from: nil, to: table)
    guard let pairs = columns.pairs else {
      return (" FROM \(table.name) t", "t.\(columns.target)")
    }
    return (
      " FROM \(pairs) p JOIN \(table.name) t ON t.\(table.id.name) = p.\(columns.target)",
      "p.\(columns.host)"
    )
  }
}
