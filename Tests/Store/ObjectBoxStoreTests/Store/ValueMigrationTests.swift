import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxSearch
import ObjectBoxTestSupport
import Testing

/// Properties of ``Member`` that are filled from those of an earlier model.
struct ValueMigrationTests {
  private typealias Prop = ChangingStore.Prop

  private struct Refusal: Error {}

  private static let name = ChangingStore.name
  /// A unique text, from `name`.
  private static let email = ChangingStore.email.migrated(from: name) { old, new in
    let name: String? = old.read(at: 6)
    new.collect(dataOffset: new.prepare(string: name.map { "\($0)@example.org" }), at: 8)
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

  private func open(
    _ properties: [Prop],
    lastIndex: UInt32 = 2,
    onMigration: (@Sendable (MigrationProgress) -> Void)? = nil,
    indexes: (EntityBuilder<Member>) throws -> Void = { _ in }
  ) throws -> Store {
    var model = try ChangingStore.Model()
    try model.add(Member.self, uid: 1001, properties, indexes: indexes)
    model.builder.lastEntity(id: 1, uid: 1001)
    model.builder.lastIndex(id: lastIndex, uid: UInt64(lastIndex) * 100)
    var configuration = Store.Configuration(directory: changing.path)
    configuration.onMigration = onMigration
    return try Store(model: model.builder.finish(), configuration: configuration)
  }

  /// Stores members under the model with `name`, or with the given properties.
  private func fill(_ members: [Member], _ properties: [Prop] = [name]) throws {
    let store = try open(properties)
    try store.box(for: Member.self).put(members)
    store.close()
  }

  private func fill(_ names: [String]) throws { try fill(names.map { Member(name: $0) }) }

  /// Checks that the store has only the members that `fill` stored, under the model with `name`.
  private func expectUnchanged(_ names: [String]) throws {
    let store = try open([Self.name])
    #expect(try store.box(for: Member.self).all().map(\.name) == names)
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
    let store = try open([Self.email, Self.age])
    let members = store.box(for: Member.self)
    #expect(try members.all().map(\.email) == ["Jane@example.org", "Al@example.org"])
    #expect(try members.all().map(\.age) == [4, 2])
    let query = try members.query { Member.age == 4 }.build()
    #expect(try query.explain().hasPrefix("index on 'age'"))
    #expect(try query.findIds() == [1])
    #expect(throws: ObjectBoxError.self) {
      try members.put(Member(email: "Jane@example.org"))
    }
    store.close()
  }

  @Test func `indexes over several properties and of words have the migrated values`() throws {
    try fill(["red apple", "green apple", "pear"])
    let store = try open(
      [Self.email, Self.age],
      lastIndex: 4,
      indexes: { entity in
        try entity.addCompoundIndex(id: 3, uid: 300, propertyIds: [4, 3], isUnique: true)
        try entity.addFullTextIndex(id: 4, uid: 400, propertyIds: [3])
      }
    )
    let members = store.box(for: Member.self)
    let pair = try members.query { Member.age == 11 && Member.email == "green apple@example.org" }
      .build()
    #expect(try pair.findIds() == [2])
    let apples = try members.query { Member.email.matches("apple") }.build()
    #expect(Set(try apples.findIds().map(\.value)) == [1, 2])
    // The entries follow later changes.
    try members.remove(UInt64(1))
    try members.put(Member(email: "apple", age: 1))
    #expect(Set(try apples.findIds().map(\.value)) == [2, 4])
    store.close()
  }

  @Test func `an old property may stay, and records may keep their size`() throws {
    let age = Prop(name: "age", type: .int, id: 4)
    let other = Prop(name: "other", type: .int, id: 5).migrated(from: age) { old, new in
      let age: Int32 = old.read(at: 10)
      new.collect(age + 1, at: 12)
    }
    try fill([Member(age: 1), Member(age: 2)], [age])
    for _ in 0..<2 {
      let store = try open([age, other])
      let values = Property<Member, Int32, Void>(propertyId: 5)
      let query = try store.box(for: Member.self).query().build()
      #expect(try query.property(Property<Member, Int32, Void>(propertyId: 4)).find() == [1, 2])
      #expect(try query.property(values).find() == [2, 3])
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
      let store = try open([age])
      let members = store.box(for: Member.self)
      if try members.count() == 2 { try members.put(Member(age: 3)) }
      #expect(try members.all().map(\.age) == [7, 7, 3])
      store.close()
    }
    #expect(calls.values == [1, 2])
  }

