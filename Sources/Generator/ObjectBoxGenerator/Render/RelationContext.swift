/// The template's context for one to-many relation.
struct RelationContext {
  let relation: SchemaRelation
  let owner: SchemaEntity
  /// Index of the relation in the entity, for names of variables.
  let index: Int
  /// The access of the declarations for links.
  let access: AccessLevel

  private var name: String { SwiftName.escaped(relation.name) }
  private var variable: String { "relation\(index + 1)" }
  private var target: String { SwiftName.escaped(qualified: relation.targetType) }
  private var id: UInt32 { relation.modelID?.id ?? 0 }

  var value: MustacheValue {
    [
      "name": .text(name),
      "variable": .text(variable),
      "plainName": .text(relation.name),
      "visibility": .text(access.rawValue),
      "nameLiteral": .text(relation.name.literal),
      "target": .text(target),
      "targetInGenerics": .text(SwiftName.inGenerics(entity: relation.targetType)),
      "isStandalone": .boolean(relation.isStandalone),
      "id": .text("\(id)"),
      "uid": .text("\(relation.modelID?.uid ?? 0)"),
      "targetID": .text("\(relation.targetID?.id ?? 0)"),
      "targetUID": .text("\(relation.targetID?.uid ?? 0)"),
      "externalName": .text(relation.externalName.map(\.literal) ?? ""),
      "externalType": .text(relation.externalType.map { "\($0)" } ?? ""),
      "onDelete": .text(relation.onDelete?.stated.map { ".\($0)" } ?? ""),
      "onTargetDelete": .text(relation.onTargetDelete?.stated.map { ".\($0)" } ?? ""),
      "queryID": .text(queryID),
      "bound": .text(bound(to: "id")),
    ]
  }

  /// The relation in struct initialisers and in `createEntity`.
  var member: MustacheValue {
    [
      "name": .text(name),
      "argumentLabel": .text(SwiftName.label(relation.name)),
      "read": .text(bound(to: "entityId.value")),
      "copied": .text(variable),
      "variable": .text(variable),
      "isToMany": true,
      "bound": .text(bound(to: "entityId.value")),
    ]
  }

  private var queryID: String {
    switch relation.kind {
    case .standalone, .backlink: ".relationId(\(id))"
    case .reverseOfToMany: ".backlinkRelationId(\(id))"
    case .reverseOfToOne: ".valuePropertyId(\(id))"
    }
  }

  /// Returns the expression for a stored object's relation, given the expression of the object's
  /// ID.
  private func bound(to objectID: String) -> String {
    let source =
      "ObjectBox.EntityId<\(SwiftName.escaped(qualified: owner.qualifiedName))>(\(objectID))"
    let box = "store.box(for: \(target).self)"
    let type = "ObjectBox.ToMany<\(target)>"
    return switch relation.kind {
    case .standalone, .backlink:
      "\(type).relation(sourceId: \(source), targetBox: \(box), relationId: \(id))"
    case .reverseOfToMany:
      "\(type).backlink(sourceBox: \(box), targetId: \(source), relationId: \(id))"
    case .reverseOfToOne(let property):
      "\(type).backlink(sourceBox: \(box), sourceProperty: \(target).\(SwiftName.escaped(property)), "
        + "targetId: \(source))"
    }
  }
}
