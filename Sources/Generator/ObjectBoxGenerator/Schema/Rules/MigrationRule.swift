/// Reads the annotation `migratedFrom`, and finds the function that it needs.
enum MigrationRule {
  typealias Result = (migration: SchemaMigration?, diagnostics: [Diagnostic])

  /// Returns the migration of a property; nil without the annotation, or if a finding says why.
  ///
  /// A missing function is no finding yet: its signature depends on the model.
  static func migration(
    of property: SchemaProperty,
    _ stored: StoredVariable,
    in type: ParsedType
  ) -> Result {
    guard let item = stored.annotations["migratedFrom"], property.type != .relation else {
      return (nil, [])
    }
    // ``ObjectMigrationRule`` reads lists.
    if case .list = item.value { return (nil, []) }
    guard case .text(let name) = item.value, !name.isEmpty else {
      return (nil, [Diagnostic(.migrationWithoutName(stored.path), at: item.valuePlace)])
    }
    guard property.type != nil else {
      return (nil, [Diagnostic(.migrationOfUnknownType(stored.path), at: item.name)])
    }
    var migration = SchemaMigration(
      name: name,
      functionName: "migrate" + property.name.prefix(1).uppercased() + property.name.dropFirst(),
      functionPlace: type.bodyStart,
      place: item.name
    )
    let functions = type.migrations.filter { $0.name == migration.functionName }
    guard let function = functions.first else { return (migration, []) }
    if let fault = fault(of: function, count: functions.count, property, stored, in: type) {
      return (nil, [Diagnostic(fault, at: function.position)])
    }
    let parameter = stored.names.resolve(
      DeclaredType(function.parameters.first ?? ""),
      in: type.qualifiedName
    )
    guard let entry = TypeTable.entry(parameter.name), !stored.names.isDeclared(parameter.name)
    else {
      let fault = DiagnosticMessage.unreadableMigration(migration.functionName, parameter.text)
      return (nil, [Diagnostic(fault, at: function.position)])
    }
    migration.function = SchemaMigration.Function(
      parameter: parameter.text,
      reads: entry.type,
      isThrowing: function.isThrowing,
      position: function.position
    )
    return (migration, [])
  }

  private static func fault(
    of function: ParsedMigration,
    count: Int,
    _ property: SchemaProperty,
    _ stored: StoredVariable,
    in type: ParsedType
  ) -> DiagnosticMessage? {
    let name = function.name
    if count > 1 { return .severalMigrations(name) }
    if function.isPrivate { return .privateMigration(name) }
    if function.isAsync { return .asyncMigration(name) }
    if type.isolation == .mainActor, !function.isNonisolated { return .isolatedMigration(name) }
    guard function.labels == ["_"], let result = function.result else {
      return .migrationSignature(name, property.swiftType)
    }
    let made = stored.names.resolve(DeclaredType(result), in: type.qualifiedName)
    guard made.name == property.unwrappedType, property.isOptional || !made.isOptional else {
      return .migrationResult(name, result, property.declaration)
    }
    return nil
  }
}

extension DiagnosticMessage {
  static func migrationWithoutName(_ path: String) -> Self {
    "the migratedFrom annotation of \(path) needs the old property's name in the model; write "
      + "\(Annotation.usage("migratedFrom"))"
  }

  static func migrationOfUnknownType(_ path: String) -> Self {
    "the stored type of \(path) is unknown to the generator, so it cannot be migrated; declare it "
      + "with a type of Swift, such as UInt8"
  }

  static func migrationOfSynchronized(_ entity: String) -> Self {
    "entity '\(entity)' is synchronized, and the server's values would replace those of a migration; "
      + "add a property without `migratedFrom`, and copy the values in a write"
  }

  static func severalMigrations(_ name: String) -> Self {
    "there is more than one static function '\(name)', and the migration needs one; rename the others"
  }

  static func privateMigration(_ name: String) -> Self {
    "the function '\(name)' is private, so generated code cannot call it; make it internal"
  }

  static func asyncMigration(_ name: String) -> Self {
    "the function '\(name)' is async, and a migration cannot wait; remove `async`"
  }

  static func isolatedMigration(_ name: String) -> Self {
    "the function '\(name)' is isolated to the main actor, and stores are opened on any thread; "
      + "declare it `nonisolated`"
  }

  static func migrationSignature(_ name: String, _ type: String) -> Self {
    "the function '\(name)' cannot migrate values; it needs one parameter without a label, for the "
      + "old value, and the result '\(type)'"
  }

  static func migrationResult(_ name: String, _ result: String, _ property: String) -> Self {
    "the function '\(name)' returns '\(result)', which the property '\(property)' cannot hold; return "
      + "the type of the property"
  }

  static func unreadableMigration(_ name: String, _ type: String) -> Self {
    "the function '\(name)' takes '\(type)', and a migration reads the stored value; take the type "
      + "that is stored, such as the raw value of an enum, as an optional"
  }
}
