/// The template's context for one entity.
struct EntityContext {
  let entity: SchemaEntity
  let access: EntityAccess

  private var properties: [PropertyContext] {
    entity.properties.map { PropertyContext(property: $0, access: access[$0, of: entity]) }
  }

  private var relations: [RelationContext] {
    entity.relations.enumerated().map {
      RelationContext(
        relation: $0.element,
        owner: entity,
        index: $0.offset,
        access: access[$0.element, of: entity]
      )
    }
  }

  /// Properties and to-many relations in declaration order, the order of a struct's initialiser;
  /// the outermost base's come first.
  private var members: [MustacheValue] {
    let all =
      zip(entity.properties, properties).map { ($0.ancestor?.level ?? 0, $0.position, $1.member) }
      + zip(entity.relations, relations).map { ($0.ancestor?.level ?? 0, $0.position, $1.member) }
    let sorted = all.sorted { $0.0 == $1.0 ? $0.1 < $1.1 : $0.0 > $1.0 }.map(\.2)
    return sorted.enumerated().map { index, member in
      guard case .dictionary(var values) = member else { return member }
      values["separator"] = .text(index == sorted.count - 1 ? "" : ",")
      return .dictionary(values)
    }
  }

  /// The accesses of declarations that use types of Foundation.
  var accessesToFoundation: [AccessLevel] { properties.filter(\.usesFoundation).map(\.access) }

  var usesRawValues: Bool { properties.contains(where: \.usesRawValue) }

  var usesKnownRawValues: Bool { properties.contains(where: \.usesKnownRawValues) }

  /// Imports that the types of properties need.
  var imports: [String] { entity.properties.flatMap(\.imports) }

  var value: MustacheValue {
    let id = entity.idProperty
    let modelID = entity.modelID ?? .none
    let last = entity.lastPropertyID ?? .none
    let prepared = properties.filter { $0.prepared != nil }
      .sorted { $0.preparationOrder < $1.preparationOrder }
    return [
      "type": .text(SwiftName.escaped(qualified: entity.qualifiedName)),
      "typeInGenerics": .text(SwiftName.inGenerics(entity: entity.qualifiedName)),
      "visibility": .text(access[entity].rawValue),
      "binding": .text(SwiftName.binding(of: entity.qualifiedName)),
      "databaseName": .text(entity.databaseName.literal),
      "id": .text("\(modelID.id)"),
      "uid": .text("\(modelID.uid)"),
      "flags": .text(FlagNames.list(of: entity.flags)),
      "externalName": .text(entity.externalName.map(\.literal) ?? ""),
      "needsConformance": .boolean(!entity.declaresConformance),
      "isolation": .text(IsolationWord.text(entity.isolation)),
      "conformanceIsolation": .text(entity.isolation == .mainActor ? "@MainActor " : ""),
      "isStruct": .boolean(entity.kind == .struct),
      "canSetID": .boolean(id?.isMutable ?? false),
      "idName": .text(SwiftName.escaped(id?.name ?? "id")),
      "idType": .text(idType),
      "idTypeInGenerics": .text(idTypeInGenerics),
      "idFromIdentifier": .text(
        idType == "Int64" ? "Int64(bitPattern: identifier)" : "\(idType)(identifier)"
      ),
      "idSlot": .text("\(2 + 2 * (id?.modelID?.id ?? 1))"),
      "lastPropertyID": .text("\(last.id)"),
      "lastPropertyUID": .text("\(last.uid)"),
      "properties": .list(properties.map(\.value)),
      "prepared": .list(prepared.compactMap(\.prepared)),
      "collected": .list(properties.compactMap(\.collected)),
      "members": .list(members),
      "relations": .list(relations.map(\.value)),
      "compoundIndexes": .list(compoundIndexes),
      "fullTextIndexes": .list(entity.fullTextIndexes.map { FullTextContext(index: $0).value }),
      "objectMigration": .text(objectMigration),
      "toOnes": .list(properties.compactMap(\.toOne)),
      "hasRelations": .boolean(!entity.relations.isEmpty || hasToOne),
      "hasToOne": .boolean(hasToOne),
      "hasToMany": .boolean(!entity.relations.isEmpty),
      "canThrow": .boolean(properties.contains(where: \.canThrow)),
      "defaults": .list(properties.compactMap(\.defaultMember)),
      "isAssignable": .boolean(id?.flags.contains(.idSelfAssignable) ?? false),
    ]
  }

  private var compoundIndexes: [MustacheValue] {
    entity.compoundIndexes.map { index in
      let id = index.modelID ?? .none
      return [
        "id": .text("\(id.id)"),
        "uid": .text("\(id.uid)"),
        "propertyIDs": .text(index.propertyIDs.map { "\($0.id)" }.joined(separator: ", ")),
        "isUnique": .boolean(index.isUnique),
      ]
    }
  }

  /// Arguments and closure of the builder's `migrated`; empty without a function of whole objects.
  private var objectMigration: String {
    guard let function = entity.objectMigration else { return "" }
    let filled = entity.properties.filter { $0.objectMigration != nil }
    let ids = filled.compactMap { $0.modelID.map { "\($0.id)" } }.joined(separator: ", ")
    var sources: [SchemaMigration.Source] = []
    for source in filled.flatMap({ $0.objectMigration?.sources ?? [] })
    where !sources.contains(source) { sources.append(source) }
    let list = sources.map { source in
      "(name: \(source.name.literal), id: \(source.id.id), uid: \(source.id.uid), "
        + "type: .\(source.type))"
    }
    let call = (function.isThrowing ? "try " : "") + "EntityType.migrate(old, to: "
    return "([\(ids)], from: [\(list.joined(separator: ", "))]) { old, new in "
      + call + (entity.kind == .struct ? "&new) }" : "new) }")
  }

  private var hasToOne: Bool { entity.properties.contains { $0.type == .relation } }

  /// The declared type of the ID, with the entity's qualified name.
  private var idType: String { idType(SwiftName.escaped(qualified: entity.qualifiedName)) }

  private var idTypeInGenerics: String {
    idType(SwiftName.inGenerics(entity: entity.qualifiedName))
  }

  private func idType(_ name: String) -> String {
    let declared = entity.idProperty?.swiftType ?? "Id"
    return DeclaredType.argument(of: "EntityId", in: declared) == nil
      ? declared : "EntityId<\(name)>"
  }
}
