/// Writes a model file in the layout of the reference: two blanks of indentation, a key a line, empty
/// arrays on the line of their key, no line feed at the end.
enum ModelWriter {
  private static let notes = [
    ("_note1", "KEEP THIS FILE! Check it into a version control system (VCS) like git."),
    ("_note2", "ObjectBox manages crucial IDs for your object model. See docs for details."),
    (
      "_note3",
      "If you have VCS merge conflicts, you must resolve them according to ObjectBox docs."
    ),
  ]
  /// The version of the layout, and the least version a reader must know.
  static let modelVersion = 5
  static let minimumParserVersion = 4

  private indirect enum Value {
    case number(UInt64)
    case text(String)
    case boolean(Bool)
    case list([Value])
    case object([(String, Value)])
  }

  static func text(of model: ModelDocument) -> String {
    var members: [(String, Value)] = notes.map { ($0.0, .text($0.1)) }
    members.append(
      ("entities", .list(model.entities.sorted { $0.id.id < $1.id.id }.map(object(of:))))
    )
    members.append(("lastEntityId", id(model.lastEntityID)))
    members.append(("lastIndexId", id(model.lastIndexID)))
    members.append(("lastRelationId", id(model.lastRelationID)))
    members.append(("lastSequenceId", id(model.lastSequenceID)))
    members.append(("modelVersion", .number(UInt64(modelVersion))))
    members.append(("modelVersionParserMinimum", .number(UInt64(minimumParserVersion))))
    if let pool = model.newUIDPool { members.append(("newUidPool", numbers(pool))) }
    members.append(("retiredEntityUids", numbers(model.retiredEntityUIDs)))
    members.append(("retiredIndexUids", numbers(model.retiredIndexUIDs)))
    members.append(("retiredPropertyUids", numbers(model.retiredPropertyUIDs)))
    members.append(("retiredRelationUids", numbers(model.retiredRelationUIDs)))
    members.append(("version", .number(1)))
    var text = ""
    write(.object(members), indentation: "", to: &text)
    return text
  }

  private static func object(of entity: ModelDocument.Entity) -> Value {
    var members: [(String, Value)] = [
      ("id", id(entity.id)), ("lastPropertyId", id(entity.lastPropertyID)),
      ("name", .text(entity.name)),
    ]
    if !entity.flags.isEmpty { members.append(("flags", .number(UInt64(entity.flags.rawValue)))) }
    if let name = entity.externalName { members.append(("externalName", .text(name))) }
    members.append(
      ("properties", .list(entity.properties.sorted { $0.id.id < $1.id.id }.map(object(of:))))
    )
    members.append(
      ("relations", .list(entity.relations.sorted { $0.id.id < $1.id.id }.map(object(of:))))
    )
    if !entity.compoundIndexes.isEmpty {
      let indexes = entity.compoundIndexes.sorted { $0.id.id < $1.id.id }.map(object(of:))
      members.append(("compoundIndexes", .list(indexes)))
    }
    return .object(members)
  }

  private static func object(of index: ModelDocument.CompoundIndex) -> Value {
    .object([
      ("id", id(index.id)), ("properties", .list(index.propertyIDs.map { id($0) })),
      ("unique", .boolean(index.isUnique)),
    ])
  }

  private static func object(of property: ModelDocument.Property) -> Value {
    var members: [(String, Value)] = [("id", id(property.id)), ("name", .text(property.name))]
    if let index = property.indexID { members.append(("indexId", id(index))) }
    if let type = property.type { members.append(("type", .number(UInt64(type)))) }
    if !property.flags.isEmpty {
      members.append(("flags", .number(UInt64(property.flags.rawValue))))
    }
    if let target = property.relationTarget { members.append(("relationTarget", .text(target))) }
    if let name = property.externalName { members.append(("externalName", .text(name))) }
    if let type = property.externalType { members.append(("externalType", .number(UInt64(type)))) }
    if let collation = property.collation {
      members.append(("collation", .text(collation.rawValue)))
    }
    if let rule = property.onDelete { members.append(("onDelete", .text(rule.rawValue))) }
    return .object(members)
  }

  private static func object(of relation: ModelDocument.Relation) -> Value {
    var members: [(String, Value)] = [("id", id(relation.id)), ("name", .text(relation.name))]
    if let name = relation.externalName { members.append(("externalName", .text(name))) }
    if let type = relation.externalType { members.append(("externalType", .number(UInt64(type)))) }
    members.append(("targetId", id(relation.targetID)))
    if let rule = relation.onDelete { members.append(("onDelete", .text(rule.rawValue))) }
    if let rule = relation.onTargetDelete {
      members.append(("onTargetDelete", .text(rule.rawValue)))
    }
    return .object(members)
  }

  private static func id(_ id: ModelID) -> Value { .text("\(id.id):\(id.uid)") }

  private static func numbers(_ values: [UInt64]) -> Value { .list(values.map(Value.number)) }

  private static func write(_ value: Value, indentation: String, to text: inout String) {
    let inner = indentation + "  "
    switch value {
    case .number(let number): text += "\(number)"
    case .boolean(let value): text += "\(value)"
    case .text(let string): text += "\"\(escaped(string))\""
    case .list(let elements) where elements.isEmpty: text += "[]"
    case .list(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        text += index == 0 ? "\n" : ",\n"
        text += inner
        write(element, indentation: inner, to: &text)
      }
      text += "\n\(indentation)]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        text += index == 0 ? "\n" : ",\n"
        text += "\(inner)\"\(member.0)\": "
        write(member.1, indentation: inner, to: &text)
      }
      text += "\n\(indentation)}"
    }
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
