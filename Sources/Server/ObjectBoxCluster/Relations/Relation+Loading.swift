public import ObjectBox

extension ToOne {
  /// Loads the target unless it is loaded, so that `target` needs no server.
  ///
  ///     let customer = try await order.customer.load()
  ///
  /// An object of an embedded store loads the target from that store.
  ///
  /// - Parameter transaction: The transaction that reads, and sees its own puts; nil for the newest
  ///   commit.
  /// - Returns: The target; nil when there is none or it was removed.
  /// - Throws: `ObjectBoxError` and ``ClusterError``.
  @discardableResult
  public func load(in transaction: ClusterTransaction? = nil) async throws -> T? {
    guard let store = lazyTarget?.store else { return target }
    guard let host = store.relationHost as? ClusterHost else {
      try loadFromFile()
      return target
    }
    let load = RelationLoad<T>(.toOne(property: propertyID))
    load.add(self)
    try await host.source(transaction).load([load])
    return target
  }
}

extension ToMany {
  /// Loads the objects unless they are loaded, so that the relation needs no server.
  ///
  ///     try await ada.orders.load()
  ///     for order in ada.orders { show(order) }
  ///
  /// An object of an embedded store loads them from that store. A relation of an object that is not
  /// stored is empty.
  ///
  /// - Parameter transaction: The transaction that reads, and sees its own puts; nil for the newest
  ///   commit.
  /// - Throws: `ObjectBoxError` and ``ClusterError``.
  public func load(in transaction: ClusterTransaction? = nil) async throws {
    guard content == nil, let link, link.host != 0, let host = clusterHost else {
      return try resolveFromDb()
    }
    let load = RelationLoad<S>(link.end)
    load.add(self)
    try await host.source(transaction).load([load])
  }

  /// Returns the IDs of the stored related objects, ascending; loaded objects are neither used nor
  /// changed.
  ///
  /// - Parameter transaction: The transaction that reads, and sees its own puts; nil for the newest
  ///   commit.
  /// - Returns: IDs.
  /// - Throws: `ObjectBoxError.cannotRelateToUnsavedEntities` for a relation of an object that is
  ///   not stored, other cases of `ObjectBoxError`; ``ClusterError``.
  public func loadIds(
    in transaction: ClusterTransaction? = nil
  ) async throws -> [S.EntityBindingType.IdType] {
    guard let link, link.host != 0, let host = clusterHost else {
      return try getUncachedIdsFromDb()
    }
    let source = try host.source(transaction)
    let tables = source.cluster.tables
    guard let table = tables.table(entity: S.entityInfo.entitySchemaId) else { return [] }
    let related = try tables.related(by: link.end, to: table)
    let statement = Statement(
      "SELECT t.\(table.id.name)\(related.source) WHERE \(related.host) = $1"
        + " ORDER BY t.\(table.id.name)"
    ) { $0.append(id: link.host) }
    return try await source.run([statement])[0].ids().map { S.EntityBindingType.IdType($0) }
  }

  private var clusterHost: ClusterHost? { __store?.relationHost as? ClusterHost }
}

extension ClusterHost {
  /// Returns the place where relations are read.
  ///
  /// - Parameter transaction: An open transaction; nil for the newest commit.
  /// - Returns: The place.
  /// - Throws: ``ClusterError/closed(message:)`` when the cluster was released.
  fileprivate func source(_ transaction: ClusterTransaction?) throws -> ReadSource {
    if let transaction { return .transaction(transaction) }
    guard let cluster else {
      throw ClusterError.closed(
        message:
          "a relation was loaded after its cluster was released; keep the cluster as long as its objects"
      )
    }
    return .newest(cluster)
  }
}
