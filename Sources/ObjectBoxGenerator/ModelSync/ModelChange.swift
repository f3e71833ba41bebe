/// One difference between the sources and the model.
package struct ModelChange: Hashable, Sendable {
  /// In words, naming entity and property, such as "property 'rating' of entity 'Note' is new".
  package var text: String
  /// Where the sources cause it; nil for something that only the model has.
  package var position: SourcePosition?

  package init(text: String, position: SourcePosition?) {
    self.text = text
    self.position = position
  }

  /// Returns every difference between two models; empty when they say the same.
  static func between(
    _ old: ModelDocument,
    _ new: ModelDocument,
    schema: Schema
  ) -> [ModelChange] {
    let places = Dictionary(
      schema.entities.map { ($0.databaseName, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    var changes: [ModelChange] = []
    for entity in new.entities {
      let source = places[entity.name]
      let title = "entity '\(entity.name)'"
      guard let before = old.entities.first(where: { $0.id.uid == entity.id.uid }) else {
        changes.append(ModelChange(text: "\(title) is new", position: source?.position))
        continue
      }
      if before.name != entity.name {
        changes.append(
          ModelChange(
            text: "\(title) is named '\(before.name)' in the model",
            position: source?.position
          )
        )
      }
      if before.flags != entity.flags || before.externalName != entity.externalName {
        changes.append(
          ModelChange(
            text: "\(title) has other flags or names in the model",
            position: source?.position
          )
        )
      }
      changes += between(before, entity, source: source)
    }
    for entity in old.entities
    where !new.entities.contains(where: { $0.id.uid == entity.id.uid }) {
      changes.append(
        ModelChange(text: "entity '\(entity.name)' is no longer in the sources", position: nil)
      )
    }
    if changes.isEmpty, old != new {
      changes.append(
        ModelChange(text: "the model keeps a pool of UIDs that is used up", position: nil)
      )
    }
    return changes
  }

  private static func between(
    _ old: ModelDocument.Entity,
    _ new: ModelDocument.Entity,
    source: SchemaEntity?
  ) -> [ModelChange] {
    var changes: [ModelChange] = []
    for property in new.properties {
      let place = source?.properties.first { $0.databaseName == property.name }?.position
      let title = "property '\(property.name)' of entity '\(new.name)'"
      func add(_ text: String) {
        changes.append(ModelChange(text: "\(title) \(text)", position: place ?? source?.position))
      }
      guard let before = old.properties.first(where: { $0.id.uid == property.id.uid }) else {
        add("is new")
        continue
      }
      if before.name != property.name { add("is named '\(before.name)' in the model") }
      if before.type != property.type {
        add(
          "has type \(describe(before.type)) in the model and \(describe(property.type)) in the sources"
        )
      }
      if before.indexID == nil, property.indexID != nil { add("has a new index") }
      if before.indexID != nil, property.indexID == nil { add("no longer has its index") }
      if before.flags != property.flags, (before.indexID == nil) == (property.indexID == nil) {
        add(
          "has flags \(before.flags.rawValue) in the model and \(property.flags.rawValue) in the sources"
        )
      }
      if before.relationTarget != property.relationTarget
        || before.externalName != property.externalName
        || before.externalType != property.externalType
      {
        add("has another target or other external names in the model")
      }
      if before.collation != property.collation { add("has another collation in the model") }
      if before.onDelete != property.onDelete { add("has another onDelete in the model") }
    }
    for property in old.properties
    where !new.properties.contains(where: { $0.id.uid == property.id.uid }) {
      changes.append(
        ModelChange(
          text: "property '\(property.name)' of entity '\(new.name)' is no longer in the sources",
          position: source?.position
        )
      )
    }
    if old.compoundIndexes != new.compoundIndexes {
      changes.append(
        ModelChange(
          text: "entity '\(new.name)' has other indexes over several properties in the model",
          position: source?.position
        )
      )
    }
    for relation in new.relations {
      let place = source?.relations.first { $0.name == relation.name }?.position
      let title = "relation '\(relation.name)' of entity '\(new.name)'"
      func add(_ text: String) {
        changes.append(ModelChange(text: "\(title) \(text)", position: place ?? source?.position))
      }
      guard let before = old.relations.first(where: { $0.id.uid == relation.id.uid }) else {
        add("is new")
        continue
      }
      if before.name != relation.name { add("is named '\(before.name)' in the model") }
      if before.targetID != relation.targetID { add("has another target in the model") }
      if before.externalName != relation.externalName
        || before.externalType != relation.externalType
      {
        add("has other external names in the model")
      }
      if before.onDelete != relation.onDelete || before.onTargetDelete != relation.onTargetDelete {
        add("has another onDelete in the model")
      }
    }
    for relation in old.relations
    where !new.relations.contains(where: { $0.id.uid == relation.id.uid }) {
      changes.append(
        ModelChange(
          text: "relation '\(relation.name)' of entity '\(new.name)' is no longer in the sources",
          position: source?.position
        )
      )
    }
    return changes
  }

  private static func describe(_ type: UInt16?) -> String {
    guard let type else { return "none" }
    return PropertyType(rawValue: type).map { "\($0)" } ?? "\(type)"
  }
}
