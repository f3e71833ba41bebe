import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// The Person of ``TestEntities`` under changing models.
struct SchemaUpgradeTests {
  private typealias Prop = ChangingStore.Prop

  private static let name = ChangingStore.name
  private static let email = Prop(name: "email", type: .string, id: 3)
  private static let age = Prop(name: "age", type: .int, id: 4)
  private static let photo = Prop(name: "photo", type: .byteVector, id: 5)
  private static let all = [name, email, age, photo]

  private let changing: ChangingStore

  init() throws {
    changing = try ChangingStore()
  }

  private func open(
    _ properties: [Prop],
    last: UInt32 = 5,
    entityUID: UInt64 = 1001,
    withPoint: Bool = false,
    readOnly: Bool = false
  ) throws -> Store {
    try changing.open(last: (2, 1002), lastIndex: 9, readOnly: readOnly) { model in
      try model.add(Person.self, uid: entityUID, properties, last: last)
      if withPoint { try model.add(Point.self, uid: 1002, ChangingStore.point) }
    }
  }

  private func fill(_ store: Store) throws {
    try store.box(for: Person.self).put([
      Person("Jane", email: "jane", age: 30), Person("John", email: "john", age: 40),
    ])
    store.close()
  }

  /// The binding of Person writes all of its properties, so the added property is unknown to it.
  @Test func `a property that is added reads as null in objects that were stored before`() throws {
    try fill(try open(Self.all))
    // Reorders the properties, and adds property 6.
    let store = try open(
      [Self.name, Self.age, Self.email, Self.photo]
        + [Prop(name: "nick", type: .string, id: 6)],
      last: 6
    )
    let people = try store.box(for: Person.self).all()
    #expect(people.map(\.name) == ["Jane", "John"])
    let nick = Property<Person, String?, Void>(propertyId: 6)
    #expect(try store.box(for: Person.self).query { nick.isNil() }.build().count() == 2)
  }

  @Test func `objects of an older layout and of the newer one are read and queried side by side`()
    throws
  {
    try fill(try open(Self.all))
    let store = try open(Self.all + [Prop(name: "nick", type: .string, id: 6)], last: 6)
    let people = store.box(for: Person.self)
    try people.put(Person("Ada", email: "ada", age: 50))
    #expect(try people.all().map(\.name) == ["Jane", "John", "Ada"])
    #expect(try people.query { Person.age > 35 }.build().findIds() == [2, 3])
    #expect(try people.query { Person.name.contains("a") }.build().findIds() == [1, 3])
  }

  @Test func `a property that is removed is gone, and the others keep their values`() throws {
    try fill(try open(Self.all))
    let store = try open([Self.name, Self.age])
    let nowhere = Property<Person, String?, Void>(propertyId: 3)
    let people = store.box(for: Person.self)
    #expect(throws: ObjectBoxError.self) { _ = try people.query { nowhere.isNil() }.build() }
    #expect(try people.query { Person.name == "John" && Person.age == 40 }.build().findIds() == [2])
  }

  @Test func `an index that is added is filled from the objects that are there`() throws {
    try fill(try open(Self.all))
    var age = Self.age
    age.flags = [.indexed]
    age.index = 1
    let store = try open([Self.name, Self.email, age, Self.photo])
    let query = try store.box(for: Person.self).query { Person.age == 40 }.build()
    #expect(try query.explain().hasPrefix("index on 'age'"))
    #expect(try query.findIds() == [2])
  }

  @Test func `an index that is removed is dropped, and one of another form is built anew`() throws {
    var name = Self.name
    name.flags = [.indexed, .indexHash]
    name.index = 1
    try fill(try open([name, Self.email, Self.age, Self.photo]))
    name.flags = [.indexed]
    do {
      let store = try open([name, Self.email, Self.age, Self.photo])
      let query = try store.box(for: Person.self).query { Person.name.startsWith("Jo") }.build()
      #expect(try query.explain().hasPrefix("index on 'name' (value)"))
      #expect(try query.findIds() == [2])
      store.close()
    }
    let store = try open(Self.all)
    let query = try store.box(for: Person.self).query { Person.name == "John" }.build()
    #expect(try query.explain().hasPrefix("scan"))
    #expect(try query.findIds() == [2])
  }

