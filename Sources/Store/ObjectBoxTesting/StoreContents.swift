internal import ObjectBox
internal import ObjectBoxDynamic

/// The schema of a store before an upgrade, and the numbers of its objects.
struct StoreContents {
  let schema: StoreSchema
  /// By the UID of the entity.
  private let counts: [UInt64: Int]

  /// Reads a store with the schema in its file.
  init(of copy: StoreCopy) throws {
    let store = try Store(existing: copy.configuration)
    defer { store.close() }
    schema = store.file.schema
    var counts: [UInt64: Int] = [:]
    for entity in schema.entities {
      counts[entity.identity.uid] = Int(try store.box(named: entity.name).count())
    }
    self.counts = counts
  }

  /// The number of objects of an entity.
  func count(of entity: EntitySchema) -> Int { counts[entity.identity.uid] ?? 0 }

  /// Returns the entity with a UID; nil if the store lacks it.
  func entity(uid: UInt64) -> EntitySchema? { schema.entities.first { $0.identity.uid == uid } }
}
