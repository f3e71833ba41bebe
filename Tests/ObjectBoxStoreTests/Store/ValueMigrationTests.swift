import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Properties of the Person of ``TestEntities`` that are filled from those of an earlier model.
struct ValueMigrationTests {
  private typealias Prop = ChangingStore.Prop

  private struct Refusal: Error {}

  private static let name = ChangingStore.name
  /// A unique text, from `name`.
  private static let email = ChangingStore.email.migrated(from: name) { old, new in
    let name: String? = old.read(at: 6)
    new.collect(name.map { "\($0)@example.org" }, at: 8)
  }
  /// A number with an index, from `name`.
  private static let age = ChangingStore.age.migrated(from: name) { old, new in
    let name: String = old.read(at: 6)
    new.collect(Int32(name.count), at: 10)
  }

  private let changing: ChangingStore

  init() throws {
    changing = try ChangingStore()
  }

  private func fill(_ names: [String], _ properties: [Prop] = [name]) throws {
    let store = try changing.openPeople(properties)
    try store.box(for: Person.self).put(names.map { Person($0, email: $0, age: 1) })
    store.close()
  }

  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  @Test func `two new properties come from an old one, with their indexes`() throws {
    try fill(["Jane", "Al"])
    let store = try changing.openPeople([Self.email, Self.age])
    let people = store.box(for: Person.self)
    #expect(try people.all().map(\.email) == ["Jane@example.org", "Al@example.org"])
    #expect(try people.all().map(\.age) == [4, 2])
    #expect(try people.all().map(\.name) == ["", ""])
    let query = try people.query { Person.age == 4 }.build()
    #expect(try query.explain().hasPrefix("index on 'age'"))
    #expect(try query.findIds() == [1])
    #expect(throws: ObjectBoxError.self) {
      try people.put(Person("x", email: "Jane@example.org", age: 0))
    }
    store.close()
  }

  @Test func `an old property may stay, and records may keep their size`() throws {
    let age = Prop(name: "age", type: .int, id: 4)
    let other = Prop(name: "other", type: .int, id: 5).migrated(from: age) { old, new in
      let age: Int32 = old.read(at: 10)
      new.collect(age + 1, at: 12)
    }
    try fill(["a", "b"], [age])
    for _ in 0..<2 {
      let store = try changing.openPeople([age, other])
      let people = store.box(for: Person.self)
      let values = Property<Person, Int32, Void>(propertyId: 5)
      #expect(try people.all().map(\.age) == [1, 1])
      #expect(try people.query().build().property(values).find() == [2, 2])
      store.close()
    }
  }

  @Test func `a migration runs once, and leaves later objects alone`() throws {
    let calls = Recorder<UInt64>()
    let age = ChangingStore.age.migrated(from: Self.name) { old, new in
      calls.note(old.read(at: 4))
      new.collect(Int32(7), at: 10)
    }
    try fill(["Jane", "Al"])
    for _ in 0..<2 {
      let store = try changing.openPeople([age])
      let people = store.box(for: Person.self)
      if try people.count() == 2 { try people.put(Person("x", age: 3)) }
      #expect(try people.all().map(\.age) == [7, 7, 3])
      store.close()
    }
    #expect(calls.values == [1, 2])
  }

  @Test func `an object from before the old property has no value`() throws {
    let photo = Prop(name: "photo", type: .byteVector, id: 5)
    try fill(["Jane"], [photo])
    try fill(["Al"], [photo, Self.name])
    let store = try changing.openPeople([photo, Self.email])
    #expect(try store.box(for: Person.self).all().map(\.email) == [nil, "Al@example.org"])
    store.close()
  }

  @Test func `an earlier model finds its values, and the migration does not run again`() throws {
    try fill(["Jane", "Al"])
    try changing.openPeople([Self.age]).close()
    do {
      let store = try changing.openPeople([Self.name])
      let people = store.box(for: Person.self)
      #expect(try people.all().map(\.name) == ["Jane", "Al"])
      try people.put(Person("Christopher"))
      store.close()
    }
    let store = try changing.openPeople([Self.age])
    #expect(try store.box(for: Person.self).all().map(\.age) == [4, 2, 11])
    store.close()
  }

  @Test func `discarded old values are gone, and the new ones stay`() throws {
    try fill(["Jane"])
    do {
      let store = try changing.openPeople([Self.age])
      try store.discardRetiredData()
      #expect(try store.box(for: Person.self).all().map(\.age) == [4])
      store.close()
    }
    let store = try changing.openPeople([Self.name, Self.age])
    #expect(try store.box(for: Person.self).all().map(\.name) == [""])
    store.close()
  }

  @Test func `a function that throws refuses the store, which stays as it was`() throws {
    try fill(["Jane", "Al"])
    let age = ChangingStore.age.migrated(from: Self.name) { old, new in
      let name: String = old.read(at: 6)
      if name == "Al" { throw Refusal() }
      new.collect(Int32(1), at: 10)
    }
    let text = message { _ = try changing.openPeople([age]) }
    #expect(
      text.contains("the migration of 'Person.age' failed for the object with ID 2"),
      "\(text)"
    )
    #expect(text.contains("'Al'") && text.contains("Refusal"), "\(text)")
    let store = try changing.openPeople([Self.name])
    #expect(try store.box(for: Person.self).all().map(\.name) == ["Jane", "Al"])
    store.close()
  }

  @Test func `equal values for a unique property refuse the store, which stays as it was`() throws {
    try fill(["Jane", "Jane"])
    #expect {
      _ = try changing.openPeople([Self.email])
    } throws: { error in
      if case ObjectBoxError.uniqueViolation = error { true } else { false }
    }
    let store = try changing.openPeople([Self.name])
    #expect(try store.box(for: Person.self).all().map(\.name) == ["Jane", "Jane"])
    store.close()
  }

  @Test func `values of another type than the migration reads are refused`() throws {
    try fill(["Jane"])
    let other = Prop(name: "name", type: .long, id: 2)
    let text = message {
      _ = try changing.openPeople([ChangingStore.age.migrated(from: other) { _, _ in }])
    }
    #expect(text.contains("reads values of type long, and they are stored as string"), "\(text)")
  }

  @Test func `the progress is told, from the first object to the last`() throws {
    try fill((0..<10_001).map { "\($0)" })
    let reports = Recorder<MigrationProgress>()
    var model = try ChangingStore.Model()
    try model.add(Person.self, uid: 1001, [Self.email])
    model.builder.lastEntity(id: 2, uid: 1002)
    model.builder.lastIndex(id: 2, uid: 200)
    var configuration = Store.Configuration(directory: changing.path)
    configuration.onMigration = { reports.note($0) }
    try Store(model: model.builder.finish(), configuration: configuration).close()
    #expect(reports.values.map(\.completedCount) == [0, 10_000, 10_001])
    #expect(Set(reports.values.map(\.totalCount)) == [10_001])
    #expect(Set(reports.values.map(\.entityName)) == ["Person"])
  }
}
