import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import Testing

/// Stores under a random sequence of models, compared with dictionaries.
struct RandomModelTests {
  @Test(arguments: 0..<TestLength.choose(short: 12, long: 300))
  func `objects, values and links outlive every change of the model`(seed: Int) throws {
    let history = try StoreHistory(seed: seed)
    for _ in 0..<40 { try history.step() }
  }
}

/// A store, its earlier models, and what it must contain, with the data of removed elements.
private final class StoreHistory {
  private struct Object {
    /// Numbers and texts by the UIDs of their properties.
    var values: [UInt64: String] = [:]
    var targets: [UInt64: Id] = [:]
  }

  private let folder: TemporaryDirectory
  private var random: SplitMix
  private var lastUID: UInt64 = 0x10000
  private var models: [RandomModel] = []
  private var store: Store
  /// By the UIDs of entities.
  private var objects: [UInt64: [Id: Object]] = [:]
  private var lastIDs: [UInt64: Id] = [:]
  /// Pairs of source and target by the keys of relations.
  private var links: [[UInt64]: Set<[Id]>] = [:]

  private var model: RandomModel { models[models.count - 1] }

  init(seed: Int) throws {
    folder = try TemporaryDirectory()
    random = SplitMix(seed: seed)
    store = try Self.open(RandomModel(), in: folder)
    models.append(RandomModel())
    for _ in 0..<3 { try openEdited() }
  }

  private static func open(_ model: RandomModel, in folder: TemporaryDirectory) throws -> Store {
    let file = URL(fileURLWithPath: folder.path + "/model.json")
    try Data(model.json.utf8).write(to: file)
    return try Store(directoryPath: folder.path + "/store", modelJSON: file)
  }

  private func uid() -> UInt64 {
    lastUID += 256
    return lastUID
  }

