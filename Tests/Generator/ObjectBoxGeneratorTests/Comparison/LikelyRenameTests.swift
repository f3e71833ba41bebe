import Testing

@testable import ObjectBoxGenerator

/// New elements that resemble removed ones.
struct LikelyRenameTests {
  private static let person =
    "class Person: Entity { var id: Id = 0; var name = \"\"; var age = 0 }\n"
  private static let pet = "class Pet: Entity { var id: Id = 0; var fur = \"\" }\n"

  private func changes(_ old: String, _ new: String) -> (ModelHistory, [ModelChange]) {
    var history = ModelHistory()
    _ = history.run(old)
    let before = history
    let result = history.run(new)
    #expect(result.diagnostics.map(\.description) == [])
    return (before, result.changes)
  }

  @Test func `an entity under another name is told with the one that is gone, and its UID`() throws
  {
    let human = Self.person.replacing("Person", with: "Human")
    let (before, changes) = changes(Self.person + Self.pet, human + Self.pet)
    let uid = try #require(before.model.entities.first { $0.name == "Person" }?.id.uid)
    #expect(
      changes.map(\.text) == ["'Human' is new with the properties of 'Person', which is gone"]
    )
    #expect(changes.map(\.renamedUID) == [uid])
    #expect(changes[0].position == SourcePosition(path: "A.swift", line: 1, column: 7))
    #expect(changes[0].effect.isRisk)
    #expect(changes[0].effect.text.contains("`discardRetiredData()`"))
  }

  @Test func `an entity that also has another property is told with most of the properties`() {
    let human = "class Human: Entity { var id: Id = 0; var name = \"\"; var height = 0.5 }\n"
    let (_, changes) = changes(Self.person + Self.pet, human + Self.pet)
    #expect(
      changes.map(\.text) == [
        "'Human' is new with most of the properties of 'Person', which is gone"
      ]
    )
  }

  @Test func `entities with little in common are one that is new and one that is gone`() {
    let house = "class House: Entity { var id: Id = 0; var street = \"\"; var age = 0.5 }\n"
    let (_, changes) = changes(Self.person + Self.pet, house + Self.pet)
    #expect(
      changes.map(\.text) == [
        "entity 'House' is new, with 3 properties", "entity 'Person' is gone",
      ]
    )
    #expect(changes.map(\.renamedUID) == [nil, nil])
    #expect(changes.map(\.effect.isRisk) == [false, true])
    #expect(changes[1].position == nil)
  }

  @Test func `of several entities with the same properties the nearest name is the one`() throws {
    func entity(_ name: String) -> String { Self.person.replacing("Person", with: name) }
    let (before, changes) = changes(
      entity("Author") + entity("Reader") + Self.pet,
      entity("Readers") + entity("Writer") + Self.pet
    )
    let uids = Dictionary(
      before.model.entities.map { ($0.name, $0.id.uid) },
      uniquingKeysWith: { $1 }
    )
    #expect(changes.map(\.renamedUID) == [uids["Reader"], uids["Author"]])
  }

  @Test(arguments: [
    // The only new property of the removed property's type.
    ("var a: Int = 0", "var zzz: Int = 0", ["a"]),
    ("var nick: String = \"\"", "var nickname: String = \"\"", ["nick"]),
    // Of two, the property that shares most letters.
    (
      "var title: String = \"\"; var text: String = \"\"",
      "var headline: String = \"\"; var texts: String = \"\"", ["text"]
    ),
    ("var a: Int = 0", "var a2: Bool = false", []),
    ("var a: ToOne<Pet> = nil", "var b: ToOne<Pet> = nil", ["a"]),
    ("var a: ToOne<Pet> = nil", "var b: ToOne<Note> = nil", []),
    ("var pets: ToMany<Pet> = nil", "var animals: ToMany<Pet> = nil", ["pets"]),
    ("var pets: ToMany<Pet> = nil", "var animals: ToMany<Note> = nil", []),
  ])
  func `properties and relations are told with the likely ones that are gone`(
    old: String,
    new: String,
    renamed: [String]
  ) {
    func note(_ members: String) -> String {
      Self.pet + "class Note: Entity { var id: Id = 0; \(members) }"
    }
    let (before, changes) = changes(note(old), note(new))
    let entity = before.model.entities.first { $0.name == "Note" }
    let names = changes.compactMap { change in
      entity?.properties.first { $0.id.uid == change.renamedUID }?.name
        ?? entity?.relations.first { $0.id.uid == change.renamedUID }?.name
    }
    #expect(names == renamed, "\(changes.map(\.text))")
    #expect(changes.contains { $0.effect.isRisk })
  }

  @Test(arguments: [
    // Neither resembles a removed property; the removed number has another type.
    (
      "var lastName = \"\"; var city = \"\"; var age = 0",
      "var height = 0.5; var a = \"\"; var b = \"\"",
      ["height": [], "a": ["city", "lastName"], "b": ["city", "lastName"]],
      ["lastName": ["a", "b"], "city": ["a", "b"], "age": []]
    ),
    // The likely one comes first, and a claimed one last.
    (
      "var lastName = \"\"; var city = \"\"", "var town = \"\"; var lastNames = \"\"",
      ["town": ["city", "lastName"], "lastNames": ["lastName", "city"]],
      ["city": ["lastNames", "town"]]
    ),
    (
      "var title = \"\"; var city = \"\"", "var cityName = \"\"; var a = \"\"",
      ["cityName": ["city", "title"], "a": ["title", "city"]], ["title": ["a", "cityName"]]
    ),
    (
      "var pets: ToMany<Pet> = nil; var cats: ToMany<Pet> = nil; var notes: ToMany<Note> = nil",
      "var a: ToMany<Pet> = nil; var b: ToMany<Pet> = nil",
      ["a": ["cats", "pets"], "b": ["cats", "pets"]],
      ["pets": ["a", "b"], "cats": ["a", "b"], "notes": []]
    ),
  ])
  func `elements renamed at once are told with all removed ones of their form`(
    old: String,
    new: String,
    former: [String: [String]],
    successors: [String: [String]]
  ) {
    func note(_ members: String) -> String {
      Self.pet + "class Note: Entity { var id: Id = 0; \(members) }"
    }
    let (_, changes) = changes(note(old), note(new))
    func name(_ change: ModelChange) -> String {
      String(change.text.split(separator: "'")[0...1].last ?? "")
    }
    let added = changes.filter { $0.text.contains(" is new") }
    let gone = changes.filter { !added.contains($0) }
    let found = added.map { (name($0), $0.formerElements.map(\.name)) }
    let sorted = { (names: [String]) in former.values.contains(names) ? names : names.sorted() }
    #expect(Dictionary(uniqueKeysWithValues: found).mapValues(sorted) == former)
    let later = gone.map { (name($0), $0.successors.sorted()) }
    #expect(Dictionary(uniqueKeysWithValues: later) == successors)
  }

  @Test func `a renamed entity with renamed properties is found by their types`() {
    let human = "class Human: Entity { var id: Id = 0; var words = \"\"; var years = 0 }\n"
    let (before, changes) = changes(Self.person + Self.pet, human + Self.pet)
    #expect(
      changes.map(\.text) == [
        "entity 'Human' is new, with 3 properties", "entity 'Person' is gone",
      ]
    )
    #expect(changes[0].formerElements.map(\.name) == ["Person"])
    #expect(changes[1].successors == ["Human"])
    // With its UID, the properties are told in turn.
    var history = before
    let uid = changes[0].formerElements[0].uid
    let next = history.run("// objectbox: uid = \(uid)\n" + human + Self.pet).changes
    #expect(next.map { $0.formerElements.map(\.name) } == [[], ["name"], ["age"]])
  }

  @Test func `a property that a migration reads is no former name of another one`() {
    let head = "class Note: Entity { var id: Id = 0; "
    let function = "static func migrateTitle(_ old: String) -> String { old } }"
    let (_, changes) = changes(
      head + "var name = \"\" }",
      head + "\n// objectbox: migratedFrom = \"name\"\nvar title = \"\"; var more = \"\"\n"
        + function
    )
    #expect(changes.count == 3)
    #expect(changes.allSatisfy { $0.formerElements.isEmpty && $0.successors.isEmpty })
  }

  @Test func `a UID from the pool is a reset, no rename`() {
    var history = ModelHistory()
    let source = "class A: Entity {\nvar id: Id = 0\n// objectbox: uid\nvar x: Int = 0\n}"
    _ = history.run(source.replacing("// objectbox: uid", with: ""))
    _ = history.run(source)
    let uid = history.model.newUIDPool?.first ?? 0
    let changes = history.run(source.replacing("uid", with: "uid = \(uid)")).changes
    #expect(changes.map(\.renamedUID) == [nil, nil])
    #expect(changes[1].effect.text.contains("new property of the same name"))
  }

  @Test func `a rename by uid keeps all data`() {
    var history = ModelHistory()
    _ = history.run(Self.person)
    let uid = history.model.entities[0].id.uid
    let changes = history.run(
      "// objectbox: uid = \(uid)\n" + Self.person.replacing("Person", with: "Human")
    ).changes
    #expect(changes.map(\.text) == ["entity 'Human' was named 'Person'"])
    #expect(changes.map(\.effect.isRisk) == [false])
  }

  @Test func `a UID that a run has retired is told with the way back`() {
    var history = ModelHistory()
    _ = history.run(Self.person + Self.pet)
    let uid = history.model.entities.first { $0.name == "Person" }?.id.uid ?? 0
    _ = history.run(Self.person.replacing("Person", with: "Human") + Self.pet)
    let late = history.run(
      "// objectbox: uid = \(uid)\n" + Self.person.replacing("Person", with: "Human") + Self.pet
    )
    #expect(late.diagnostics.count == 1)
    #expect(late.diagnostics[0].message.text.contains("take back the model file as it was before"))
  }
}
