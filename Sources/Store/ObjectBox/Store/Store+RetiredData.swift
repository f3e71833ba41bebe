/// Data of entities and standalone relations that are no longer in the model.
///
/// A store keeps the data. If a later model has these elements again, with the same UIDs, their
/// objects and links are back.
public struct RetiredData: Hashable, Sendable {
  /// An entity that is no longer in the model.
  public struct Entity: Hashable, Sendable {
    /// The name that it last had.
    public let name: String
    /// The UID; a model with this UID gets the data back.
    public let uid: UInt64
    /// The number of its objects.
    public let objectCount: Int
    /// The size of the pages with its objects in bytes.
    public let sizeInBytes: Int
  }

  /// A standalone to-many relation that is no longer in the model.
  public struct Relation: Hashable, Sendable {
    /// The UID; a model with this UID gets the data back.
    public let uid: UInt64
    /// The name of the entity that declared it.
    public let source: String
    /// The name of the target entity.
    public let target: String
    /// The number of links, each from one object to another.
    public let linkCount: Int
    /// The size of the pages with its links in bytes.
    public let sizeInBytes: Int
  }

  /// In the order in which they were removed from the model.
  public let entities: [Entity]
  /// In the order in which they were removed from the model.
  public let relations: [Relation]

  /// The size of all retired data in bytes.
  public var sizeInBytes: Int {
    entities.reduce(0) { $0 + $1.sizeInBytes } + relations.reduce(0) { $0 + $1.sizeInBytes }
  }

  /// True when there is no retired data.
  public var isEmpty: Bool { entities.isEmpty && relations.isEmpty }

  init(_ retired: RetiredSchema) {
    entities = retired.entities.map {
      Entity(
        name: $0.schema.name,
        uid: $0.schema.identity.uid,
        objectCount: $0.objectCount,
        sizeInBytes: $0.sizeInBytes
      )
    }
    relations = retired.relations.map {
      Relation(
        uid: $0.identity.uid,
        source: $0.sourceName,
        target: $0.targetName,
        linkCount: $0.linkCount,
        sizeInBytes: $0.sizeInBytes
      )
    }
  }
}

extension Store {
  /// Removes the data of entities, relations and properties that are no longer in the model.
  ///
  /// New objects reuse the pages; `compact(progress:)` makes the file smaller. The values of
  /// removed properties cannot come back either: the next put of each object removes their bytes.
  /// ``Store/statistics`` lists the retired data.
  ///
  /// - Returns: The removed data.
  /// - Throws: ``ObjectBoxError``: `alreadyInWriteTransaction` in a write transaction,
  ///   `cannotWriteWhileReading` in a read, and the errors of other writes. All data is kept then.
  @discardableResult
  public func discardRetiredData() throws -> RetiredData {
    try checkOpen()
    if transactions.isWritingOnThisThread {
      throw ObjectBoxError.alreadyInWriteTransaction(
        message: "cannot discard the retired data of the store at '\(file.location)' in a write "
          + "transaction; call discardRetiredData() before or after it"
      )
    }
    guard let system = file.system else { return RetiredData(RetiredSchema()) }
    let discarded = try transactions.inTransaction(isWritable: true) { transaction, _ in
      try Retirement.discardAll(file.schema, system: system, in: transaction.storage)
    }
    file.retired.withLock { $0 = RetiredSchema() }
    return RetiredData(discarded)
  }
}
