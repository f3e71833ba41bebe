/// An index over several properties of an entity.
package struct SchemaCompoundIndex: Hashable, Sendable {
  /// Swift names of the properties, in the order of the key.
  package var properties: [String]
  /// True when no two objects may have the same values.
  package var isUnique: Bool
  /// Position of the annotation.
  package var position: SourcePosition

  /// Set by ``ModelSynchronizer``.
  package var modelID: ModelID?
  /// Set by ``ModelSynchronizer``.
  package var propertyIDs: [ModelID] = []
}