  @Test func `values come from records of all earlier layouts, and keep their sizes apart`() throws
  {
    let photo = Prop(name: "photo", type: .byteVector, id: 5)
    let large = Data(repeating: 7, count: 9000)
    try fill([Member(photo: large), Member(photo: Data())], [photo])
    try fill([Member(name: "Al"), Member(name: "Jo", photo: large)], [photo, Self.name])
    let store = try open([photo, Self.email])
    let members = try store.box(for: Member.self).all()
    #expect(members.map(\.email) == [nil, nil, "Al@example.org", "Jo@example.org"])
    #expect(members.map(\.photo) == [large, Data(), nil, large])
    store.close()
  }

  @Test func `an earlier model finds its values, and the migration does not run again`() throws {
    try fill(["Jane", "Al"])
    try open([Self.age]).close()
    do {
      let store = try open([Self.name])
      let members = store.box(for: Member.self)
      #expect(try members.all().map(\.name) == ["Jane", "Al"])
      try members.put(Member(name: "Christopher"))
      store.close()
    }
    let store = try open([Self.age])
    #expect(try store.box(for: Member.self).all().map(\.age) == [4, 2, 11])
    store.close()
  }

  @Test func `one migration follows another`() throws {
    try fill(["Jane", "Al"])
    try open([Self.age]).close()
    let text = Prop(name: "text", type: .string, id: 5).migrated(from: ChangingStore.age) {
      let age: Int32 = $0.read(at: 10)
      $1.collect(dataOffset: $1.prepare(string: "\(age)"), at: 12)
    }
    let store = try open([Self.name, text])
    let query = try store.box(for: Member.self).query().build()
    let texts = Property<Member, String?, Void>(propertyId: 5)
    #expect(try query.property(texts).findStrings() == ["4", "2"])
    #expect(try query.find().map(\.name) == ["Jane", "Al"])
    store.close()
  }

  @Test func `discarded old values are gone, and the new ones stay`() throws {
    try fill(["Jane"])
    do {
      let store = try open([Self.age])
      try store.discardRetiredData()
      #expect(try store.box(for: Member.self).all().map(\.age) == [4])
      store.close()
    }
    let store = try open([Self.name, Self.age])
    #expect(try store.box(for: Member.self).all().map(\.name) == [nil])
    store.close()
  }

  @Test func `a function that throws refuses the store, which stays as it was`() throws {
    try fill(["Jane", "Al"])
    let age = ChangingStore.age.migrated(from: Self.name) { old, new in
      let name: String = old.read(at: 6)
      if name == "Al" { throw Refusal() }
      new.collect(Int32(1), at: 10)
    }
    let text = message { _ = try open([age]) }
    #expect(
      text.contains("the migration of 'Member.age' failed for the object with ID 2"),
      "\(text)"
    )
    #expect(text.contains("'Al'") && text.contains("Refusal"), "\(text)")
    try expectUnchanged(["Jane", "Al"])
  }

  @Test func `a value that cannot be stored refuses the store, which stays as it was`() throws {
    try fill(["Jane"])
    let date = Prop(name: "date", type: .date, id: 5).migrated(from: Self.name) { _, new in
      new.collect(Date(timeIntervalSince1970: .infinity), at: 12)
    }
    let text = message { _ = try open([date]) }
    #expect(text.contains("'Member.date'") || text.contains("date of inf"), "\(text)")
    try expectUnchanged(["Jane"])
  }

  @Test func `equal values for a unique property refuse the store, which stays as it was`() throws {
    try fill(["Jane", "Jane"])
    #expect {
      _ = try open([Self.email])
    } throws: { error in
      if case ObjectBoxError.uniqueViolation = error { true } else { false }
    }
    try expectUnchanged(["Jane", "Jane"])
  }

  @Test func `equal values for a unique compound index refuse the store, which stays as it was`()
    throws
  {
    try fill(["Jane", "Jane"])
    #expect {
      _ = try open(
        [Self.age, Self.name],
        lastIndex: 3,
        indexes: { try $0.addCompoundIndex(id: 3, uid: 300, propertyIds: [4, 2], isUnique: true) }
      )
    } throws: { error in
      if case ObjectBoxError.uniqueViolation = error { true } else { false }
    }
    try expectUnchanged(["Jane", "Jane"])
  }

  @Test func `values of another type than the migration reads are refused`() throws {
    try fill(["Jane"])
    let other = Prop(name: "name", type: .long, id: 2)
    let text = message {
      _ = try open([ChangingStore.age.migrated(from: other) { _, _ in }])
    }
    #expect(text.contains("reads values of type long, and they are stored as string"), "\(text)")
  }

  @Test func `the progress is told, from the first object to the last`() throws {
    try fill((0..<10_001).map { "\($0)" })
    let reports = Recorder<MigrationProgress>()
    try open([Self.email], onMigration: { reports.note($0) }).close()
    #expect(reports.values.map(\.completedCount) == [0, 10_000, 10_001])
    #expect(Set(reports.values.map(\.totalCount)) == [10_001])
    #expect(Set(reports.values.map(\.entityName)) == ["Member"])
  }
}
