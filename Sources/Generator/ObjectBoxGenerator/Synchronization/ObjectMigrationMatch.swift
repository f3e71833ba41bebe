/// The old properties of a list in the annotation `migratedFrom`, found in the model.
struct ObjectMigrationMatch {
  /// In the order of the names; empty with a finding.
  private(set) var sources: [SchemaMigration.Source] = []
  /// True when the declaration is a new property, even if the model has one of its name.
  private(set) var isNew = false
  private(set) var diagnostics: [Diagnostic] = []

  /// Finds the old properties.
  ///
  /// - Parameters:
  ///   - property: The declaration with the migration.
  ///   - title: The declaration in findings.
  ///   - current: The model's property for the declaration; nil for a new one.
  ///   - known: The properties of the entity in the model; nil for a new entity.
  init(
    of property: SchemaProperty,
    _ title: String,
    _ current: ModelDocument.Property?,
    among known: [ModelDocument.Property]?
  ) {
    guard let migration = property.objectMigration else { return }
    if let current, current.type == property.type?.rawValue,
      current.migratedFromNames.map({ $0.lowercased() })
        == migration.names.map({ $0.lowercased() })
    {
      sources = zip(current.objectMigrationSources, migration.names).map { $0.named($1) }
      if sources.count == migration.names.count { return }
    }
    var found: [SchemaMigration.Source] = []
    for name in migration.names {
      if let old = known?[name: name] {
        let type = old.type.flatMap(SchemaPropertyType.init)
        guard let type, type != .relation, !old.flags.contains(.id) else {
          report(.migrationOfOther(title, name), at: migration.place)
          continue
        }
        found.append(.init(id: old.id, name: name, type: type))
      } else if let kept = known?.lazy.flatMap(\.objectMigrationSources).first(where: {
        $0.name.lowercased() == name.lowercased()
      }) {
        // The function read the old property before this property was new.
        found.append(kept.named(name))
      } else {
        report(.noMigrationSource(title, name), at: migration.place)
      }
    }
    guard diagnostics.isEmpty else { return }
    if let current, !found.contains(where: { $0.id == current.id }) {
      let names = migration.names.joined(separator: ", ")
      report(.migrationOfKnown(title, names), at: migration.place)
      return
    }
    if property.hasUID(of: current) {
      report(.migrationWithOldUID(title), at: property.uidPlace ?? migration.place)
      return
    }
    isNew = true
    sources = found
  }

  private mutating func report(_ message: DiagnosticMessage, at place: SourceSpan) {
    diagnostics.append(Diagnostic(message, at: place))
  }
}

extension ModelDocument.Property {
  /// The old properties that the function of whole objects reads for this property; empty if the
  /// lists in the model do not fit each other.
  fileprivate var objectMigrationSources: [SchemaMigration.Source] {
    let types = migratedFromTypes.compactMap(SchemaPropertyType.init)
    let ids = migratedFromProperties
    guard types.count == ids.count, migratedFromNames.count == ids.count else { return [] }
    return ids.indices.map { .init(id: ids[$0], name: migratedFromNames[$0], type: types[$0]) }
  }
}

extension SchemaMigration.Source {
  /// The old property with its name as the annotation writes it, by which the function reads it.
  fileprivate func named(_ name: String) -> Self { Self(id: id, name: name, type: type) }
}
