internal import ObjectBoxGenerator

/// The values with which a model's diagram templates are rendered.
struct DiagramContext {
  let model: ModelDocument

  var value: MustacheValue {
    var names = IdentifierNames()
    var nodes: [UInt64: String] = [:]
    let entities = model.entities.sortedByID
    for entity in entities { nodes[entity.id.uid] = names.identifier(for: entity.name) }
    return [
      "entities": .list(
        entities.map { entity in
          [
            "node": .text(nodes[entity.id.uid] ?? ""),
            "alias": .text(nodes[entity.id.uid] == entity.name ? "" : Self.plain(entity.name)),
            "markup": .text(Self.markup(entity.name)),
            "properties": .list(properties(of: entity)),
          ]
        }
      ),
      "edges": .list(entities.flatMap { edges(of: $0, nodes) }),
    ]
  }

  private func properties(of entity: ModelDocument.Entity) -> [MustacheValue] {
    var names = IdentifierNames()
    return entity.properties.sortedByID.map { property in
      let identifier = names.identifier(for: property.name)
      let marks = Self.marks(of: property)
      let name = identifier == property.name ? [] : [Self.plain(property.name)]
      return [
        "identifier": .text(identifier),
        "markup": .text(Self.markup(property.name)),
        "type": .text(Self.type(of: property)),
        "keys": .text(Self.keys(of: property)),
        "marks": .text(marks.joined(separator: ", ")),
        "comment": .text((name + marks).joined(separator: ", ")),
      ]
    }
  }

  /// Returns one edge for each relation whose target is in the model.
  private func edges(
    of entity: ModelDocument.Entity,
    _ nodes: [UInt64: String]
  ) -> [MustacheValue] {
    func edge(_ name: String, to target: UInt64?, isToMany: Bool) -> MustacheValue? {
      guard let source = nodes[entity.id.uid], let target = target.flatMap({ nodes[$0] }) else {
        return nil
      }
      return [
        "source": .text(source), "target": .text(target), "label": .text(Self.plain(name)),
        "isToMany": .boolean(isToMany),
      ]
    }
    let toOnes = entity.properties.sortedByID
      .filter { $0.relationTarget != nil }.map { property in
        let target = model.entities[name: property.relationTarget]
        return edge(property.name, to: target?.id.uid, isToMany: false)
      }
    let toManys = entity.relations.sortedByID.map { relation in
      edge(relation.name, to: relation.targetID.uid, isToMany: true)
    }
    return (toOnes + toManys).compactMap { $0 }
  }

  /// Returns the type as one word.
  private static func type(of property: ModelDocument.Property) -> String {
    guard let number = property.type else { return "unknown" }
    if let encoded = property.encodedType { return encoded.word }
    let name = SchemaPropertyType(rawValue: number).map { "\($0)" } ?? "type\(number)"
    return property.flags.contains(.unsigned) ? "unsigned-\(name)" : name
  }

  private static func keys(of property: ModelDocument.Property) -> String {
    var keys: [String] = []
    if property.flags.contains(.id) { keys.append("PK") }
    if property.relationTarget != nil { keys.append("FK") }
    if property.flags.contains(.unique) { keys.append("UK") }
    return keys.joined(separator: ", ")
  }

  private static func marks(of property: ModelDocument.Property) -> [String] {
    var marks: [String] = []
    if property.flags.contains(.id) { marks.append("ID") }
    if property.flags.contains(.unique) { marks.append(PropertyWords.unique(property.flags)) }
    if property.indexID != nil {
      // All relations have the same index.
      let isRelation = property.type == SchemaPropertyType.relation.rawValue
      marks.append(isRelation ? "index" : "\(PropertyWords.index(property)) index")
    }
    return marks
  }

  /// Returns the text without characters that end or escape a quoted text.
  private static func plain(_ text: String) -> String {
    // By scalars: a quote with a combining mark after it is another character.
    text.unicodeScalars.reduce(into: "") { result, scalar in
      let isSpecial =
        Character(scalar).isNewline || scalar == "\"" || scalar == "\\" || scalar == "%"
        || scalar == "\t"
      result.unicodeScalars.append(isSpecial ? "_" : scalar)
    }
  }

  private static func markup(_ text: String) -> String {
    var result = ""
    for scalar in plain(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