  func step() throws {
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: try openEdited()
    case 2, 3: try openEarlier()
    case 4: if random.happens(0.3) { try discard() }
    default: for _ in 0..<4 { try write() }
    }
    for entity in model.entities { try check(entity) }
  }

  // MARK: Models

  private func openEdited() throws {
    var edited = model
    for _ in 0..<3 { edited.edit(&random, uid) }
    store.close()
    store = try Self.open(edited, in: folder)
    change(to: edited)
  }

  /// Opens the store with an earlier model, or with a branch of it; the store may refuse it and stays as
  /// it was then.
  private func openEarlier() throws {
    var earlier = random.pick(models)
    if random.happens(0.3) { earlier.edit(&random, uid) }
    store.close()
    do {
      store = try Self.open(earlier, in: folder)
      change(to: earlier)
    } catch {
      guard case ObjectBoxError.schema = error else { throw error }
      store = try Self.open(model, in: folder)
    }
  }

  /// Notes the model of the store, and clears references of elements that are back to missing objects.
  private func change(to new: RandomModel) {
    for entity in new.entities {
      let uid = entity.number.uid
      let before = model[uid]
      for property in entity.properties {
        let isOld = before?.properties.contains { $0.number.uid == property.number.uid } ?? false
        guard let target = property.target, !isOld else { continue }
        for (id, object) in objects[uid] ?? [:] {
          if let other = object.targets[property.number.uid], objects[target]?[other] == nil {
            objects[uid]?[id]?.targets[property.number.uid] = nil
          }
        }
      }
      for relation in entity.relations {
        links[entity.key(relation)] = links[entity.key(relation)]?.filter { pair in
          objects[uid]?[pair[0]] != nil && objects[relation.target]?[pair[1]] != nil
        }
      }
    }
    models.append(new)
  }

  private func discard() throws {
    try store.discardRetiredData()
    let living = Set(model.entities.map(\.number.uid))
    objects = objects.filter { living.contains($0.key) }
    lastIDs = lastIDs.filter { living.contains($0.key) }
    let keys = Set(model.entities.flatMap { entity in entity.relations.map(entity.key) })
    links = links.filter { keys.contains($0.key) }
    for entity in model.entities {
      let uids = Set(entity.properties.map(\.number.uid))
      objects[entity.number.uid] = objects[entity.number.uid]?.mapValues { object in
        Object(
          values: object.values.filter { uids.contains($0.key) },
          targets: object.targets.filter { uids.contains($0.key) }
        )
      }
    }
  }

  // MARK: Objects

  private func ids(_ uid: UInt64) -> [Id] { (objects[uid] ?? [:]).keys.sorted() }

  private func write() throws {
    guard let entity = model.entities.randomElement(using: &random) else { return }
    let uid = entity.number.uid
    let box = try store.box(named: entity.name)
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      guard let id = ids(uid).randomElement(using: &random) else { return }
      try box.remove(id)
      forget(id, of: uid)
    case 1:
      guard let relation = entity.relations.randomElement(using: &random),
        let source = ids(uid).randomElement(using: &random),
        let target = ids(relation.target).randomElement(using: &random)
      else { return }
      try box.add([target], to: relation.name, of: source)
      links[entity.key(relation), default: []].insert([source, target])
    default:
      let known = random.happens(0.3) ? ids(uid).randomElement(using: &random) : nil
      try put(entity, box, known)
    }
  }

  private func put(_ entity: RandomModel.Entity, _ box: DynamicBox, _ known: Id?) throws {
    let uid = entity.number.uid
    var (object, values) = (Object(), [String: Any?]())
    for property in entity.properties {
      values[property.name] = .some(nil)
      if let target = property.target {
        guard let id = ids(target).randomElement(using: &random) else { continue }
        object.targets[property.number.uid] = id
        values[property.name] = id
      } else if random.happens(0.8) {
        let number = Int.random(in: 0..<9, using: &random)
        values[property.name] = property.type == 9 ? "text \(number)" : number
        object.values[property.number.uid] = property.type == 9 ? "text \(number)" : "\(number)"
      }
    }
    if let known { values["id"] = known }
    let id = try box.put(values)
    #expect(id == known ?? (lastIDs[uid] ?? 0) + 1)
    if known == nil { lastIDs[uid] = id }
    objects[uid, default: [:]][id] = object
  }

  /// Removes an object, and the references to it that the model shows.
  private func forget(_ id: Id, of uid: UInt64) {
    objects[uid]?[id] = nil
    for entity in model.entities {
      let owner = entity.number.uid
      for property in entity.properties where property.target == uid {
        for source in ids(owner)
        where objects[owner]?[source]?.targets[property.number.uid] == id {
          objects[owner]?[source]?.targets[property.number.uid] = nil
        }
      }
      for relation in entity.relations {
        links[entity.key(relation)] = links[entity.key(relation)]?.filter { pair in
          !(owner == uid && pair[0] == id) && !(relation.target == uid && pair[1] == id)
        }
      }
    }
  }

  // MARK: Checks

  private func check(_ entity: RandomModel.Entity) throws {
    let box = try store.box(named: entity.name)
    let stored = objects[entity.number.uid] ?? [:]
    let all = try box.all()
    #expect(all.map(\.id) == stored.keys.sorted())
    for property in entity.properties {
      let uid = property.number.uid
      let isToOne = property.target != nil
      for object in all {
        let value = object[property.name].map { "\($0)" }
        let expected =
          isToOne
          ? stored[object.id]?.targets[uid].map { "\($0)" } : stored[object.id]?.values[uid]
        #expect((value == "0" && isToOne ? nil : value) == expected)
      }
      let texts = Set(stored.values.compactMap { $0.values[uid] })
      for text in texts {
        let value: Any = property.type == 9 ? text : Int(text) ?? 0
        let found = try box.query { $0[property.name].isEqual(to: value) }.build().findIds()
        #expect(found == stored.filter { $0.value.values[uid] == text }.keys.sorted())
      }
      for target in isToOne ? Set(stored.values.compactMap { $0.targets[uid] }) : [] {
        let found = try box.query { $0[property.name] == target }.build().findIds()
        #expect(found == stored.filter { $0.value.targets[uid] == target }.keys.sorted())
      }
    }
    for relation in entity.relations {
      let pairs = links[entity.key(relation)] ?? []
      for id in stored.keys {
        let targets = try box.targets(relation.name, of: id).sorted()
        #expect(targets == pairs.filter { $0[0] == id }.map { $0[1] }.sorted())
      }
      let other = try store.box(named: model[relation.target]?.name ?? "")
      for id in ids(relation.target) {
        let sources = try other.sources(entity.name, relation.name, of: id).sorted()
        #expect(sources == pairs.filter { $0[1] == id }.map { $0[0] }.sorted())
      }
    }
  }
}
