internal import ObjectBox

/// Names of constraints and indexes, which contain UIDs.
///
/// Such names are unique in the database's schema, stay the same when elements are renamed, and fit
/// into PostgreSQL's limit of 63 bytes.
extension ClusterTables {
  /// Returns the properties of a violated constraint.
  ///
  /// For a unique index the server reports the code `23505` (`uniqueViolation`), and for the foreign key of a to-one
  /// relation `23503`, at the commit.
  ///
  /// - Parameter name: The name of the constraint in the report.
  /// - Returns: The entity, and the properties in the order of the index; for the primary key, the
  ///   ID property. Nil for a constraint that the model lacks.
  func properties(
    ofConstraint name: String
  ) -> (entity: EntitySchema, properties: [PropertySchema])? {
    guard let end = name.lastIndex(of: "_"), let uid = UInt64(name[name.index(after: end)...])
    else { return nil }
    let prefix = String(name[...end])
    for entity in model.entities {
      if prefix == ClusterTable.keyPrefix, entity.identity.uid == uid {
        return (entity, entity.properties.filter { $0.has(.id) })
      }
      if let property = entity.property(uid: uid) {
        return (entity, [property])
      }
      if let index = entity.compoundIndexes.first(where: { $0.identity.uid == uid }) {
        return (entity, entity.properties(ids: index.propertyIDs))
      }
    }
    return nil
  }
}

extension ClusterTable {
  static let keyPrefix = "objectbox_id_"

  /// The name of the primary key.
  var keyName: String { "\(Self.keyPrefix)\(schema.identity.uid)" }
}

extension RelationPairs {
  /// The name of the primary key, which orders pairs by source.
  var keyName: String { Self.keyName(schema.identity.uid) }
  /// The name of the index from targets to sources.
  var targetIndexName: String { Self.targetIndexName(schema.identity.uid) }

  static func keyName(_ uid: UInt64) -> String { "objectbox_relation_\(uid)_pkey" }
  static func targetIndexName(_ uid: UInt64) -> String { "objectbox_relation_\(uid)_target" }
}
