/// The migration of a property's values from a property of an earlier model.
package struct SchemaMigration: Hashable, Sendable {
  /// The static function that makes the new value.
  package struct Function: Hashable, Sendable {
    /// The parameter, as written.
    package var parameter: String
    /// The type of the values that the function can read.
    package var reads: SchemaPropertyType
    package var isThrowing: Bool
    package var position: SourcePosition
  }

  /// The old property, as ``ModelSynchronizer`` found it in the model.
  package struct Source: Hashable, Sendable {
    package var id: ModelID
    package var name: String
    package var type: SchemaPropertyType
  }

  /// Name of the old property in the model.
  package var name: String
  /// The name that the function must have.
  package var functionName: String
  /// Nil if the sources lack it.
  package var function: Function?
  /// Where a missing function may be written.
  package var functionPlace: SourcePosition?
  /// Position of the annotation.
  package var place: SourceSpan

  /// Set by ``ModelSynchronizer``.
  package var source: Source?
}