  @Test
  func `a unique index on values that are not unique is refused, and the store stays as it was`()
    throws
  {
    let store = try open(Self.all)
    try store.box(for: Person.self).put([Person("A", email: "same"), Person("B", email: "same")])
    store.close()
    var email = Self.email
    email.flags = [.unique, .indexed, .indexHash]
    email.index = 1
    #expect {
      _ = try open([Self.name, email, Self.age, Self.photo])
    } throws: { error in
      guard case ObjectBoxError.uniqueViolation(let message) = error else { return false }
      return message.contains("'Person.email'")
    }
    #expect(try open(Self.all).box(for: Person.self).count() == 2)
  }

  @Test
  func `an entity that is added is empty, and one that is removed is kept with its objects`()
    throws
  {
    try fill(try open(Self.all))
    do {
      let store = try open(Self.all, withPoint: true)
      #expect(try store.box(for: Point.self).isEmpty())
      try store.box(for: Point.self).put(Point(id: 0, x: 1, y: 2))
      #expect(try store.box(for: Person.self).count() == 2)
      store.close()
    }
    try open(Self.all).close()
    let store = try open(Self.all, withPoint: true)
    #expect(try store.box(for: Point.self).all().map(\.x) == [1])
  }

  @Test func `a model with another UID for an entity or property is refused with both UIDs`() throws
  {
    try fill(try open(Self.all))
    #expect {
      _ = try open(Self.all, entityUID: 777)
    } throws: { error in
      guard case ObjectBoxError.schema(let message) = error else { return false }
      return message.contains("'Person'") && message.contains("1001") && message.contains("777")
        && message.contains(changing.path)
    }
    var age = Self.age
    age.uid = 888
    #expect {
      _ = try open([Self.name, Self.email, age, Self.photo])
    } throws: { error in
      guard case ObjectBoxError.schema(let message) = error else { return false }
      return message.contains("'Person.age'") && message.contains("888")
    }
    #expect(try open(Self.all).box(for: Person.self).count() == 2)
  }

  @Test func `a model that is older than the store is refused instead of dropping what it lacks`()
    throws
  {
    try fill(try open(Self.all + [Prop(name: "nick", type: .string, id: 6)], last: 6))
    #expect {
      _ = try open(Self.all, last: 5)
    } throws: { error in
      guard case ObjectBoxError.schema(let message) = error else { return false }
      return message.contains("newer model")
    }
  }

  @Test(arguments: [PropertyType.string, .short, .long, .float, .double, .date, .byteVector])
  func `a property of another type is refused, and migratedFrom is named before uid`(
    _ type: PropertyType
  ) throws {
    try fill(try open(Self.all))
    var age = Self.age
    age.type = type
    age.name = "years"
    #expect {
      _ = try open([Self.name, Self.email, age, Self.photo])
    } throws: { error in
      guard case ObjectBoxError.schema(let message) = error else { return false }
      return message.hasSuffix(
        "'Person.years' is stored as int and the model says \(type); to keep the values, restore "
          + "model.json as it was before the type changed, annotate the property with `objectbox: "
          + "migratedFrom = \"age\"` and run the generator; to start anew, which loses the values, "
          + "annotate the property with `objectbox: uid` instead and follow what the generator says"
      )
    }
    #expect(try open(Self.all).box(for: Person.self).count() == 2)
  }

  @Test func `a number may be read as unsigned, and optional values as values that are not`() throws
  {
    try fill(try open(Self.all))
    var age = Self.age
    age.flags.append(.unsigned)
    #expect(try open([Self.name, Self.email, age, Self.photo]).box(for: Person.self).count() == 2)
  }

  @Test func `a read-only store is not upgraded`() throws {
    try fill(try open(Self.all))
    #expect {
      _ = try open([], readOnly: true)
    } throws: { error in
      guard case ObjectBoxError.schema(let message) = error else { return false }
      return message.contains("read-only")
    }
  }

  @Test func `a rename in the model keeps the values`() throws {
    try fill(try open(Self.all))
    var name = Self.name
    name.name = "fullName"
    let store = try open([name, Self.email, Self.age, Self.photo])
    #expect(try store.box(for: Person.self).all().map(\.name) == ["Jane", "John"])
  }
}
