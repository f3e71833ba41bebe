import ObjectBoxGenerator
import ObjectBoxTestSupport
import Testing

/// Random edits of random schemas: surviving elements keep their identities, and no identity is
/// used twice.
struct RandomSchemaTests {
  /// An element of a random schema, with a number by which the test recognises it after renames.
  private struct Element {
    var key: Int
    var name: String
    var type = "Int"
    var isIndexed = false
    /// The UID for the annotation of a renamed element.
    var renamedFrom: UInt64?
  }

  private struct Entity {
    var element: Element
    var properties: [Element] = []
    var relations: [Element] = []
  }

  private struct World {
    var random: SplitMix
    var nextKey = 0
    var entities: [Entity] = []

    init(seed: Int) {
      random = SplitMix(seed: seed)
      for _ in 0..<Int.random(in: 1...4, using: &random) { addEntity() }
    }

    mutating func element(_ prefix: String) -> Element {
      nextKey += 1
      return Element(key: nextKey, name: "\(prefix)\(nextKey)")
    }

    mutating func addEntity() {
      var entity = Entity(element: element("E"))
      for _ in 0..<Int.random(in: 0...4, using: &random) { addProperty(to: &entity) }
      entities.append(entity)
    }

    mutating func addProperty(to entity: inout Entity) {
      var property = element("p")
      property.type = ["Int", "String", "Date", "UInt16"].randomElement(using: &random) ?? "Int"
      property.isIndexed = Bool.random(using: &random)
      entity.properties.append(property)
    }

    /// Makes one change; UIDs for renames come from the last written model.
    mutating func edit(_ uids: [Int: UInt64]) {
      guard !entities.isEmpty else { return addEntity() }
      let place = Int.random(in: 0..<entities.count, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: addEntity()
      case 1: if entities.count > 1 { entities.remove(at: place) }
      case 2:
        var entity = entities[place]
        addProperty(to: &entity)
        entities[place] = entity
      case 3: if !entities[place].properties.isEmpty { entities[place].properties.removeLast() }
      case 4:
        nextKey += 1
        entities[place].element.renamedFrom = uids[entities[place].element.key]
        if entities[place].element.renamedFrom != nil {
          entities[place].element.name = "R\(nextKey)"
        }
      case 5:
        guard let index = entities[place].properties.indices.randomElement(using: &random) else {
          return
        }
        nextKey += 1
        let uid = uids[entities[place].properties[index].key]
        entities[place].properties[index].renamedFrom = uid
        if uid != nil { entities[place].properties[index].name = "r\(nextKey)" }
      case 6:
        guard let index = entities[place].properties.indices.randomElement(using: &random) else {
          return
        }
        entities[place].properties[index].isIndexed.toggle()
      case 7: entities[place].relations.append(element("m"))
      case 8: if !entities[place].relations.isEmpty { entities[place].relations.removeFirst() }
      default:
        entities.shuffle(using: &random)
        entities[0].properties.shuffle(using: &random)
      }
    }

    var source: String {
      entities.map { entity in
        let uid = entity.element.renamedFrom.map { ", uid = \($0)" } ?? ""
        var lines = [
          "// objectbox: entity\(uid)", "class \(entity.element.name) {", "var id: Id = 0",
        ]
        for property in entity.properties {
          var items: [String] = []
          if property.isIndexed { items.append("index") }
          if let uid = property.renamedFrom { items.append("uid = \(uid)") }
          if !items.isEmpty { lines.append("// objectbox: " + items.joined(separator: ", ")) }
          lines.append("var \(property.name): \(property.type)")
        }
        for relation in entity.relations {
          lines.append("var \(relation.name): ToMany<\(entities[0].element.name)> = nil")
        }
        return (lines + ["}"]).joined(separator: "\n")
      }.joined(separator: "\n")
    }

    /// Returns the UID of each living element in a model, by the test's number.
    func identities(in model: ModelDocument) -> [Int: UInt64] {
      var found: [Int: UInt64] = [:]
      for entity in entities {
        guard let stored = model.entities.first(where: { $0.name == entity.element.name }) else {
          continue
        }
        found[entity.element.key] = stored.id.uid
        for property in entity.properties {
          found[property.key] = stored.properties.first { $0.name == property.name }?.id.uid
        }
        for relation in entity.relations {
          found[relation.key] = stored.relations.first { $0.name == relation.name }?.id.uid
        }
      }
      return found
    }
  }

  @Test(arguments: 0..<TestLength.choose(short: 8, long: 24))
  func `surviving elements keep their UIDs, and no UID is used again`(_ seed: Int) throws {
    var world = World(seed: seed)
    var model = ModelDocument()
    var uids = UIDGenerator(isDeterministic: false)
    var identities: [Int: UInt64] = [:]
    /// The element of every UID that was ever given.
    var owner: [UInt64: Int] = [:]
    var uidOfNumber: [String: UInt64] = [:]
    for _ in 0..<30 {
      world.edit(identities)
      let built = SchemaBuilder.build([SourceFile(path: "A.swift", text: world.source)])
      #expect(built.diagnostics.map(\.description) == [])
      let result = ModelSynchronizer.synchronize(
        built.schema,
        with: model,
        uids: &uids
      )
      #expect(result.diagnostics.map(\.description) == [])
      model = try #require(ModelDocument.parse(result.model.text, path: "m").model)
      #expect(model == result.model)
      let now = world.identities(in: model)
      for (key, uid) in identities where now[key] != nil {
        #expect(now[key] == uid, "element \(key) of seed \(seed) lost its UID")
      }
      for (key, uid) in now {
        #expect(owner[uid, default: key] == key, "UID \(uid) of seed \(seed) was used again")
        owner[uid] = key
      }
      // IDs come from counters that only rise: no ID is given to another element later.
      for (number, uid) in numbers(in: model) {
        #expect(uidOfNumber[number, default: uid] == uid, "\(number) of seed \(seed)")
        uidOfNumber[number] = uid
      }
      // Exactly the removed elements are retired.
      let retired = Set(
        model.retiredEntityUIDs + model.retiredPropertyUIDs + model.retiredRelationUIDs
      )
      #expect(retired.isDisjoint(with: now.values))
      for uid in identities.values where !now.values.contains(uid) {
        #expect(retired.contains(uid))
      }
      identities = now
      for index in world.entities.indices {
        world.entities[index].element.renamedFrom = nil
        for property in world.entities[index].properties.indices {
          world.entities[index].properties[property].renamedFrom = nil
        }
      }
    }
  }

  /// Returns the IDs of all elements of a model, with their UIDs.
  private func numbers(in model: ModelDocument) -> [(String, UInt64)] {
    var numbers: [(String, UInt64)] = []
    for entity in model.entities {
      numbers.append(("entity \(entity.id.id)", entity.id.uid))
      for property in entity.properties {
        numbers.append(("property \(entity.id.uid).\(property.id.id)", property.id.uid))
        guard let index = property.indexID else { continue }
        numbers.append(("index \(index.id)", index.uid))
      }
      for relation in entity.relations {
        numbers.append(("relation \(relation.id.id)", relation.id.uid))
      }
    }
    return numbers
  }
}
