/// What connects a to-many relation with its host, the object that it belongs to.
struct RelationLink: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    /// The host stands on the declaring side of a standalone relation.
    case standalone(relation: UInt32)
    /// The host stands on the other side of a standalone relation.
    case reverse(relation: UInt32)
    /// The host is what the others refer to by a to-one relation.
    case toOne(property: UInt32)
  }

  let kind: Kind
  /// The ID of the host; 0 when it was never stored.
  let host: UInt64

  /// Returns the IDs of the related objects, ascending.
  ///
  /// - Parameters:
  ///   - table: The entity of the related objects.
  ///   - transaction: The open transaction.
  /// - Returns: IDs in the entity of the related objects.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the model lacks the relation.
  func ids(in table: EntityTable, _ transaction: Transaction) throws -> [UInt64] {
    switch kind {
    case .standalone(let id):
      try Self.table(id, table, transaction).targets(of: host, in: transaction.storage)
    case .reverse(let id):
      try Self.table(id, table, transaction).sources(of: host, in: transaction.storage)
    case .toOne(let property):
      try ToOneSources(table, propertyID: property, in: transaction.storage).ids(referringTo: host)
    }
  }

  /// Returns the table of a standalone relation.
  static func table(
    _ id: UInt32,
    _ entity: EntityTable,
    _ transaction: Transaction
  ) throws -> RelationTable {
    guard let table = transaction.core.relation(id: id) else {
      throw ObjectBoxError.illegalArgument(
        message:
          "a to-many relation to '\(entity.name)' has ID \(id), which the model of the store "
          + "lacks; run the generator again"
      )
    }
    return table
  }
}
