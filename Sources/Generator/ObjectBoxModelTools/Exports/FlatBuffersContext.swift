internal import ObjectBoxGenerator

/// The values with which the FlatBuffers template is rendered.
struct FlatBuffersContext {
  /// Offsets in a table have 16 bits.
  ///
  /// A field takes two bytes of them, and two sizes come first.
  private static let maximumFields: UInt32 = 32765

  private let entities: [(entity: ModelDocument.Entity, table: String)]
  private let tables: [String]

  /// - Throws: ``ModelSchema/Fault`` when an entity has too many properties for a table.
  init(model: ModelDocument) throws(ModelSchema.Fault) {
    // Keywords, which neither types nor fields may have as names.
    var names = IdentifierNames(reserved: Array(Self.reserved))
    entities = model.entities.sortedByID.map {
      ($0, names.identifier(for: $0.name))
    }
    tables = entities.map(\.table)
    for (entity, _) in entities where Self.fieldCount(of: entity) > Self.maximumFields {
      throw ModelSchema.Fault(
        description:
          "entity '\(entity.name)' has had \(Self.fieldCount(of: entity)) properties, and a "
          + "FlatBuffers table has at most \(Self.maximumFields) fields; use --format json-schema"
      )
    }
  }

  private static let reserved: Set<String> = [
    "attribute", "bool", "byte", "double", "enum", "false", "file_extension", "file_identifier",
    "float", "float32", "float64", "include", "inf", "infinity", "int", "int16", "int32", "int64",
    "int8", "long", "namespace", "nan", "native_include", "null", "root_type", "rpc_service",
    "short", "string", "struct", "table", "true", "ubyte", "uint", "uint16", "uint32", "uint64",
    "uint8", "ulong", "union", "ushort",
  ]

  private static func fieldCount(of entity: ModelDocument.Entity) -> UInt32 {
    max(entity.lastPropertyID.id, entity.properties.map(\.id.id).max() ?? 0)
  }

  var value: MustacheValue {
    [
      "entities": .list(
        entities.map { entity, table in
          var title = "Entity '\(Self.line(entity.name))', ID \(entity.id.id)."
          for relation in entity.relations {
            title += " Relation '\(Self.line(relation.name))' is kept outside of the objects."
          }
          return ["name": .text(table), "title": .text(title), "fields": .list(fields(of: entity))]
        }
      )
    ]
  }

  /// Returns a field for each ID up to the last ID: FlatBuffers allows no gaps.
  private func fields(of entity: ModelDocument.Entity) -> [MustacheValue] {
    var names = IdentifierNames(reserved: Array(Self.reserved) + tables)
    // Living properties get their names before gaps do.
    let living = entity.properties.sortedByID.map { ($0, names.identifier(for: $0.name)) }
    return (0..<Self.fieldCount(of: entity)).map { index in
      guard let (property, identifier) = living.first(where: { $0.0.id.id == index + 1 }) else {
        return field(
          names.identifier(for: "removed_\(index + 1)"),
          nil,
          index,
          comment: "Stands for a property that was removed."
        )
      }
      let comment = comment(on: property, identifier: identifier)
      return field(identifier, Self.type(of: property), index, comment: comment)
    }
  }

  /// Makes a field; without a type, the field is deprecated.
  private func field(
    _ name: String,
    _ type: String?,
    _ index: UInt32,
    comment: String
  ) -> MustacheValue {
    [
      "name": .text(name), "type": .text(type ?? "bool"), "id": .text("\(index)"),
      "comment": .text(comment), "isDeprecated": .boolean(type == nil),
    ]
  }

  private func comment(on property: ModelDocument.Property, identifier: String) -> String {
    var words: [String] = []
    if identifier != property.name { words.append("Property '\(Self.line(property.name))'.") }
    if property.flags.contains(.id) { words.append("The object ID.") }
    let type = property.type.flatMap(SchemaPropertyType.init)
    if let type {
      if let unit = type.timeUnit { words.append("\(unit) since 1970 in UTC.") }
      if type == .flex { words.append("A FlexBuffers value.") }
      if let encoded = property.encodedType { words.append(encoded.meaning) }
    } else {
      words.append("The model leaves the type to the program, so the field cannot be used.")
    }
    if let target = property.relationTarget {
      words.append("The ID of an object of '\(Self.line(target))', 0 for none.")
    }
    if property.flags.contains(.unique) { words.append("Unique.") }
    return words.joined(separator: " ")
  }

  /// Returns the text without line ends, which would end a comment.
  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// Returns the type of a field; nil when the model has none.
  private static func type(of property: ModelDocument.Property) -> String? {
    let isUnsigned = !property.flags.isDisjoint(with: [.unsigned, .id])
    return property.type.flatMap(SchemaPropertyType.init).map {
      name(of: $0, isUnsigned: isUnsigned)
    }
  }

  private static func name(of type: SchemaPropertyType, isUnsigned: Bool) -> String {
    if let element = type.element { return "[\(name(of: element, isUnsigned: isUnsigned))]" }
    switch type {
    case .byte, .short, .int, .long: return isUnsigned ? "u\(type)" : "\(type)"
    case .char: return "ushort"
    case .date, .dateNano: return "long"
    case .relation: return "ulong"
    case .flex, .byteVector: return "[ubyte]"
    default: return "\(type)"
    }
  }
}

extension SchemaPropertyType {
  /// The unit of a date; nil for other types.
  var timeUnit: String? {
    switch self {
    case .date, .dateVector: "Milliseconds"
    case .dateNano, .dateNanoVector: "Nanoseconds"
    default: nil
    }
  }
}
