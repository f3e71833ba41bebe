import Testing

@testable import ObjectBoxGenerator

/// Relations in the model: identities, targets, retirement.
struct RelationSyncTests {
  private static let target = "class B: Entity { var id: Id = 0 }\n"

  private static func owner(_ members: String) -> String {
    "class A: Entity { var id: Id = 0\n\(members) }\n" + target
  }

  @Test
  func `relations come behind the properties and before the entity, targets that come later too`() {
    var history = ModelHistory()
    let result = history.run(Self.owner("var bs: ToMany<B> = nil\nvar x = 0"))
    let a = history.model.entities[0]
    #expect(a.properties.map(\.id.uid) == [14592, 15616])
    #expect(a.relations.map(\.id) == [ModelID(id: 1, uid: 16640)])
    #expect(a.id.uid == 17664)
    #expect(a.relations[0].targetID == history.model.entities[1].id)
    #expect(history.model.lastRelationID == ModelID(id: 1, uid: 16640))
    #expect(result.schema.entities[0].relations[0].targetID == history.model.entities[1].id)
    #expect(history.run(Self.owner("var bs: ToMany<B> = nil\nvar x = 0")).changes == [])
  }

  @Test func `a removed relation retires, and its ID is not used again`() {
    var history = ModelHistory()
    _ = history.run(Self.owner("var bs: ToMany<B> = nil"))
    let uid = history.model.entities[0].relations[0].id.uid
    let gone = history.run(Self.owner(""))
    #expect(gone.changes.map(\.text) == ["relation 'bs' of entity 'A' is gone"])
    #expect(history.model.retiredRelationUIDs == [uid])
    #expect(history.model.lastRelationID.id == 1)
    _ = history.run(Self.owner("var bs: ToMany<B> = nil"))
    #expect(history.model.entities[0].relations[0].id.id == 2)
  }

  @Test func `a removed entity retires its relations`() {
    var history = ModelHistory()
    _ = history.run(Self.owner("var bs: ToMany<B> = nil"))
    let uid = history.model.entities[0].relations[0].id.uid
    _ = history.run(Self.target)
    #expect(history.model.retiredRelationUIDs == [uid])
  }

  @Test func `a uid renames a relation, one from the pool makes it new`() {
    var history = ModelHistory()
    _ = history.run(Self.owner("var bs: ToMany<B> = nil"))
    let old = history.model.entities[0].relations[0].id
    _ = history.run(Self.owner("// objectbox: uid = \(old.uid)\nvar others: ToMany<B> = nil"))
    #expect(history.model.entities[0].relations[0].id == old)
    #expect(history.model.entities[0].relations[0].name == "others")

    let told = history.run(Self.owner("// objectbox: uid\nvar others: ToMany<B> = nil"))
    #expect(told.writesModelDespiteErrors)
    #expect(
      told.diagnostics.first?.message.text.contains("relation 'others' of entity 'A'") == true
    )
    let fresh = history.model.newUIDPool?.first ?? 0
    _ = history.run(Self.owner("// objectbox: uid = \(fresh)\nvar others: ToMany<B> = nil"))
    #expect(history.model.entities[0].relations[0].id == ModelID(id: 2, uid: fresh))
    #expect(history.model.retiredRelationUIDs == [old.uid])
  }

  @Test func `another target is taken over and told`() {
    var history = ModelHistory()
    let third = "class C: Entity { var id: Id = 0 }\n"
    _ = history.run(Self.owner("var bs: ToMany<B> = nil") + third)
    let result = history.run(Self.owner("var bs: ToMany<C> = nil") + third)
    #expect(
      result.changes.map(\.text) == [
        "the target of relation 'bs' of entity 'A' was 'B', and is 'C'"
      ]
    )
    #expect(history.model.entities[0].relations[0].targetID == history.model.entities[2].id)
  }

  @Test func `backlinks have no entry in the model, and know what they are the reverse of`() throws
  {
    var history = ModelHistory()
    let result = history.run(
      """
      class A: Entity {
        var id: Id = 0
        var bs: ToMany<B> = nil
        // objectbox: backlink = "a"
        var own: ToMany<B> = nil
      }
      class B: Entity {
        var id: Id = 0
        // objectbox: backlink = "bs"
        var aSide: ToMany<A> = nil
        var a: ToOne<A> = nil
      }
      """
    )
    #expect(history.model.entities.map(\.relations.count) == [1, 0])
    let (a, b) = (result.schema.entities[0], result.schema.entities[1])
    #expect(b.relations[0].modelID == a.relations[0].modelID)
    #expect(a.relations[1].modelID == b.properties[1].modelID)
    #expect(history.model.entities[1].properties[1].relationTarget == "A")
  }

  @Test func `a uid that is not in the model is an error that names relation and entity`() {
    var history = ModelHistory()
    _ = history.run(Self.owner("var bs: ToMany<B> = nil"))
    let result = history.run(Self.owner("// objectbox: uid = 4711\nvar bs: ToMany<B> = nil"))
    #expect(
      result.diagnostics.map(\.message.text) == [
        "relation 'bs' of entity 'A' asks for the UID 4711, which is not in the model; write `uid` "
          + "without a number to be told the right one"
      ]
    )
  }
}
