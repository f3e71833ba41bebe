import ObjectBox
import ObjectBoxDynamic

/// The content of a store, as read from its records.
struct StoredContent: Equatable {
  /// The non-null values of each object, by entity and ID.
  var objects: [String: [UInt64: [String]]] = [:]
  /// The pairs of each standalone relation.
  var pairs: [UInt32: [[UInt64]]] = [:]
  var lastIDs: [String: UInt64] = [:]

  init(_ store: Store) throws {
    try store.readingStored { version in
      for (index, entity) in store.schema.entities.enumerated() {
        var found: [UInt64: [String]] = [:]
        try version.forEachObject(entity: index) { record in
          found[record.objectID] = entity.properties.compactMap { property in
            switch record.exact(property) {
            case .null: nil
            case .bytes(let bytes): "\(property.name) \(Array(bytes))"
            case let value: "\(property.name) \(value)"
            }
          }
        }
        objects[entity.name] = found
        lastIDs[entity.name] = try version.lastID(entity: index)
        for relation in entity.relations {
          let id = relation.identity.id
          pairs[id] = []
          try version.forEachLink(relation: id) { pairs[id]?.append([$0, $1]) }
        }
      }
    }
  }

  /// Reads the store in a directory under its stored schema.
  init(path: String) throws {
    var configuration = Store.Configuration(directory: path)
    configuration.readOnly = true
    let store = try Store(existing: configuration)
    defer { store.close() }
    try self.init(store)
  }
}
