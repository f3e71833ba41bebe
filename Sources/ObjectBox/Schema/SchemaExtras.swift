/// The later sections of a stored schema, after the entities.
///
/// Empty sections are not written: files without them keep the earlier format.
enum SchemaExtras {
  static func write(_ schema: StoreSchema, to writer: inout ByteWriter) {
    var rules: [(entity: Int, element: Int, isProperty: Bool, rules: [DeleteRule])] = []
    for (number, entity) in schema.entities.enumerated() {
      for (index, property) in entity.properties.enumerated() where property.onDelete != .nullify {
        rules.append((number, index, true, [property.onDelete, .nullify]))
      }
      for (index, relation) in entity.relations.enumerated()
      where relation.onDelete != .nullify || relation.onTargetDelete != .nullify {
        rules.append((number, index, false, [relation.onDelete, relation.onTargetDelete]))
      }
    }
    let folded = schema.entities.enumerated().flatMap { number, entity in
      entity.properties.enumerated().filter { $0.element.collation != .binary }
        .map { (entity: number, property: $0.offset, collation: $0.element.collation) }
    }
    let indexes = schema.entities.enumerated().flatMap { number, entity in
      entity.compoundIndexes.map { (entity: number, index: $0) }
    }
    let names = schema.entities.enumerated().flatMap { number, entity in
      entity.relations.enumerated().compactMap { index, relation in
        relation.name.value.map { (entity: number, relation: index, name: $0) }
      }
    }
    guard !rules.isEmpty || !folded.isEmpty || !indexes.isEmpty || !names.isEmpty else { return }
    writer.write(rules) { writer, rule in
      writer.write(UInt32(rule.entity))
      writer.write(UInt32(rule.element))
      writer.write(UInt8(rule.isProperty ? 1 : 0))
      for rule in rule.rules { writer.write(rule.rawValue) }
    }
    guard !folded.isEmpty || !indexes.isEmpty || !names.isEmpty else { return }
    writer.write(folded) { writer, property in
      writer.write(UInt32(property.entity))
      writer.write(UInt32(property.property))
      writer.write(property.collation.rawValue)
    }
    guard !indexes.isEmpty || !names.isEmpty else { return }
    writer.write(indexes) { writer, entry in
      writer.write(UInt32(entry.entity))
      writer.write(entry.index.identity.id)
      writer.write(entry.index.identity.uid)
      writer.write(UInt8(entry.index.isUnique ? 1 : 0))
      writer.write(entry.index.propertyIDs) { $0.write($1) }
    }
    guard !names.isEmpty else { return }
    writer.write(names) { writer, relation in
      writer.write(UInt32(relation.entity))
      writer.write(UInt32(relation.relation))
      writer.write(relation.name)
    }
  }

  static func read(
    _ reader: inout ByteReader,
    into schema: inout StoreSchema
  ) throws(ByteReader.Damage) {
    if !reader.isAtEnd { try readRules(&reader, into: &schema) }
    if !reader.isAtEnd { try readCollations(&reader, into: &schema) }
    if !reader.isAtEnd { try readIndexes(&reader, into: &schema) }
    if !reader.isAtEnd { try readRelationNames(&reader, into: &schema) }
  }

  private static func readRelationNames(
    _ reader: inout ByteReader,
    into schema: inout StoreSchema
  ) throws(ByteReader.Damage) {
    let count = try reader.read(UInt32.self)
    for _ in 0..<count {
      let entity = try readIndex(&reader, in: schema.entities)
      let relation = try readIndex(&reader, in: schema.entities[entity].relations)
      schema.entities[entity].relations[relation].name.value = try reader.readString()
    }
  }

  private static func readIndexes(
    _ reader: inout ByteReader,
    into schema: inout StoreSchema
  ) throws(ByteReader.Damage) {
    let count = try reader.read(UInt32.self)
    for _ in 0..<count {
      let entity = try readIndex(&reader, in: schema.entities)
      let identity = SchemaIdentity(id: try reader.read(), uid: try reader.read())
      let isUnique = try reader.read(UInt8.self) != 0
      let ids = try reader.readArray { (reader) throws(ByteReader.Damage) in
        try reader.read(UInt32.self)
      }
      schema.entities[entity].compoundIndexes.append(
        CompoundIndexSchema(identity: identity, isUnique: isUnique, propertyIDs: ids)
      )
    }
  }

  private static func readCollations(
    _ reader: inout ByteReader,
    into schema: inout StoreSchema
  ) throws(ByteReader.Damage) {
    let count = try reader.read(UInt32.self)
    for _ in 0..<count {
      let entity = try readIndex(&reader, in: schema.entities)
      let property = try readIndex(&reader, in: schema.entities[entity].properties)
      guard let collation = Collation(rawValue: try reader.read()) else {
        throw ByteReader.Damage()
      }
      schema.entities[entity].properties[property].collation = collation
    }
  }

  private static func readRules(
    _ reader: inout ByteReader,
    into schema: inout StoreSchema
  ) throws(ByteReader.Damage) {
    let count = try reader.read(UInt32.self)
    for _ in 0..<count {
      let entity = try readIndex(&reader, in: schema.entities)
      let element = Int(try reader.read(UInt32.self))
      let isProperty = try reader.read(UInt8.self) != 0
      let rules = (try readRule(&reader), try readRule(&reader))
      if isProperty, schema.entities[entity].properties.indices.contains(element) {
        schema.entities[entity].properties[element].onDelete = rules.0
      } else if !isProperty, schema.entities[entity].relations.indices.contains(element) {
        schema.entities[entity].relations[element].onDelete = rules.0
        schema.entities[entity].relations[element].onTargetDelete = rules.1
      } else {
        throw ByteReader.Damage()
      }
    }
  }

  /// Reads the index of an element that must exist.
  private static func readIndex<Element>(
    _ reader: inout ByteReader,
    in elements: [Element]
  ) throws(ByteReader.Damage) -> Int {
    let index = Int(try reader.read(UInt32.self))
    guard elements.indices.contains(index) else { throw ByteReader.Damage() }
    return index
  }

  private static func readRule(
    _ reader: inout ByteReader
  ) throws(ByteReader.Damage) -> DeleteRule {
    guard let rule = DeleteRule(rawValue: try reader.read()) else { throw ByteReader.Damage() }
    return rule
  }
}
