import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

/// Compares the shown effects of removals with what the removals do to copies of the store.
struct RandomRemovalTests {
  @Test(arguments: 0..<TestLength.choose(short: 12, long: 120))
  func `the shown effects are the differences that the removal makes`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    let model = RandomModel(&random)
    let folder = try TemporaryDirectory()
    // With `restrict` as `nullify`, the removal shows which objects would have refused it.
    let models = try [false, true].map { isLenient in
      let json = model.json(isLenient: isLenient)
      return URL(fileURLWithPath: try folder.write(json, to: "model-\(isLenient).json"))
    }
    let test = try BrowsedStore(model.json(isLenient: false))
    try model.fill(test.store, &random)
    let before = try Content(test.store, model)
    for number in 0..<8 {
      let entity = Int.random(in: model.entities.indices, using: &random)
      let ids = (0..<Int.random(in: 1...3, using: &random)).map { _ in random.pick(Array(1...11)) }
      let shown = try Effects(
        test.json(
          "api/removal",
          [
            "entity": RandomModel.name(entity), "ids": ids.map { "\($0)" }.joined(separator: ","),
          ]
        )
      )
      var outcomes: [(refusal: String?, after: Content)] = []
      for (isLenient, file) in zip([false, true], models) {
        let path = folder.path + "/copy-\(number)-\(isLenient)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try FileManager.default.copyItem(
          atPath: test.folder.path + "/notes/data.mdb",
          toPath: path + "/data.mdb"
        )
        let copy = try Store(directoryPath: path, modelJSON: file)
        defer { copy.close() }
        let refusal = Self.remove(ids, of: RandomModel.name(entity), in: copy)
        outcomes.append((refusal, try Content(copy, model)))
      }
      let (strict, lenient) = (outcomes[0], outcomes[1])
      let expected = Effects(before, lenient.after, model, asked: (entity, Set(ids)))
      let note: Comment = "seed \(seed), \(ids) of \(RandomModel.name(entity)) in \(model)"
      #expect(lenient.refusal == nil)
      #expect(shown == expected, note)
      #expect((strict.refusal != nil) == !expected.refusing.isEmpty, note)
      #expect(strict.after == (strict.refusal == nil ? lenient.after : before), note)
      if let refusal = strict.refusal {
        #expect(expected.refusing.contains { refusal.contains(": \($0) is connected") }, note)
      }
      #expect(try Content(test.store, model) == before)
    }
  }

  /// Removes objects; returns the message of a refusal.
  private static func remove(_ ids: [Int], of name: String, in store: Store) -> String? {
    do {
      try store.box(named: name).remove(ids.map { Id($0) })
    } catch ObjectBoxError.constraintViolated(let message) {
      return message
    } catch {
      Issue.record("\(error)")
    }
    return nil
  }
}

/// Entities that are related at random, also with themselves, under random delete rules.
private struct RandomModel: CustomStringConvertible {
  struct ToOne {
    var target: Int
    var rule: String
    var hasIndex: Bool
  }

  struct Relation {
    var source: Int
    var target: Int
    var rule: String
    var targetRule: String
  }

  var entities: [[ToOne]] = []
  var relations: [Relation] = []

