import ObjectBoxTestSupport

/// A model that random edits change as the generator changes it: new elements get the next IDs.
struct RandomModel {
  struct Number: Hashable {
    var id: UInt32 = 0
    var uid: UInt64 = 0

    var text: String { "\"\(id):\(uid)\"" }

    func next(_ uid: UInt64) -> Number { Number(id: id + 1, uid: uid) }
  }

  struct Property {
    var number: Number
    var name: String
    /// 6 for a number, 9 for a text, 11 for a to-one relation.
    var type: Int
    var index: Number?
    var flags = 0
    /// UID of a relation's target.
    var target: UInt64?
  }

  struct Relation {
    var number: Number
    var target: UInt64

    var name: String { "relation\(number.uid)" }
  }

  struct Entity {
    var number: Number
    var name: String
    var last: Number
    var properties: [Property] = []
    var relations: [Relation] = []

    /// Returns the key of a relation's links in the oracle.
    func key(_ relation: Relation) -> [UInt64] {
      [relation.number.uid, number.uid, relation.target]
    }
  }

  var entities: [Entity] = []
  private var lastEntity = Number()
  private var lastIndex = Number()
  private var lastRelation = Number()

  subscript(uid: UInt64) -> Entity? { entities.first { $0.number.uid == uid } }

  // MARK: Edits

  /// Makes one random change; `uid` returns a new UID.
  mutating func edit(_ random: inout SplitMix, _ uid: () -> UInt64) {
    guard let place = entities.indices.randomElement(using: &random) else {
      return addEntity(uid())
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: if entities.count < 4 { addEntity(uid()) }
    case 1: if random.happens(0.4) { removeEntity(at: place) }
    case 2: entities[place].name = "E\(uid())"
    case 3, 4:
      addProperty(to: place, uid(), type: random.pick([6, 9]))
      toggleIndex(of: entities[place].properties.count - 1, in: place, &random, uid)
    case 5:
      addProperty(to: place, uid(), type: 11, target: random.pick(entities).number.uid)
      let last = entities[place].properties.count - 1
      lastIndex = lastIndex.next(uid())
      entities[place].properties[last].index = lastIndex
      entities[place].properties[last].flags = 8 | 512
    case 6:
      if let gone = entities[place].properties.indices.randomElement(using: &random) {
        entities[place].properties.remove(at: gone)
      }
    case 7:
      lastRelation = lastRelation.next(uid())
      let target = random.pick(entities).number.uid
      entities[place].relations.append(Relation(number: lastRelation, target: target))
    case 8: if random.happens(0.5) { _ = entities[place].relations.popLast() }
    default:
      let plain = entities[place].properties.indices.filter {
        entities[place].properties[$0].target == nil
      }
      if let changed = plain.randomElement(using: &random) {
        entities[place].properties[changed].name = "p\(uid())"
        toggleIndex(of: changed, in: place, &random, uid)
      }
    }
  }

  private mutating func addEntity(_ uid: UInt64) {
    lastEntity = lastEntity.next(uid)
    let id = Number(id: 1, uid: uid + 1)
    entities.append(Entity(number: lastEntity, name: "E\(uid)", last: id))
  }

  private mutating func removeEntity(at place: Int) {
    let gone = entities.remove(at: place).number.uid
    for index in entities.indices {
      entities[index].properties.removeAll { $0.target == gone }
      entities[index].relations.removeAll { $0.target == gone }
    }
  }

  private mutating func addProperty(
    to place: Int,
    _ uid: UInt64,
    type: Int,
    target: UInt64? = nil
  ) {
    entities[place].last = entities[place].last.next(uid)
    entities[place].properties.append(
      Property(number: entities[place].last, name: "p\(uid)", type: type, target: target)
    )
  }

  private mutating func toggleIndex(
    of property: Int,
    in place: Int,
    _ random: inout SplitMix,
    _ uid: () -> UInt64
  ) {
    let isText = entities[place].properties[property].type == 9
    entities[place].properties[property].flags =
      random.pick(isText ? [0, 8, 8 | 2048, 8 | 4096] : [0, 8, 8192, 8 | 8192])
    if entities[place].properties[property].flags & 8 == 0 {
      entities[place].properties[property].index = nil
    } else if entities[place].properties[property].index == nil {
      lastIndex = lastIndex.next(uid())
      entities[place].properties[property].index = lastIndex
    }
  }

  // MARK: Text

  var json: String {
    let entities = entities.map(json).joined(separator: ",\n")
    return """
      {"entities": [\(entities)], "lastEntityId": \(lastEntity.text), "lastIndexId": \
      \(lastIndex.text), "lastRelationId": \(lastRelation.text), "modelVersion": 5}
      """
  }

  private func json(_ entity: Entity) -> String {
    let id = "{\"id\": \"1:\(entity.number.uid + 1)\", \"name\": \"id\", \"type\": 6, \"flags\": 1}"
    let properties = entity.properties.map { property in
      "{\"id\": \(property.number.text), \"name\": \"\(property.name)\", \"type\": \(property.type), "
        + "\"flags\": \(property.flags)"
        + (property.index.map { ", \"indexId\": \($0.text)" } ?? "")
        + (property.target.map { ", \"relationTarget\": \"\(self[$0]?.name ?? "")\"" } ?? "") + "}"
    }
    let relations = entity.relations.map { relation in
      "{\"id\": \(relation.number.text), \"name\": \"\(relation.name)\", \"targetId\": "
        + "\(self[relation.target]?.number.text ?? "")}"
    }
    return "{\"id\": \(entity.number.text), \"lastPropertyId\": \(entity.last.text), \"name\": "
      + "\"\(entity.name)\", \"properties\": [\(([id] + properties).joined(separator: ", "))], "
      + "\"relations\": [\(relations.joined(separator: ", "))]}"
  }
}
