import Foundation
import ObjectBox
import ObjectBoxDynamic

/// Uses of a store whose file is damaged; each returns its results or throws.
protocol DamagedStore {
  /// Opens the store, and reads everything in several ways.
  static func read(_ path: String) throws -> [String]
  /// Changes, removes and adds objects, and reopens the store.
  static func write(_ path: String) throws
}

/// The store that the trial makes.
enum OwnStore: DamagedStore {
  static func read(_ path: String) throws -> [String] {
    let store = try TrialStore.open(path)
    defer { store.close() }
    return try read(store)
  }

  static func read(_ store: Store) throws -> [String] {
    let box = store.box(for: Item.self)
    var found = try box.all().map { text($0) }
    found += try store.box(for: Register.self).all().map { "\($0.id) \($0.value)" }
    found.append("\(try box.count()) \(try store.box(for: Register.self).count())")
    for number in 0..<13 {
      let ids = try box.query { Item.text == "text \(number)" }.build().findIds()
      found.append("\(number): \(ids.map(\.value))")
    }
    let ordered = try box.query { Item.step > 1 }.ordered(by: Item.step).build()
    for item in try ordered.find() {
      found.append(item.key)
      found.append("\(try box.get(where: Item.key, equals: item.key)?.id ?? 0)")
    }
    let origin = [Float](repeating: 0, count: Item.dimensions)
    let near = box.query { Item.place.nearestNeighbors(queryVector: origin, maxCount: 1000) }
    found += try near.build().findIdsWithScores().map { "\($0.id) \($0.score)" }
    found += try WordDamageCheck.words(store)
    for worker: Int32 in [0, 100, 200] {
      found.append("\(try box.query { Item.worker == worker && Item.step < 3 }.build().count())")
    }
    return found
  }

  /// Returns the objects by ID, as texts.
  static func items(_ store: Store) throws -> [UInt64: String] {
    let items = try store.box(for: Item.self).all().map { ($0.id.value, text($0)) }
    return Dictionary(uniqueKeysWithValues: items)
  }

  static func text(_ item: Item) -> String {
    "\(item.id) \(item.key) \(item.worker) \(item.slot) \(item.step) \(item.text) \(item.payload.hashValue)"
  }

  /// Changes, removes and adds objects, and reopens the store.
  static func write(_ path: String) throws {
    let plan = Plan(seed: 2, worker: 7, shape: Shape(puts: 1...1))
    let store = try TrialStore.open(path)
    defer { store.close() }
    let box = store.box(for: Item.self)
    for item in try box.all() {
      item.text = "changed"
      if item.id % 3 == 0 { try box.remove(item.id) } else { try box.put(item) }
    }
    try box.put((0..<30).map { plan.item(slot: $0, step: 1) })
    store.close()
    let again = try TrialStore.open(path)
    defer { again.close() }
    _ = try again.box(for: Item.self).all()
  }
}

/// A fixture store of any format, under its stored schema.
enum FixtureStore: DamagedStore {
  private static func open(_ path: String) throws -> Store {
    var configuration = Store.Configuration(directory: path)
    configuration.maxDbSizeInKByte = 1_000_000
    return try Store(existing: configuration)
  }

  static func read(_ path: String) throws -> [String] {
    let store = try open(path)
    defer { store.close() }
    var found: [String] = []
    for entity in store.schema.entities {
      let box = try store.box(named: entity.name)
      for object in try box.all() {
        found += object.names.map { "\(object.id) \($0) \(object[$0].map { "\($0)" } ?? "null")" }
        for relation in entity.relations { found.append("\(try object.targets(relation.title))") }
      }
      found.append("\(entity.name) \(try box.count())")
      for property in entity.properties where !property.type.isVector {
        found.append("\(try box.query().ordered(by: property.name).build().findIds())")
      }
    }
    return found
  }

  static func write(_ path: String) throws {
    let store = try open(path)
    defer { store.close() }
    for entity in store.schema.entities {
      let box = try store.box(named: entity.name)
      for object in try box.all() {
        if object.id % 3 == 0 { try box.remove(object.id) } else { try box.put(object) }
      }
      try box.put([:])
    }
    store.close()
    _ = try read(path)
  }
}

extension PropertyType {
  /// True for types that cannot order objects.
  fileprivate var isVector: Bool { rawValue == 13 || rawValue >= 22 }
}