  init(_ random: inout SplitMix) {
    let count = Int.random(in: 2...4, using: &random)
    let rules = ["nullify", "nullify", "cascade", "restrict"]
    entities = (0..<count).map { _ in
      (0..<Int.random(in: 0...2, using: &random)).map { _ in
        ToOne(
          target: Int.random(in: 0..<count, using: &random),
          rule: random.pick(rules),
          hasIndex: random.pick([true, false])
        )
      }
    }
    relations = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      Relation(
        source: Int.random(in: 0..<count, using: &random),
        target: Int.random(in: 0..<count, using: &random),
        rule: random.pick(rules),
        targetRule: random.pick(rules)
      )
    }
  }

  static func name(_ entity: Int) -> String { "E\(entity)" }

  var description: String {
    let toOnes = entities.enumerated().flatMap { entity, toOnes in
      toOnes.map { "\(Self.name(entity)) to \(Self.name($0.target)): \($0.rule)" }
    }
    let many = relations.map {
      "\(Self.name($0.source)) to many \(Self.name($0.target)): \($0.rule), \($0.targetRule)"
    }
    return (toOnes + many).joined(separator: "; ")
  }

  func json(isLenient: Bool) -> String {
    var indexCount = 0
    let texts = entities.indices.map { entity in
      let uid = 1000 * (entity + 1)
      var properties = [#"{"id":"1:\#(uid + 1)","name":"id","type":6,"flags":1}"#]
      for (number, toOne) in entities[entity].enumerated() {
        var index = ""
        if toOne.hasIndex {
          indexCount += 1
          index = #","flags":520,"indexId":"\#(indexCount):\#(90_000 + indexCount)""#
        }
        properties.append(
          #"{"id":"\#(number + 2):\#(uid + number + 2)","name":"one\#(number)","type":11\#(index),"#
            + #""relationTarget":"\#(Self.name(toOne.target))","onDelete":"\#(toOne.rule)"}"#
        )
      }
      let many = relations.enumerated().filter { $1.source == entity }.map { number, relation in
        #"{"id":"\#(number + 1):\#(80_001 + number)","name":"many\#(number)","#
          + #""targetId":"\#(relation.target + 1):\#(1000 * (relation.target + 1))","#
          + #""onDelete":"\#(relation.rule)","onTargetDelete":"\#(relation.targetRule)"}"#
      }
      return #"{"id":"\#(entity + 1):\#(uid)","name":"\#(Self.name(entity))","#
        + #""lastPropertyId":"\#(properties.count):\#(uid + properties.count)","#
        + #""properties":[\#(properties.joined(separator: ","))],"#
        + #""relations":[\#(many.joined(separator: ","))]}"#
    }
    let text =
      #"{"entities":[\#(texts.joined(separator: ","))],"modelVersion":5,"#
      + #""lastEntityId":"\#(entities.count):\#(1000 * entities.count)","#
      + #""lastIndexId":"\#(indexCount):\#(indexCount > 0 ? 90_000 + indexCount : 0)","#
      + #""lastRelationId":"\#(relations.count):\#(80_000 + relations.count)"}"#
    return isLenient ? text.replacingOccurrences(of: "restrict", with: "nullify") : text
  }

  /// Puts objects with IDs up to 10 and relates them, also to the missing objects 11 and 12.
  func fill(_ store: Store, _ random: inout SplitMix) throws {
    // Few links, so that cascades end before everything is removed.
    let density = random.pick([0.1, 0.3, 0.6])
    for (entity, toOnes) in entities.enumerated() {
      for _ in 0..<10 {
        var values: [String: Any?] = ["id": Id(0)]
        for number in toOnes.indices where random.happens(density) {
          values["one\(number)"] = Id.random(in: 1...11, using: &random)
        }
        try store.box(named: Self.name(entity)).put(values)
      }
      // Earlier objects may refuse it.
      if random.happens(0.3) { _ = try? store.box(named: Self.name(entity)).remove(4) }
    }
    try store.writingStored { writing in
      for number in relations.indices {
        let relation = try #require(writing.file.relation(id: UInt32(number + 1)))
        for _ in 0..<Int(10 * density) {
          try relation.add(
            source: UInt64.random(in: 1...11, using: &random),
            target: UInt64.random(in: 1...12, using: &random),
            in: writing.transaction.storage
          )
        }
      }
    }
  }
}

/// The to-one relations of all objects by entity and ID, and the pairs of all to-many relations.
private struct Content: Equatable {
  var objects: [[UInt64: [UInt64]]]
  var pairs: [Set<[UInt64]>]

  init(_ store: Store, _ model: RandomModel) throws {
    objects = try model.entities.enumerated().map { entity, toOnes in
      let all = try store.box(named: RandomModel.name(entity)).all().map { object in
        (object.id, toOnes.indices.map { object["one\($0)"] as? Id ?? 0 })
      }
      return Dictionary(uniqueKeysWithValues: all)
    }
    pairs = try model.relations.indices.map { number in
      var pairs: Set<[UInt64]> = []
      try store.readingStored { version in
        try version.forEachLink(relation: UInt32(number + 1)) { pairs.insert([$0, $1]) }
      }
      return pairs
    }
  }
}

