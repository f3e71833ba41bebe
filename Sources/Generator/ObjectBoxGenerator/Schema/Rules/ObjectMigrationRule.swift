/// Reads lists in the annotation `migratedFrom`, and finds the function that fills their properties.
enum ObjectMigrationRule {
  private static let oldValues = "OldValues"

  /// Returns the migration of a property whose annotation has a list; nil for others, or if a
  /// finding says why.
  static func migration(
    of property: SchemaProperty,
    _ stored: StoredVariable
  ) -> (migration: SchemaObjectMigration?, diagnostics: [Diagnostic]) {
    guard let item = stored.annotations["migratedFrom"], case .list(let elements) = item.value,
      property.type != .relation
    else { return (nil, []) }
    let names = elements.compactMap { element -> String? in
      if case .text(let name) = element, !name.isEmpty { name } else { nil }
    }
    guard names.count == elements.count, !names.isEmpty, Set(names).count == names.count else {
      return (nil, [Diagnostic(.migrationWithoutName(stored.path), at: item.valuePlace)])
    }
    guard property.type != nil else {
      return (nil, [Diagnostic(.migrationOfUnknownType(stored.path), at: item.name)])
    }
    return (SchemaObjectMigration(names: names, place: item.name), [])
  }

  /// Finds the function of an entity; nil if no property needs one, or if a finding says why.
  ///
  /// - Parameters:
  ///   - type: The entity's type.
  ///   - properties: Its properties.
  ///   - names: The names of the sources.
  /// - Returns: The function and the findings.
  static func function(
    of type: ParsedType,
    filling properties: [SchemaProperty],
    _ names: DeclaredNames
  ) -> (function: SchemaObjectMigration.Function?, diagnostics: [Diagnostic]) {
    let all = type.migrations.filter { function in
      function.name == "migrate"
        && function.parameters.first.map { DeclaredType($0).name } == oldValues
    }
    let fitting = all.filter { takes(type, $0, names) }
    guard let migration = properties.lazy.compactMap(\.objectMigration).first else {
      // A faulty list has a finding of its own.
      let hasList = type.variables.contains { variable in
        if case .list? = variable.annotations["migratedFrom"]?.value { true } else { false }
      }
      let idle = fitting.map { Diagnostic(.idleObjectMigration, at: $0.position) }
      return (nil, hasList ? [] : idle)
    }
    let signature = signature(of: type)
    guard let function = fitting.first else {
      if let other = all.first {
        return (nil, [Diagnostic(.objectMigrationSignature(signature), at: other.position)])
      }
      return (nil, [missing(signature, type, at: migration.place)])
    }
    if let fault = fault(of: function, count: fitting.count, in: type) {
      return (nil, [Diagnostic(fault, at: function.position)])
    }
    return (.init(isThrowing: function.isThrowing), [])
  }

  private static func signature(of type: ParsedType) -> String {
    let mark = type.kind == .struct ? "inout " : ""
    return "static func migrate(_ old: \(oldValues), to new: \(mark)\(type.name)) throws"
  }

  /// Returns whether labels, the second type and the result match the signature.
  private static func takes(
    _ type: ParsedType,
    _ function: ParsedMigration,
    _ names: DeclaredNames
  ) -> Bool {
    guard function.labels == ["_", "to"], function.parameters.count == 2,
      [nil, "Void", "()"].contains(function.result)
    else { return false }
    let text = function.parameters[1]
    let isInout = text.hasPrefix("inout ")
    let declared = DeclaredType(isInout ? String(text.dropFirst("inout ".count)) : text)
    let taken = names.resolve(declared, in: type.qualifiedName)
    return isInout == (type.kind == .struct) && SwiftName.plain(taken.name) == type.qualifiedName
      && !taken.isOptional
  }

  private static func fault(
    of function: ParsedMigration,
    count: Int,
    in type: ParsedType
  ) -> DiagnosticMessage? {
    if count > 1 { return .severalMigrations(function.name) }
    if function.isPrivate { return .privateMigration(function.name) }
    if function.isAsync { return .asyncMigration(function.name) }
    if type.isolation == .mainActor { return .isolatedObjectMigration(type.qualifiedName) }
    return nil
  }

  private static func missing(
    _ signature: String,
    _ type: ParsedType,
    at place: SourceSpan
  ) -> Diagnostic {
    let fix = type.bodyStart.map { start in
      FixIt(
        "write the skeleton of the function",
        edits: [
          FixIt.Edit(
            SourceSpan(position: start, length: 0),
            replacement: """

                /// Sets the new properties of an object from its old values, when a store is migrated.
                \(signature) {
                  #error("set the properties that are annotated with a list of old properties")
                }

              """
          )
        ],
        isSafe: true
      )
    }
    let message = DiagnosticMessage.noObjectMigration(type.qualifiedName, signature)
    return Diagnostic(message, at: place, fixIts: fix.map { [$0] } ?? [])
  }
}

extension DiagnosticMessage {
  static func noObjectMigration(_ entity: String, _ signature: String) -> Self {
    "entity '\(entity)' has properties that are migrated from a list, and the function that fills "
      + "them is missing; add `\(signature)` to the entity"
  }

  static func objectMigrationSignature(_ signature: String) -> Self {
    "the function 'migrate' cannot migrate the objects of its entity; declare it as `\(signature)`"
  }

  static let idleObjectMigration: Self =
    "the function 'migrate' fills no property; annotate the properties that it sets with "
    + "`migratedFrom` and the list of the old properties, or remove the function"

  static func isolatedObjectMigration(_ entity: String) -> Self {
    "entity '\(entity)' is isolated to the main actor, and stores are opened on any thread, where its "
      + "objects cannot be made; migrate each property by a `nonisolated` function of its own"
  }
}
