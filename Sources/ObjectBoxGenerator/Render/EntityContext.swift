/// What the template says about one entity.
struct EntityContext {
  let entity: SchemaEntity
  let visibility: String

  private var properties: [PropertyContext] {
    entity.properties.enumerated().map { index, property in
      PropertyContext(property: property, isLast: index == entity.properties.count - 1)
    }
  }

  var usesFoundation: Bool { properties.contains(where: \.usesFoundation) }

  var usesRawValues: Bool { properties.contains(where: \.usesRawValue) }

  var usesKnownRawValues: Bool { properties.contains(where: \.usesKnownRawValues) }

  /// The imports that the types of properties need.
  var imports: [String] { entity.properties.flatMap(\.imports) }

  var value: MustacheValue {
    let id = entity.idProperty
    let modelID = entity.modelID ?? .none
    let last = entity.lastPropertyID ?? .none
    let prepared = properties.filter { $0.prepared != nil }
      .sorted { $0.preparationOrder < $1.preparationOrder }
    return [
      "type": .text(SwiftName.escaped(qualified: entity.qualifiedName)),
      "binding": .text(bindingName),
      "databaseName": .text(SwiftName.literal(entity.databaseName)),
      "id": .text("\(modelID.id)"),
      "uid": .text("\(modelID.uid)"),
      "flags": .text(FlagNames.list(of: entity.flags)),
      "externalName": .text(entity.externalName.map(SwiftName.literal) ?? ""),
      "needsConformance": .boolean(!entity.declaresConformance),
      "isStruct": .boolean(entity.kind == .struct),
      "canSetID": .boolean(id?.isMutable ?? false),
      "idName": .text(SwiftName.escaped(id?.name ?? "id")),
      "idType": .text(idType),
      "idFromIdentifier": .text(
        idType == "Int64" ? "Int64(bitPattern: identifier)" : "\(idType)(identifier)"
      ),
      "idSlot": .text("\(2 + 2 * (id?.modelID?.id ?? 1))"),
      "lastPropertyID": .text("\(last.id)"),
      "lastPropertyUID": .text("\(last.uid)"),
      "properties": .list(properties.map(\.value)),
      "prepared": .list(prepared.compactMap(\.prepared)),
      "collected": .list(properties.compactMap(\.collected)),
    ]
  }

  /// Of nested types the names around them are part of the name, since bindings are not nested.
  private var bindingName: String {
    entity.qualifiedName.split(separator: ".").joined(separator: "_") + "Binding"
  }

  /// The declared type, with the entity's own name as code outside of it must write it.
  private var idType: String {
    let declared = entity.idProperty?.swiftType ?? "Id"
    return DeclaredType.argument(of: "EntityId", in: declared) == nil
      ? declared : "EntityId<\(SwiftName.escaped(qualified: entity.qualifiedName))>"
  }
}
