import Foundation
import ObjectBox
import ObjectBoxStorage

/// Checks that the parts of a store's file agree.
enum StoreCheck {
  /// Compares the store's queries and migrated values with its objects, closes it, and verifies the
  /// file.
  ///
  /// - Returns: The first difference; nil when there is none.
  static func close(_ store: Store) throws -> String? {
    let path = store.directoryPath
    defer { store.close() }
    if let fault = try compareQueries(store) ?? compareMigrated(store) { return fault }
    store.close()
    return try TrialStore.fault(path)
  }

  /// Opens the store under a model generation, and checks it.
  static func run(_ path: String, generation: Int) throws -> String? {
    try close(try TrialStore.open(path, generation: generation))
  }

  /// Queries each index for each value of the objects, and for all objects in order.
  private static func compareQueries(_ store: Store) throws -> String? {
    let box = store.box(for: Item.self)
    let items = try box.all()
    for item in items where try box.get(where: Item.key, equals: item.key)?.id != item.id {
      return "the index of keys does not find '\(item.key)'"
    }
    for (text, group) in Dictionary(grouping: items, by: \.text) {
      let ids = try box.query { Item.text == text }.build().findIds().map(\.value)
      if ids.sorted() != group.map(\.id).sorted() {
        return "the index of texts differs at '\(text)'"
      }
    }
    for (step, group) in Dictionary(grouping: items, by: \.step) {
      let ids = try box.query { Item.step == step }.build().findIds().map(\.value)
      if ids.sorted() != group.map(\.id).sorted() { return "the index of steps differs at \(step)" }
      let worker = group[0].worker
      let own = try box.query { Item.worker == worker && Item.step == step }.build().count()
      if own != group.count(where: { $0.worker == worker }) {
        return "the index of workers and steps differs at \(worker), \(step)"
      }
    }
    return try comparePlaces(items, box)
  }

  /// Compares the values of the properties that each generation fills by migrations.
  private static func compareMigrated(_ store: Store) throws -> String? {
    let generation = TrialStore.generation(of: store.file.schema)
    let items = try store.box(for: Item.self).all()
    let properties = [
      (TrialStore.extraID(generation: generation), TrialStore.extra),
      (TrialStore.totalID(generation: generation), TrialStore.total),
    ]
    for (id, value) in properties {
      let values = try store.box(for: Item.self).query().build()
        .property(Property<Item, Int64, Void>(propertyId: id)).find()
      let expected = items.map { value($0, generation) }
      if values == expected { continue }
      let wrong = zip(items, zip(values, expected)).first { $1.0 != $1.1 }
      return
        "\(values.count) of \(items.count) objects have a migrated value; the first wrong one is "
        + (wrong.map { "\($1.0) of '\($0.key)', not \($1.1)" } ?? "missing")
    }
    return nil
  }

  /// Searches for as many neighbours as there are objects with a place.
  private static func comparePlaces(_ items: [Item], _ box: Box<Item>) throws -> String? {
    let expected = items.filter { $0.place != nil }.map(\.id)
    guard !expected.isEmpty else { return nil }
    let origin = [Float](repeating: 0, count: Item.dimensions)
    let query = box.query {
      Item.place.nearestNeighbors(queryVector: origin, maxCount: expected.count)
    }
    let found = try query.build().findIdsWithScores().map(\.id).sorted()
    if found.count != expected.count || found != expected.sorted() {
      return "the graph finds \(found.count) of \(expected.count) objects"
    }
    return nil
  }

  /// Removes the first entry of an index, to test that checks find it.
  static func removeEntry(of index: UInt32, _ path: String, generation: Int) throws {
    if TrialStore.isEncrypted {
      let store = try TrialStore.open(path, generation: generation)
      defer { store.close() }
      return try store.transactions.inTransaction(isWritable: true) { transaction, _ in
        try transaction.withStorage { try removeEntry(of: index, in: $0) }
      }
    }
    let environment = try StorageEnvironment(directory: path, options: options)
    defer { environment.close() }
    let writing = try environment.beginWrite()
    try removeEntry(of: index, in: writing)
    try writing.commit()
  }

  private static func removeEntry(of index: UInt32, in writing: StorageTransaction) throws {
    guard let table = try writing.openTable("i\(index)", .index, create: false),
      let entry = try writing.cursor(table).firstEntry()
    else { return }
    let key = Array(entry.key)
    _ = try key.withUnsafeBytes { try writing.delete(table, key: $0, id: entry.id) }
  }

  private static var options: StorageEnvironment.Options {
    StorageEnvironment.Options(mapSizeInBytes: 1 << 30, maximumTableCount: 20)
  }
}
