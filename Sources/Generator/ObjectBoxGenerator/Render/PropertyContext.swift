/// The template's context for one property.
struct PropertyContext {
  let property: SchemaProperty
  /// The access of the declarations for conditions.
  let access: AccessLevel
  private var modelID: ModelID { property.modelID ?? .none }
  private var name: String { SwiftName.escaped(property.name) }

  /// Slot of the property in readers and builders.
  private var slot: UInt32 { 2 + 2 * modelID.id }

  var value: MustacheValue {
    [
      "name": .text(name),
      "plainName": .text(property.name),
      "visibility": .text(access.rawValue),
      "argumentLabel": .text(SwiftName.label(property.name)),
      "databaseName": .text(property.databaseName.literal),
      "propertyType": .text(propertyType),
      "flags": .text(FlagNames.list(of: property.flags)),
      "id": .text("\(modelID.id)"),
      "uid": .text("\(modelID.uid)"),
      "hasIndex": .boolean(property.indexID != nil),
      "indexID": .text("\(property.indexID?.id ?? 0)"),
      "indexUID": .text("\(property.indexID?.uid ?? 0)"),
      "externalType": .text(property.externalType.map { "\($0)" } ?? ""),
      "externalName": .text(property.externalName.map(\.literal) ?? ""),
      "isID": .boolean(property.isID),
      "isToOne": .boolean(property.type == .relation),
      "target": .text(target ?? ""),
      "queryType": .text(queryType),
      "operatorType": .text(
        targetInGenerics.map { "\($0).EntityBindingType.IdType" } ?? idInGenerics ?? queryType
      ),
      "referencedType": .text(target ?? (property.isID ? property.storedType : "Void")),
      "operatorReferencedType": .text(
        targetInGenerics ?? (property.isID ? idInGenerics ?? property.storedType : "Void")
      ),
      "vectorIndex": .text(property.vectorIndex.map(VectorIndexArguments.text) ?? ""),
      "collation": .text(property.collation.map { ".\($0)" } ?? ""),
      "onDelete": .text(property.onDelete?.stated.map { ".\($0)" } ?? ""),
      "read": .text(read),
      "migration": .text(migration),
    ]
  }

  /// The property in struct initialisers and in `createEntity`.
  var member: MustacheValue {
    [
      "name": .text(name),
      "argumentLabel": .text(SwiftName.label(property.name)),
      "read": .text(property.isID ? "entityId" : read),
      "copied": .text(property.isID ? "entityId" : "entity.\(name)"),
      "isToMany": false,
    ]
  }

  /// Escaped name of a to-one relation's target; nil for other properties.
  private var target: String? { property.targetType.map(SwiftName.escaped(qualified:)) }

  private var targetInGenerics: String? {
    property.targetType.map(SwiftName.inGenerics(entity:))
  }

  /// The type of an ID of an entity with its own type of IDs; nil for other properties.
  private var idInGenerics: String? {
    DeclaredType.argument(of: "EntityId", in: property.storedType)
      .map { "ObjectBox.EntityId<\(SwiftName.inGenerics(entity: SwiftName.plain($0)))>" }
  }

  /// The property as a to-one relation; nil for other properties.
  var toOne: MustacheValue? {
    guard let target else { return nil }
    return ["name": .text(name), "id": .text("\(modelID.id)"), "target": .text(target)]
  }

  private var propertyType: String {
    property.type.map { ".\($0)" } ?? "\(DeclaredType(property.storedType).name).entityPropertyType"
  }

  private var queryType: String {
    if let target { return "EntityId<\(target)>" }
    let vector =
      switch property.type {
      case .intVector: "Int32ArrayPropertyType"
      case .longVector: "Int64ArrayPropertyType"
      case .floatVector:
        property.vectorIndex == nil ? "FloatArrayPropertyType" : "HnswIndexPropertyType"
      case .stringVector: "StringArrayPropertyType"
      default: String?.none
      }
    guard let vector else { return property.storedType }
    return vector + (DeclaredType(property.storedType).isOptional ? "?" : "")
  }

  // MARK: Writing

  /// The value to store, as an expression on `entity`.
  private var written: String { written("entity.\(name)", id: "id") }

  /// Returns the value to store for a member or another expression.
  private func written(_ member: String, id: String) -> String {
    guard let conversion = property.conversion else { return member }
    if let converter = conversion.converter {
      return conversion.isCodable
        ? throwing("\(converter).text", member, id: id) : "\(converter).convert(\(member))"
    }
    return member + (property.isOptional ? "?" : "") + ".rawValue"
  }

  /// Label of the builder's `prepare` for a string, bytes or a vector; nil for values of fixed size.
  private var preparation: String? {
    switch property.type {
    case .string: property.encodedType?.label ?? "string"
    case .byteVector: property.encodedType?.label ?? "bytes"
    case .flex: "bytes"
    case .intVector, .longVector, .floatVector, .stringVector: "values"
    default: nil
    }
  }

