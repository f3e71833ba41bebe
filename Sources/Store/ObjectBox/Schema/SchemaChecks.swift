/// Checks that the schema in a store file and a model are versions of one schema.
struct SchemaChecks {
  /// The store's directory, for messages.
  let location: String
  /// True if the model has elements that the store has retired, as when an older model is restored.
  var isRestoring = false

  func fault(_ text: String) -> ObjectBoxError {
    .schema(message: "cannot open store at '\(location)': \(text)")
  }

  let restore =
    "restore model.json from version control and run the generator again, or use another directory"

  /// Rejects a store with higher numbers than the model's, unless an older model is being restored.
  ///
  /// A later model has written such a store.
  func compareLast(
    _ kind: String,
    of entity: String? = nil,
    stored: SchemaIdentity,
    model: SchemaIdentity
  ) throws {
    let owner = entity.map { " of '\($0)'" } ?? ""
    if stored.id > model.id, !isRestoring {
      throw fault(
        "its last \(kind)\(owner) has ID \(stored.id), the model says \(model.id), so the store was "
          + "written with a newer model; update the program, or \(restore)"
      )
    }
    if stored.id == model.id, stored.uid != model.uid, stored.id != 0 {
      throw fault(
        "its last \(kind)\(owner) has UID \(stored.uid), the model says \(model.uid); \(restore)"
      )
    }
  }

  func compare(_ entity: EntitySchema, with old: EntitySchema) throws {
    guard entity.identity.uid == old.identity.uid else {
      throw fault(
        "its schema has UID \(old.identity.uid) for '\(old.name)' (ID \(old.identity.id)), the model "
          + "says \(entity.identity.uid) for '\(entity.name)'; \(restore)"
      )
    }
  }

  /// Rejects an entity if its UID has another ID in the file: it would lose its objects.
  func checkNotMoved(_ entity: EntitySchema, in stored: StoreSchema) throws {
    if let old = stored.entities.first(where: { $0.identity.uid == entity.identity.uid }) {
      throw fault(
        "'\(entity.name)' has ID \(entity.identity.id) in the model and ID \(old.identity.id) in the "
          + "store, with the same UID \(old.identity.uid); \(restore)"
      )
    }
  }

  func compare(
    _ property: PropertySchema,
    with old: PropertySchema,
    of entity: EntitySchema
  ) throws {
    guard property.identity.uid == old.identity.uid else {
      throw fault(
        "its schema has UID \(old.identity.uid) for '\(entity.name).\(old.name)' (ID "
          + "\(old.identity.id)), the model says \(property.identity.uid) for "
          + "'\(entity.name).\(property.name)'; \(restore)"
      )
    }
    try compare(property, with: (old.name, old.type, old.has(.id)), of: entity)
  }

  /// Compares the type of a restored property with the type of its values in older records.
  func compare(
    _ property: PropertySchema,
    with old: RecordLayout.Definition.Property,
    of entity: EntitySchema
  ) throws {
    try compare(property, with: (property.name, old.type, old.isObjectID), of: entity)
  }

  private func compare(
    _ property: PropertySchema,
    with old: (name: String, type: PropertyType, isID: Bool),
    of entity: EntitySchema
  ) throws {
    let title = "'\(entity.name).\(property.name)'"
    guard old.isID == property.has(.id) else {
      throw fault(
        "\(title) is \(old.isID ? "the ID" : "a value") in the store and "
          + "\(old.isID ? "a value" : "the ID") in the model; \(restore)"
      )
    }
    guard Self.areCompatible(old.type, property.type) else {
      let advice = property.adviceOnRetyping(from: old.type, named: old.name, in: entity)
      throw fault(
        "\(title) is stored as \(old.type) and the model says \(property.type); \(advice)"
      )
    }
  }

  /// Returns whether the stored bytes of two types have the same meaning.
  static func areCompatible(_ a: PropertyType, _ b: PropertyType) -> Bool {
    a.sameBytes == b.sameBytes
  }
}

extension PropertyType {
  /// A representative of all types with the same meaning of stored bytes.
  fileprivate var sameBytes: PropertyType {
    switch self {
    case .flex: .byteVector
    case .unknown: .byte
    case .char: .short
    default: self
    }
  }
}
