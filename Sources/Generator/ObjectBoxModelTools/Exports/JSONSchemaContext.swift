internal import ObjectBoxGenerator

/// The values with which the JSON Schema template is rendered; all texts are already JSON.
struct JSONSchemaContext {
  let model: ModelDocument
  let title: String

  var value: MustacheValue {
    let entities = model.entities.sortedByID
    return [
      "title": .text(JSONText.literal(title)),
      "hasEntities": .boolean(!entities.isEmpty),
      "entities": .list(
        entities.enumerated().map { index, entity in
          let required = entity.properties.filter { $0.flags.contains(.id) }
          return [
            "name": .text(JSONText.literal(entity.name)),
            "reference": .text(JSONText.literal("#/$defs/" + JSONText.pointer(entity.name))),
            "description": .text(
              JSONText.literal("Entity with ID \(entity.id.id) and UID \(entity.id.uid).")
            ),
            "properties": .list(members(of: entity)),
            "required": .text(required.map { JSONText.literal($0.name) }.joined(separator: ", ")),
            "separator": .text(index == entities.count - 1 ? "" : ","),
          ]
        }
      ),
    ]
  }

  /// Returns the properties, then the to-many relations as lists of IDs.
  private func members(of entity: ModelDocument.Entity) -> [MustacheValue] {
    let properties = entity.properties.sortedByID.map {
      ($0.name, schema(of: $0))
    }
    let relations = entity.relations.sortedByID.map { relation in
      let target = model.targetName(of: relation)
      return (
        relation.name,
        JSONText.object([
          ("description", JSONText.literal("IDs of objects of '\(target)'.")),
          ("type", JSONText.literal("array")),
          ("items", JSONText.object(JSONValueType.range("1", "\(UInt64.max)").members)),
        ])
      )
    }
    let all = properties + relations
    return all.enumerated().map { index, member in
      [
        "name": .text(JSONText.literal(member.0)), "schema": .text(member.1),
        "separator": .text(index == all.count - 1 ? "" : ","),
      ]
    }
  }

  /// Returns the schema of a property.
  ///
  /// All values but the ID may be null: the model does not say which properties are optional.
  private func schema(of property: ModelDocument.Property) -> String {
    let description = JSONText.literal(words(on: property))
    guard let type = property.type.flatMap(SchemaPropertyType.init) else {
      return JSONText.object([("description", description)])
    }
    if property.flags.contains(.id) {
      return JSONText.object(
        [("description", description)] + JSONValueType.range("0", "\(UInt64.max)").members
      )
    }
    let value =
      property.encodedType.map { .text(format: $0.format) }
      ?? JSONValueType(type, isUnsigned: property.flags.contains(.unsigned))
    return JSONText.object([("description", description)] + value.orNull.members)
  }

  private func words(on property: ModelDocument.Property) -> String {
    var words = ["Property with ID \(property.id.id), \(PropertyWords.type(property))"]
    if let type = property.type.flatMap(SchemaPropertyType.init) {
      if let unit = type.timeUnit { words.append("\(unit.lowercased()) since 1970 in UTC") }
      if property.encodedType == nil, type == .byteVector || type == .flex {
        words.append("bytes as Base64")
      }
    }
    if let target = property.relationTarget {
      words.append("the ID of an object of '\(target)', 0 for none")
    }
    if property.flags.contains(.unique) { words.append("unique") }
    return words.joined(separator: ", ") + "."
  }
}
