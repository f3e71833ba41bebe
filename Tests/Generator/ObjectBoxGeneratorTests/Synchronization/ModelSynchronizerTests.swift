import Foundation
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxGenerator

struct ModelSynchronizerTests {
  @Test func `IDs are given in the order of the reference: index, property, entity`() {
    var history = ModelHistory()
    _ = history.run("class A: Entity {\nvar id: Id = 0\n// objectbox: index\nvar x: Int = 0\n}")
    #expect(history.ids("A") == ["id 1:14592", "x 2:16640 i1:15616"])
    #expect(history.model.entities[0].id == ModelID(id: 1, uid: 17664))
    #expect(history.model.lastEntityID == ModelID(id: 1, uid: 17664))
    #expect(history.model.lastIndexID == ModelID(id: 1, uid: 15616))
    #expect(history.model.entities[0].lastPropertyID == ModelID(id: 2, uid: 16640))
  }

  @Test func `a second run changes nothing`() {
    var history = ModelHistory()
    let source =
      "class A: Entity { var id: Id = 0; var x: Int = 0 }\nclass B: Entity { var id: Id = 0 }"
    #expect(history.run(source).changes.count == 2)
    let text = history.model.text
    #expect(history.run(source).changes == [])
    #expect(history.model.text == text)
    #expect(
      history.run(
        "class B: Entity { var id: Id = 0 }\nclass A: Entity { var x = 0; var id: Id = 0 }"
      ).changes == []
    )
    #expect(history.model.text == text)
  }

  @Test func `names match without regard to case, and the file takes the new spelling`() {
    var history = ModelHistory()
    _ = history.run("class Note: Entity { var id: Id = 0; var headline: String = \"\" }")
    let uid = history.model.entities[0].id.uid
    let result = history.run("class NOTE: Entity { var id: Id = 0; var headLine: String = \"\" }")
    #expect(history.model.entities[0].name == "NOTE")
    #expect(history.model.entities[0].id.uid == uid)
    #expect(history.ids("NOTE").last == "headLine 2:15616")
    #expect(result.changes.count == 2)
  }

  @Test func `a property without its uid retires the old one and gets a new ID`() {
    var history = ModelHistory()
    _ = history.run("class A: Entity { var id: Id = 0; var x: Int = 0 }")
    let result = history.run("class A: Entity { var id: Id = 0; var y: Int = 0 }")
    #expect(history.model.retiredPropertyUIDs == [15616])
    #expect(history.ids("A").last?.hasPrefix("y 3:") == true)
    #expect(
      result.changes.map(\.text) == [
        "property 'y' of entity 'A' is new with the type of 'x', which is gone"
      ]
    )
    #expect(result.changes[0].position?.line == 1)
  }

  @Test func `uid with the current number renames`() {
    var history = ModelHistory()
    _ = history.run("class A: Entity { var id: Id = 0; var x: Int = 0 }")
    let entity = history.model.entities[0].id.uid
    _ = history.run(
      "// objectbox: uid = \(entity)\nclass B: Entity {\nvar id: Id = 0\n// objectbox: uid = 15616\nvar y: Int = 0\n}"
    )
    #expect(history.model.entities.map(\.name) == ["B"])
    #expect(history.ids("B") == ["id 1:14592", "y 2:15616"])
    #expect(history.model.retiredPropertyUIDs == [])
  }

  @Test func `uid without a number tells the current and a new UID, which resets the property`()
    throws
  {
    var history = ModelHistory()
    _ = history.run("class A: Entity { var id: Id = 0; var x: Int = 0 }")
    let before = history.model.entities
    let told = history.run(
      "class A: Entity {\nvar id: Id = 0\n// objectbox: uid\nvar x: Int = 0\n}"
    )
    #expect(told.writesModelDespiteErrors)
    #expect(told.diagnostics.count == 1)
    let new = try #require(history.model.newUIDPool?.first)
    #expect(told.diagnostics[0].message.text.contains("15616"))
    #expect(told.diagnostics[0].message.text.contains("\(new)"))
    #expect(history.model.entities == before)
    _ = history.run(
      "class A: Entity {\nvar id: Id = 0\n// objectbox: uid = \(new)\nvar x: String = \"\"\n}"
    )
    #expect(history.ids("A").last == "x 3:\(new)")
    #expect(history.model.retiredPropertyUIDs == [15616])
    #expect(history.model.newUIDPool == nil)
  }

  @Test(arguments: [
    ("class A: Entity {\nvar id: Id = 0\n// objectbox: uid = 4711\nvar x: Int = 0\n}", "4711"),
    ("class A: Entity {\nvar id: Id = 0\n// objectbox: uid\nvar new: Int = 0\n}", "needs a number"),
    ("// objectbox: uid = 4711\nclass A: Entity { var id: Id = 0 }", "4711"),
    ("// objectbox: uid\nclass Z: Entity { var id: Id = 0 }", "needs a number"),
    ("class Z: Entity {\nvar id: Id = 0\n// objectbox: uid = 4711\nvar x: Int = 0\n}", "pool"),
    (
      "class A: Entity {\nvar id: Id = 0\n// objectbox: uid = 15616\nvar y: Int = 0\n"
        + "// objectbox: uid = 15616\nvar z: Int = 0\n}", "another declaration"
    ),
    (
      "class A: Entity {\nvar id: Id = 0\n// objectbox: uid = 15616\nvar y: Int = 0\nvar x: Int = 0\n}",
      "same element"
    ),
  ])
  func `a wrong uid is told and changes nothing`(source: String, words: String) {
    var history = ModelHistory()
    _ = history.run("class A: Entity { var id: Id = 0; var x: Int = 0 }")
    let text = history.model.text
    let result = history.run(source)
    #expect(result.diagnostics.count == 1)
    #expect(result.diagnostics[0].message.text.contains(words), "\(result.diagnostics)")
    #expect(result.diagnostics[0].position != nil)
    #expect(!result.writesModelDespiteErrors)
    #expect(result.model.text == text)
  }

  @Test func `indexes come, go and come back under new numbers`() {
    var history = ModelHistory()
    let plain = "class A: Entity { var id: Id = 0; var x: Int = 0; var y: Int = 0 }"
    let x =
      "class A: Entity {\nvar id: Id = 0\n// objectbox: index\nvar x: Int = 0\nvar y: Int = 0\n}"
    let y =
      "class A: Entity {\nvar id: Id = 0\nvar x: Int = 0\n// objectbox: index\nvar y: Int = 0\n}"
    _ = history.run(x)
    let first = history.model.lastIndexID
    #expect(
      history.run(plain).changes.map(\.text) == [
        "the index of property 'x' of entity 'A' was value, and is none"
      ]
    )
    #expect(history.model.retiredIndexUIDs == [first.uid])
    #expect(history.model.lastIndexID == first)
    #expect(
      history.run(x).changes.map(\.text) == [
        "the index of property 'x' of entity 'A' was none, and is value"
      ]
    )
    #expect(history.model.lastIndexID.id == 2)
    _ = history.run(y)
    #expect(history.model.lastIndexID.id == 3)
    #expect(history.model.retiredIndexUIDs.count == 2)
  }

  @Test func `a removed entity retires everything that it had`() {
    var history = ModelHistory()
    _ = history.run(
      "class A: Entity {\nvar id: Id = 0\n// objectbox: index\nvar x: Int = 0\n}\nclass B: Entity { var id: Id = 0 }"
    )
    let a = history.model.entities[0]
    let result = history.run("class B: Entity { var id: Id = 0 }")
    #expect(result.retiredEntityNames == ["A"])
    #expect(history.model.retiredEntityUIDs == [a.id.uid])
    #expect(history.model.retiredPropertyUIDs == a.properties.map(\.id.uid).sorted())
    #expect(history.model.retiredIndexUIDs == a.properties.compactMap(\.indexID?.uid))
    #expect(history.model.lastEntityID.id == 2)
    _ = history.run("class A: Entity { var id: Id = 0 }\nclass B: Entity { var id: Id = 0 }")
    #expect(history.model.entities.map(\.id.id) == [2, 3])
  }

  @Test func `a changed type or flag overwrites the model and is told`() {
    var history = ModelHistory()
    _ = history.run("class A: Entity { var id: Id = 0; var x: Int = 0 }")
    let result = history.run("class A: Entity { var id: Id = 0; var x: String = \"\" }")
    #expect(
      result.changes.map(\.text) == [
        "the type of property 'x' of entity 'A' was long, and is string"
      ]
    )
    #expect(history.model.entities[0].properties[1].type == SchemaPropertyType.string.rawValue)
    #expect(history.ids("A").last == "x 2:15616")
  }

  @Test func `random UIDs are positive, end in a zero byte and differ`() {
    var history = ModelHistory(uids: UIDGenerator(isDeterministic: false))
    let members = (0..<200).map { "var p\($0): Int = 0" }.joined(separator: "\n")
    _ = history.run("class A: Entity {\nvar id: Id = 0\n\(members)\n}")
    let uids = history.model.entities[0].properties.map(\.id.uid)
    #expect(Set(uids).count == 201)
    #expect(uids.allSatisfy { $0 > 0 && $0 <= UInt64(Int64.max) && $0 & 0xFF == 0 })
  }

  @Test(arguments: 0..<20)
  func `random edits keep every surviving UID and never use one again`(seed: Int) {
    var random = SplitMix(seed: seed)
    var history = ModelHistory()
    var entities: [String: [String: Bool]] = [:]
    var usedUIDs: Set<UInt64> = []
    for step in 0..<15 {
      for _ in 0..<3 {
        let entity = "E\(Int.random(in: 0..<5, using: &random))"
        let property = "p\(Int.random(in: 0..<6, using: &random))"
        switch Int.random(in: 0..<5, using: &random) {
        case 0: entities[entity] = entities[entity] ?? [:]
        case 1: entities[entity] = nil
        case 2: entities[entity]?[property] = nil
        default: entities[entity, default: [:]][property] = Bool.random(using: &random)
        }
      }
      let before = history.model
      let source = entities.keys.shuffled(using: &random).map { name in
        let members = (entities[name] ?? [:]).map { property, isIndexed in
          (isIndexed ? "// objectbox: index\n" : "") + "var \(property): Int = 0\n"
        }.joined()
        return "class \(name): Entity {\nvar id: Id = 0\n\(members)}\n"
      }.joined()
      let result = history.run(source)
      #expect(result.diagnostics.isEmpty)
      #expect(result.changes.isEmpty == (before == history.model), "step \(step)")
      let retired = Set(
        history.model.retiredEntityUIDs + history.model.retiredPropertyUIDs
          + history.model.retiredIndexUIDs
      )
      for entity in history.model.entities {
        let old = before.entities.first { $0.name == entity.name }
        #expect(old.map { $0.id == entity.id } ?? usedUIDs.insert(entity.id.uid).inserted)
        #expect(!retired.contains(entity.id.uid))
        for property in entity.properties {
          let previous = old?.properties.first { $0.name == property.name }
          #expect(
            previous.map { $0.id == property.id } ?? usedUIDs.insert(property.id.uid).inserted
          )
          #expect(!retired.contains(property.id.uid))
          if let index = property.indexID, previous?.indexID == nil {
            #expect(usedUIDs.insert(index.uid).inserted)
          }
        }
      }
    }
  }
}
