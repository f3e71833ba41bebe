/// Makes entities from types.
enum EntityRule {
  /// Makes the entity of a type; nil when the type's declaration is not in the sources.
  static func entity(
    of type: ParsedType,
    names: DeclaredNames
  ) -> (entity: SchemaEntity?, diagnostics: [Diagnostic]) {
    if type.kind == .extension {
      return (nil, [Diagnostic(.unknownExtendedType(type.qualifiedName), at: type.position)])
    }
    var diagnostics: [Diagnostic] = []
    if type.isGeneric {
      diagnostics.append(Diagnostic(.genericEntity(type.qualifiedName), at: type.position))
    }
    if type.isPrivate {
      diagnostics.append(Diagnostic(.privateEntity(type.qualifiedName), at: type.position))
    }

    var properties: [SchemaProperty] = []
    var relations: [SchemaRelation] = []
    // Annotations with syntax errors already have findings and would cause more.
    for variable in storedVariables(of: type)
    where !variable.annotations.diagnostics.contains(where: \.isError) {
      let stored = StoredVariable(variable, of: type.qualifiedName, names)
      if let target = RelationRule.target(of: "ToMany", in: stored.type) {
        let result = RelationRule.toMany(stored, target: target)
        diagnostics += result.diagnostics
        relations.append(result.relation)
        continue
      }
      let result = PropertyRule.property(of: stored)
      diagnostics += result.diagnostics
      guard var property = result.property else { continue }
      let migration = MigrationRule.migration(of: property, stored, in: type)
      property.migration = migration.migration
      diagnostics += migration.diagnostics
      let objectMigration = ObjectMigrationRule.migration(of: property, stored)
      property.objectMigration = objectMigration.migration
      diagnostics += objectMigration.diagnostics
      properties.append(property)
      diagnostics += AnnotationRule.conflicts(stored, property)
    }
    diagnostics += checkNames(properties, of: type)
    diagnostics += InitializerRule.check(type, storing: storedVariables(of: type))
    let id = IDRule.apply(to: &properties, of: type)
    diagnostics += id + AnnotationRule.misplaced(onIDOf: type, among: properties)

    let uid = UIDRule.request(type.annotations, on: "'\(type.qualifiedName)'")
    diagnostics += uid.diagnostics
    let sync = SyncFlagsRule.flags(of: type)
    diagnostics += sync.diagnostics
    if sync.flags.contains(.syncEnabled) {
      diagnostics += properties.compactMap { $0.migration?.place ?? $0.objectMigration?.place }
        .map { Diagnostic(.migrationOfSynchronized(type.qualifiedName), at: $0) }
    }
    let objectMigration = ObjectMigrationRule.function(of: type, filling: properties, names)
    diagnostics += objectMigration.diagnostics
    diagnostics += SyncClockRule.apply(
      to: &properties,
      of: type,
      sync.flags
    )
    diagnostics += SyncUniqueRule.check(
      properties,
      of: type,
      isSynchronized: sync.flags.contains(.syncEnabled)
    )
    let compound = CompoundIndexRule.indexes(of: type, over: properties)
    diagnostics += compound.diagnostics
    let fullText = FullTextRule.indexes(of: type, over: properties, relations)
    diagnostics += fullText.diagnostics
    diagnostics += SyncCounterRule.apply(
      to: &properties,
      of: type,
      isSynchronized: sync.flags.contains(.syncEnabled),
      compound.indexes
    )
    let entity = SchemaEntity(
      typeName: type.name,
      qualifiedName: type.qualifiedName,
      databaseName: name(type.annotations) ?? type.name,
      kind: type.kind == .struct ? .struct : .class,
      declaresConformance: type.statesConformance,
      access: type.access,
      isolation: type.isolation,
      uid: uid.request,
      flags: sync.flags,
      externalName: type.annotations["externalName"]?.value.string,
      properties: properties,
      relations: relations,
      compoundIndexes: compound.indexes,
      fullTextIndexes: fullText.indexes,
      objectMigration: objectMigration.function,
      position: type.position,
      uidPlace: uid.place
    )
    return (entity, diagnostics)
  }

  /// Returns the database name in the annotations; nil when it is missing or empty.
  static func name(_ annotations: Annotations) -> String? {
    guard let name = annotations["name"]?.value.string, !name.isEmpty else { return nil }
    return name
  }

  /// Returns the variables that become properties, in declaration order.
  private static func storedVariables(of type: ParsedType) -> [ParsedVariable] {
    var seen: Set<[String?]> = []
    // One declaration in several branches of `#if` is one property.
    return type.variables.filter { $0.isStored && seen.insert([$0.name, $0.type]).inserted }
  }

  /// Static members that the protocols of the runtime ask of each entity.
  private static let reservedNames: Set<String> = [
    "entityInfo", "entityBinding", "EntityType", "EntityBindingType",
  ]

  private static func checkNames(
    _ properties: [SchemaProperty],
    of type: ParsedType
  ) -> [Diagnostic] {
    let reserved = properties.filter { reservedNames.contains($0.name) }.map {
      Diagnostic(.reservedName($0.name, entity: type.qualifiedName), at: $0.position)
    }
    return reserved
      + properties.repetitions { $0.databaseName.lowercased() }.map { earlier, later in
        Diagnostic(
          .duplicatePropertyName(
            later.name,
            earlier.name,
            later.databaseName,
            entity: type.qualifiedName
          ),
          at: later.position,
          notes: [Diagnostic(.earlierDeclaration, at: earlier.position)]
        )
      }
  }
}

extension DiagnosticMessage {
  static func reservedName(_ name: String, entity: String) -> Self {
    "property '\(name)' of entity '\(entity)' has the name of a static member that each entity has; "
      + "give it another name, and `// objectbox: name = \"\(name)\"` to keep its name in the store"
  }

  static func genericEntity(_ name: String) -> Self {
    "entity '\(name)' is generic, which cannot be stored; make a type without parameters"
  }

  static func privateEntity(_ name: String) -> Self {
    "entity '\(name)' is private, or within a private type, so generated code cannot reach it; "
      + "make it internal"
  }

  static func unknownExtendedType(_ name: String) -> Self {
    "'\(name)' is made an entity by an extension, but its declaration is not in the sources; add "
      + "its file to the sources"
  }

  static func duplicatePropertyName(
    _ name: String,
    _ earlier: String,
    _ databaseName: String,
    entity: String
  ) -> Self {
    "properties '\(earlier)' and '\(name)' of entity '\(entity)' are both named "
      + "'\(databaseName)' in the database, where case does not count; rename one, or annotate "
      + "it with `name`"
  }
}