  /// Arguments and closure of the builder's `migrated`; empty without a migration.
  private var migration: String {
    guard let migration = property.migration, let source = migration.source,
      let function = migration.function
    else { return "" }
    let read = source.type == .dateNano ? "readNanos" : "read"
    let name = SwiftName.escaped(migration.functionName)
    let call = "EntityType.\(name)(old.\(read)(at: \(2 + 2 * source.id.id)))"
    let value = written((function.isThrowing ? "try " : "") + call, id: "0")
    let statement =
      preparation.map { "new.collect(dataOffset: new.prepare(\($0): \(value)), at: \(slot))" }
      ?? "new.\(collector)(\(value), at: \(slot))"
    return "(from: \(source.id.id), uid: \(source.id.uid), type: .\(source.type)) { old, new in "
      + "\(statement) }"
  }

  /// The builder's function for values of fixed size.
  private var collector: String { property.type == .dateNano ? "collectNanos" : "collect" }

  /// Statement that prepares a string, bytes or a vector; nil for values of fixed size.
  var prepared: MustacheValue? {
    guard let label = preparation else { return nil }
    return [
      "variable": .text("offset\(modelID.id)"), "label": .text(label), "value": .text(written),
      "slot": .text("\(slot)"),
    ]
  }

  /// Order in which values are prepared, which is their order in the record: strings, bytes,
  /// vectors, each by property ID.
  var preparationOrder: (Int, UInt32) {
    switch property.type {
    case .string: (0, modelID.id)
    case .byteVector, .flex: (1, modelID.id)
    default: (2, modelID.id)
    }
  }

  /// Statement that stores a value of fixed size; nil for the ID and for prepared values.
  var collected: MustacheValue? {
    guard !property.isID, prepared == nil else { return nil }
    return [
      "function": .text(collector),
      "value": .text(written), "slot": .text("\(slot)"),
      "isToOne": .boolean(property.type == .relation),
    ]
  }

  // MARK: Reading

  private var read: String {
    if property.type == .relation { return "entityReader.read(at: \(slot), store: store)" }
    return (property.isCheckedText ? "try " : "") + valueRead
  }

  /// The converted value of a property that is not a relation.
  private var valueRead: String {
    let function = property.type == .dateNano ? "readNanos" : "read"
    let names = property.isCheckedText ? ", \(naming)" : ""
    let stored = "entityReader.\(function)(at: \(slot)\(names))"
    guard let conversion = property.conversion else { return stored }
    if let converter = conversion.converter {
      guard conversion.isCodable else {
        return "\(converter).convert(\(stored) as \(conversion.databaseType))"
      }
      let other = conversion.defaultValue.map { _ in ", default: EntityType.\(defaultName)" } ?? ""
      return throwing("\(converter).value", stored, id: "entityId.value", other)
    }
    if conversion.isTotal { return "\(property.unwrappedType)(rawValue: \(stored))" }
    let known = conversion.knownRawValues.joined(separator: ", ")
    func value(_ raw: String) -> String {
      "objectBoxValue(\(property.unwrappedType).self, rawValue: \(raw)"
        + (known.isEmpty ? ")" : ", among: [\(known)])")
    }
    guard let defaultValue = conversion.defaultValue else { return value(stored) }
    // The default replaces unknown values, not nil.
    return property.isOptional
      ? "(\(stored) as \(property.storedType)).map { \(value("$0")) ?? \(defaultValue) }"
      : "\(value(stored)) ?? \(defaultValue)"
  }

  /// Returns the call of a converter that may fail; it passes property and ID for the error.
  private func throwing(_ function: String, _ value: String, id: String, _ other: String = "")
    -> String
  {
    "try \(function)(of: \(value), \(naming), id: \(id)\(other))"
  }

  /// Arguments that name the property in errors.
  private var naming: String {
    "property: \(property.databaseName.literal), entity: EntityType.entityInfo"
  }

  private var isCodable: Bool { property.conversion?.isCodable == true }

  /// True when reading the property may fail.
  var canThrow: Bool { isCodable || property.isCheckedText }

  private var defaultName: String { SwiftName.escaped("__\(property.name)Default") }

  /// The default value of a `Codable` property; nil for other properties.
  ///
  /// It is a member of the entity, so that names in the expression can refer to other members.
  var defaultMember: MustacheValue? {
    guard isCodable, let value = property.conversion?.defaultValue else { return nil }
    return [
      "name": .text(defaultName), "type": .text(property.swiftType), "value": .text(value),
    ]
  }

  /// True when the property's declarations use a type of Foundation.
  var usesFoundation: Bool {
    let names =
      [
        "Date", "Data", "TimeInterval", "NSTimeInterval", "NSDate", "NSData", "NSString",
      ] + EncodedType.all.map(\.name)
    return names.contains(DeclaredType(queryType).name)
  }

  var usesRawValue: Bool {
    property.conversion.map { $0.converter == nil && !$0.isTotal && $0.knownRawValues.isEmpty }
      ?? false
  }

  var usesKnownRawValues: Bool {
    property.conversion.map { $0.converter == nil && !$0.knownRawValues.isEmpty } ?? false
  }
}