/// The effects of a removal, as counts of objects.
private struct Effects: Equatable, CustomStringConvertible {
  enum Kind: String { case removed, disconnected, refusals }

  /// The objects of an entity that are removed too, or that one end of a relation affects.
  struct Key: Hashable {
    var kind: Kind
    var entity: String
    /// The relation and its end; empty for removed objects.
    var relation = ""
  }

  var count = 0
  var counts: [Key: Int] = [:]
  /// The objects of each key: all of them, or one example.
  private var objects: [Key: Set<UInt64>] = [:]

  static func == (a: Self, b: Self) -> Bool {
    a.count == b.count && a.counts == b.counts
      && a.objects.allSatisfy { key, ids in
        guard let others = b.objects[key] else { return false }
        return ids.isSubset(of: others) || others.isSubset(of: ids)
      }
  }

  /// The objects that refuse the removal, as a message names them.
  var refusing: [String] {
    objects.filter { $0.key.kind == .refusals }.flatMap { key, ids in
      ids.map { "'\(key.entity)' with ID \($0)" }
    }
  }

  var description: String {
    "\(count) "
      + counts.map { "\($0.kind) \($0.entity) \($0.relation): \($1)" }.sorted().joined(
        separator: ", "
      )
  }

  /// Reads the answer for the page.
  init(_ answer: [String: Any]) throws {
    count = try #require(answer["count"] as? Int)
    #expect(answer["isCut"] as? Bool == false)
    for kind in [Kind.removed, .disconnected, .refusals] {
      for effect in try #require(answer[kind.rawValue] as? [[String: Any]]) {
        var key = Key(kind: kind, entity: try #require(effect["entity"] as? String))
        if kind != .removed {
          let words = try ["kind", "owner", "relation"].map { try #require(effect[$0] as? String) }
          key.relation = words.joined(separator: " ")
          objects[key] = [try #require(UInt64(effect["example"] as? String ?? ""))]
        }
        #expect(effect["isMore"] as? Bool == false)
        #expect(counts.updateValue(try #require(effect["count"] as? Int), forKey: key) == nil)
      }
    }
  }

  /// Computes the differences of two contents.
  init(
    _ before: Content,
    _ after: Content,
    _ model: RandomModel,
    asked: (entity: Int, ids: Set<Int>)
  ) {
    for (entity, objects) in before.objects.enumerated() {
      let name = RandomModel.name(entity)
      for (id, targets) in objects {
        guard let left = after.objects[entity][id] else {
          if entity == asked.entity, asked.ids.contains(Int(id)) {
            count += 1
          } else {
            counts[Key(kind: .removed, entity: name), default: 0] += 1
          }
          continue
        }
        for (number, toOne) in model.entities[entity].enumerated()
        where targets[number] != left[number] {
          add(id, of: name, "toOne \(name) one\(number)", toOne.rule)
        }
      }
    }
    for (number, relation) in model.relations.enumerated() {
      let names = (RandomModel.name(relation.source), RandomModel.name(relation.target))
      for pair in before.pairs[number].subtracting(after.pairs[number]) {
        if after.objects[relation.source][pair[0]] != nil {
          add(pair[0], of: names.0, "incoming \(names.0) many\(number)", relation.targetRule)
        }
        if after.objects[relation.target][pair[1]] != nil {
          add(pair[1], of: names.1, "own \(names.0) many\(number)", relation.rule)
        }
      }
    }
  }

  private mutating func add(_ id: UInt64, of entity: String, _ relation: String, _ rule: String) {
    let kind = rule == "restrict" ? Kind.refusals : .disconnected
    let key = Key(kind: kind, entity: entity, relation: relation)
    objects[key, default: []].insert(id)
    counts[key] = objects[key]?.count
  }
}
