/// Formats a schema as text, for debugging.
enum SchemaDump {
  static func text(of schema: Schema) -> String {
    schema.entities.map(text).joined(separator: "\n") + "\n"
  }

  private static func text(of entity: SchemaEntity) -> String {
    var lines = ["\(entity.qualifiedName) {"]
    func add(_ key: String, _ value: String) { lines.append("\t\(key): \(value)") }
    add("name", entity.databaseName)
    add("id", text(of: entity.modelID))
    add("kind", "\(entity.kind)")
    add("statesConformance", "\(entity.declaresConformance)")
    add("flags", "\(entity.flags.rawValue)")
    if let name = entity.externalName { add("externalName", name) }
    add("lastProperty", text(of: entity.lastPropertyID))
    for property in entity.properties { lines += self.lines(of: property) }
    for relation in entity.relations {
      lines.append(
        "\t\(relation.name): \(relation.kind) \(text(of: relation.modelID)) to \(relation.targetType)"
      )
    }
    return (lines + ["}"]).joined(separator: "\n")
  }

  private static func lines(of property: SchemaProperty) -> [String] {
    var lines = ["\t\(property.name) {"]
    func add(_ key: String, _ value: String) { lines.append("\t\t\(key): \(value)") }
    add("name", property.databaseName)
    add("id", text(of: property.modelID))
    add("swiftType", property.swiftType)
    add("type", property.type.map { "\($0)" } ?? "unknown")
    add("flags", "\(property.flags.rawValue)")
    if let index = property.index { add("index", "\(index) \(text(of: property.indexID))") }
    if let conversion = property.conversion {
      add("storedType", conversion.databaseType)
      if let converter = conversion.converter { add("converter", converter) }
      if let value = conversion.defaultValue { add("default", value) }
    }
    if let target = property.relationTarget { add("target", target) }
    if let index = property.vectorIndex { add("vectorIndex", "\(index)") }
    if let name = property.externalName { add("externalName", name) }
    if let type = property.externalType { add("externalType", "\(type)") }
    return lines + ["\t}"]
  }

  private static func text(of id: ModelID?) -> String {
    id.map { "\($0.id):\($0.uid)" } ?? "none"
  }
}
