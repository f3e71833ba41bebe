/// The old property of a migration, found in the model.
struct MigrationMatch {
  /// Nil with a finding.
  private(set) var source: SchemaMigration.Source?
  /// True when the declaration is a new property, even if the model has one of its name.
  private(set) var isNew = false
  private(set) var diagnostics: [Diagnostic] = []

  /// Finds the old property.
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
    guard let migration = property.migration else { return }
    if let current, current.type == property.type?.rawValue,
      current.migratedFromName?.lowercased() == migration.name.lowercased(),
      let id = current.migratedFrom,
      let type = current.migratedFromType.flatMap(SchemaPropertyType.init)
    {
      source = SchemaMigration.Source(id: id, name: current.migratedFromName ?? "", type: type)
    } else if let found = known?[name: migration.name] {
      if let current, current.id != found.id {
        report(.migrationOfKnown(title, migration.name), at: migration.place)
        return
      }
      let type = found.type.flatMap(SchemaPropertyType.init)
      guard let type, type != .relation, !found.flags.contains(.id) else {
        report(.migrationOfOther(title, migration.name), at: migration.place)
        return
      }
      if property.hasUID(of: current) {
        report(.migrationWithOldUID(title), at: property.uidPlace ?? migration.place)
        return
      }
      isNew = true
      source = SchemaMigration.Source(id: found.id, name: found.name, type: type)
    } else {
      report(.noMigrationSource(title, migration.name), at: migration.place)
    }
    if let source { checkFunction(migration, property, title, source) }
  }

  private mutating func checkFunction(
    _ migration: SchemaMigration,
    _ property: SchemaProperty,
    _ title: String,
    _ source: SchemaMigration.Source
  ) {
    let type = source.type.swiftType
    if let function = migration.function {
      guard !function.reads.canRead(source.type) else { return }
      let message = DiagnosticMessage.migrationParameter(
        migration.functionName,
        function.parameter,
        source.name,
        type
      )
      report(message, at: SourceSpan(position: function.position, length: 0))
      return
    }
    let signature = "static func \(migration.functionName)(_ old: \(type)) -> \(property.swiftType)"
    let message = DiagnosticMessage.noMigration(title, signature)
    let fix = migration.functionPlace.map { place in
      FixIt(
        "write the skeleton of the function",
        edits: [
          FixIt.Edit(
            SourceSpan(position: place, length: 0),
            replacement: """

                /// Returns the new value of `\(property.name)` for its old value, when a store is migrated.
                \(signature) {
                  #error("return the value of '\(property.name)' for the old value")
                }

              """
          )
        ],
        isSafe: true
      )
    }
    diagnostics.append(Diagnostic(message, at: migration.place, fixIts: fix.map { [$0] } ?? []))
  }

  private mutating func report(_ message: DiagnosticMessage, at place: SourceSpan) {
    diagnostics.append(Diagnostic(message, at: place))
  }
}

extension SchemaProperty {
  /// Returns whether the annotation `uid` names an element of the model.
  func hasUID(of element: ModelDocument.Property?) -> Bool {
    if case .value(let uid) = uid { uid == element?.id.uid } else { false }
  }
}

extension SchemaPropertyType {
  /// Returns whether values of another type can be read as values of this one.
  fileprivate func canRead(_ stored: SchemaPropertyType) -> Bool {
    switch (self, stored) {
    case (.date, .dateNano), (.byteVector, .flex), (.short, .char): true
    default: self == stored
    }
  }

  /// The Swift type of stored values, which may be null.
  var swiftType: String {
    switch self {
    case .bool: "Bool?"
    case .byte: "Int8?"
    case .short, .char: "Int16?"
    case .int: "Int32?"
    case .long, .relation: "Int?"
    case .float: "Float?"
    case .double: "Double?"
    case .string: "String?"
    case .date, .dateNano: "Date?"
    case .flex, .byteVector, .boolVector, .shortVector, .charVector, .doubleVector, .dateVector,
      .dateNanoVector:
      "Data?"
    case .intVector: "[Int32]?"
    case .longVector: "[Int64]?"
    case .floatVector: "[Float]?"
    case .stringVector: "[String]?"
    }
  }
}

extension DiagnosticMessage {
  static func noMigrationSource(_ title: String, _ name: String) -> Self {
    "\(title) is migrated from '\(name)', which its entity does not have in the model; write the old "
      + "property's name, or restore the model file as it was before that property was removed"
  }

  static func migrationWithOldUID(_ title: String) -> Self {
    "\(title) is migrated, so it is a new property with a UID of its own, and the annotation names the "
      + "UID of the old property; remove the uid annotation"
  }

  static func migrationOfKnown(_ title: String, _ name: String) -> Self {
    "\(title) is in the model already, so it cannot be migrated from '\(name)': stored objects may "
      + "have values for it; give the migrated property a new name, or copy the values in a write"
  }

  static func migrationOfOther(_ title: String, _ name: String) -> Self {
    "\(title) cannot be migrated from '\(name)', which is the ID, a relation or of a type that the "
      + "model leaves out; copy the values in a write"
  }

  static func migrationParameter(
    _ function: String,
    _ parameter: String,
    _ name: String,
    _ type: String
  ) -> Self {
    "the function '\(function)' takes '\(parameter)', and the old property '\(name)' is stored as "
      + "'\(type)'; take that type"
  }

  static func noMigration(_ title: String, _ signature: String) -> Self {
    "\(title) is migrated, and the function that makes its values is missing; add `\(signature)` to "
      + "the entity"
  }
}
