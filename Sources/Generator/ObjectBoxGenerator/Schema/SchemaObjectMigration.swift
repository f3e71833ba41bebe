/// The migration of a property by a function that gets each object as a whole.
package struct SchemaObjectMigration: Hashable, Sendable {
  /// The static function `migrate(_:to:)` of an entity.
  package struct Function: Hashable, Sendable {
    package var isThrowing: Bool
  }

  /// Names of the old properties in the model.
  package var names: [String]
  /// Position of the annotation.
  package var place: SourceSpan

  /// The old properties in the order of their names; empty until set by ``ModelSynchronizer``.
  package var sources: [SchemaMigration.Source] = []
}
