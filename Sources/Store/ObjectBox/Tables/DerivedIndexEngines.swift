internal import ObjectBoxStorage

/// The kinds of derived indexes that the program can use.
package enum DerivedIndexEngines {
  package static let all: [any DerivedIndexEngine] =
    [VectorIndexEngine()] + [EngineCall.engine].compactMap { $0 as? any DerivedIndexEngine }

  /// Returns a derived index of an entity; nil if no engine knows its kind.
  static func definition(
    ofIndex id: UInt32,
    tables: [StorageTable],
    in entity: EntitySchema
  ) -> (any DerivedIndexDefinition)? {
    for engine in all {
      if let index = engine.definition(ofIndex: id, tables: tables, in: entity) { return index }
    }
    return nil
  }
}
