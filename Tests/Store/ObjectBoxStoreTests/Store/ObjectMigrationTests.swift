import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Properties that one function fills for each object as a whole.
struct ObjectMigrationTests {
  private typealias Prop = ChangingStore.Prop
  private typealias Body = @Sendable (OldValues, inout Member) throws -> Void

  private struct Refusal: Error {}

  private static let name = ChangingStore.name
  private static let age = ChangingStore.age
  private static let email = ChangingStore.email
  private static let photo = Prop(name: "photo", type: .byteVector, id: 5)
  /// Sets `email` to name and age.
  private static let setEmail: Body = { old, new in
    let name = try old.value(of: "name", as: String.self) ?? "-"
    let age = try old.value(of: "age", as: Int32.self) ?? 0
    new.email = "\(name) \(age)"
  }

  private let changing: ChangingStore

  init() throws {
    changing = try ChangingStore()
  }

  /// Opens the store; `body` fills the properties `filled` from `sources`.
  private func open(
    _ properties: [Prop],
    filling filled: [Prop] = [],
    from sources: [Prop] = [name, age],
    _ body: Body? = nil
  ) throws -> Store {
    var model = try ChangingStore.Model()
    try model.add(Member.self, uid: 1001, properties) { entity in
      guard let body else { return }
      try entity.migrated(
        filled.map(\.id),
        from: sources.map { (name: $0.name, id: $0.id, uid: UInt64($0.id), type: $0.type) },
        body
      )
    }
    model.builder.lastEntity(id: 1, uid: 1001)
    model.builder.lastIndex(id: 2, uid: 200)
    return try Store(model: model.builder.finish(), directory: changing.path)
  }

  private func fill(_ members: [Member], _ properties: [Prop] = [name, age]) throws {
    let store = try open(properties)
    try store.box(for: Member.self).put(members)
    store.close()
  }

  private func fill() throws {
    try fill([Member(name: "Jane", age: 30), Member(name: "Al", age: 40)])
  }

  private func expectUnchanged() throws {
    let store = try open([Self.name, Self.age])
    let members = try store.box(for: Member.self).all()
    #expect(members.map(\.name) == ["Jane", "Al"])
    #expect(members.map(\.age) == [30, 40])
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

  @Test func `a new property comes from two old ones, with its index`() throws {
    try fill()
    let store = try open([Self.email], filling: [Self.email], Self.setEmail)
    let members = store.box(for: Member.self)
    #expect(try members.all().map(\.email) == ["Jane 30", "Al 40"])
    let query = try members.query { Member.email == "Al 40" }.build()
    #expect(try query.explain().hasPrefix("index on 'email'"))
    #expect(try query.findIds() == [2])
    store.close()
  }

  @Test func `the function gets the object with the values that stay, and runs once`() throws {
    try fill()
    let calls = Recorder<String>()
    for _ in 0..<2 {
      let store = try open([Self.name, Self.email], filling: [Self.email], from: [Self.age]) {
        let age = try $0.value(of: "age", as: Int32.self) ?? 0
        calls.note("\($0.id) \($0.names) \($1.id) \($1.name ?? "-") \($1.email ?? "-")")
        $1.email = "\($1.name ?? "-") \(age)"
      }
      let members = store.box(for: Member.self)
      if try members.count() == 2 { try members.put(Member(name: "Jo")) }
      #expect(try members.all().map(\.email) == ["Jane 30", "Al 40", nil])
      #expect(try members.all().map(\.name) == ["Jane", "Al", "Jo"])
      store.close()
    }
    #expect(calls.values == [#"1 ["age"] 1 Jane -"#, #"2 ["age"] 2 Al -"#])
  }

  @Test func `functions of single properties run first`() throws {
    try fill()
    let photo = Self.photo.migrated(from: Self.name) { old, new in
      let name: [UInt8]? = (old.read(at: 6) as String?).map { [UInt8]($0.utf8) }
      new.collect(dataOffset: new.prepare(bytes: name), at: 12)
    }
    let store = try open([photo, Self.email], filling: [Self.email], from: [Self.age]) { _, new in
      new.email = "\(new.photo?.count ?? 0) bytes"
    }
    let members = try store.box(for: Member.self).all()
    #expect(members.map(\.email) == ["4 bytes", "2 bytes"])
    #expect(members.map(\.photo?.count) == [4, 2])
    store.close()
  }

  @Test func `old values of objects without the property are nil`() throws {
    try fill([Member(age: 1)], [Self.age])
    try fill([Member(name: "Al", age: 2)])
    let store = try open([Self.email], filling: [Self.email], Self.setEmail)
    #expect(try store.box(for: Member.self).all().map(\.email) == ["- 1", "Al 2"])
    store.close()
  }

  @Test func `old properties keep their names after they were renamed in a later model`() throws {
    try fill()
    var name = Self.name
    name.name = "title"
    try open([name, Self.age]).close()
    let store = try open([name, Self.email], filling: [Self.email], Self.setEmail)
    #expect(try store.box(for: Member.self).all().map(\.email) == ["Jane 30", "Al 40"])
    store.close()
  }

  @Test func `an earlier model finds its values, and only objects without the property are filled`()
    throws
  {
    try fill()
    try open([Self.email], filling: [Self.email], Self.setEmail).close()
    do {
      let store = try open([Self.name, Self.age])
      let members = store.box(for: Member.self)
      #expect(try members.all().map(\.name) == ["Jane", "Al"])
      try members.put(Member(name: "Jo", age: 50))
      store.close()
    }
    let calls = Recorder<Id>()
    let store = try open([Self.email], filling: [Self.email]) { old, new in
      calls.note(old.id)
      try Self.setEmail(old, &new)
    }
    #expect(try store.box(for: Member.self).all().map(\.email) == ["Jane 30", "Al 40", "Jo 50"])
    #expect(calls.values == [3])
    store.close()
  }

  @Test func `a property that is added to the function later leaves the earlier ones as they are`()
    throws
  {
    try fill()
    do {
      let store = try open([Self.email], filling: [Self.email], Self.setEmail)
      let members = store.box(for: Member.self)
      let jane = try #require(try members.get(1))
      // The binding reads properties that the model lacks, unlike generated ones.
      (jane.name, jane.age) = (nil, nil)
      jane.email = "jane@example.org"
      try members.put(jane)
      store.close()
    }
    let filled = [Self.email, Self.photo]
    let store = try open(filled, filling: filled) { old, new in
      try Self.setEmail(old, &new)
      new.photo = .init([7])
    }
    let members = try store.box(for: Member.self).all()
    #expect(members.map(\.email) == ["jane@example.org", "Al 40"])
    #expect(members.map(\.photo?.first) == [7, 7])
    store.close()
  }

  @Test func `a function that throws refuses the store, which stays as it was`() throws {
    try fill()
    let text = message {
      _ = try open([Self.email], filling: [Self.email]) { old, new in
        if old.id == 2 { throw Refusal() }
        new.email = "a"
      }
    }
    #expect(
      text.contains(
        "the migration of 'Member' failed for the object with ID 2, whose old values are "
          + "name 'Al', age '40': Refusal"
      ),
      "\(text)"
    )
    #expect(text.contains("the store stays as it was"), "\(text)")
    try expectUnchanged()
  }

  /// A function that does what a migration cannot, and words of the error.
  struct Misuse: Sendable, CustomTestStringConvertible {
    let words: String
    let body: @Sendable (OldValues, inout Member) throws -> Void

    var testDescription: String { words }
  }

  private static let misuses = [
    Misuse(words: "it has changed the ID") { $1.id = 7 },
    Misuse(words: "it has changed 'name'") { $1.name = "other" },
    Misuse(words: "it has changed 'name'") { $1.name = nil },
    Misuse(words: "the old values of 'Member' have no 'nam', only 'name', 'age'") { old, _ in
      _ = try old.value(of: "nam", as: String.self)
    },
    Misuse(words: "the old value 'age' of 'Member' is stored as int, and was read as string") {
      old,
      _ in
      _ = try old.value(of: "age", as: String.self)
    },
  ]

  @Test(arguments: misuses)
  func `a function that does what a migration cannot is refused`(misuse: Misuse) throws {
    try fill()
    let text = message {
      _ = try open([Self.name, Self.email], filling: [Self.email], misuse.body)
    }
    #expect(text.contains(misuse.words) && text.contains("object with ID 1"), "\(text)")
    try expectUnchanged()
  }

  @Test func `equal values for a unique property refuse the store, which stays as it was`() throws {
    try fill()
    #expect {
      _ = try open([Self.email], filling: [Self.email]) { $1.email = "same" }
    } throws: { error in
      if case ObjectBoxError.uniqueViolation = error { true } else { false }
    }
    try expectUnchanged()
  }

  @Test func `old values of another type than the migration reads are refused`() throws {
    try fill()
    let other = Prop(name: "name", type: .long, id: 2)
    let text = message {
      _ = try open([Self.email], filling: [Self.email], from: [other]) { _, _ in }
    }
    #expect(text.contains("reads 'name' as long, and its values are stored as string"), "\(text)")
    try expectUnchanged()
  }

  @Test(arguments: [[], [1], [9]] as [[UInt32]])
  func `a migration of no property, of the ID or of an unknown property is refused`(
    ids: [UInt32]
  ) throws {
    var model = try ChangingStore.Model()
    #expect {
      try model.add(Member.self, uid: 1001, [Self.name]) {
        try $0.migrated(ids, from: []) { _, _ in }
      }
    } throws: { error in
      if case ObjectBoxError.illegalArgument = error { true } else { false }
    }
  }

  @Test func `a struct is changed in place`() throws {
    let x = ChangingStore.point[0]
    let y = ChangingStore.point[1]
    func open(_ properties: [Prop], _ body: (EntityBuilder<Point>) throws -> Void) throws -> Store {
      try changing.open { try $0.add(Point.self, uid: 1002, properties, indexes: body) }
    }
    let old = Prop(name: "z", type: .double, id: 4)
    do {
      let store = try open([x, old]) { _ in }
      try store.box(for: Point.self).put([Point(id: 0, x: 1), Point(id: 0, x: 2)])
      store.close()
    }
    let store = try open([x, y]) { entity in
      let source = (name: "z", id: UInt32(4), uid: UInt64(4), type: PropertyType.double)
      try entity.migrated([3], from: [source]) { old, new in
        new.y = try old.value(of: "z", as: Double.self) == nil ? Float(new.x) : nil
      }
    }
    #expect(try store.box(for: Point.self).all().map(\.y) == [1, 2])
    store.close()
  }

  @Test func `a to-one relation tells its target's ID, and neither reads nor changes`() throws {
    let path = changing.path
    func open(
      _ body: (@Sendable (OldValues, inout Node) throws -> Void)? = nil
    ) throws -> Store {
      let builder = try ModelBuilder()
      let node = try builder.entityBuilder(for: Node.self, id: 5, uid: 1005)
      try node.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 501)
      try node.addToOneRelation(
        name: "next",
        targetEntityInfo: Node.entityInfo,
        flags: [.indexed, .indexPartialSkipZero],
        id: 2,
        uid: 502,
        indexId: 1,
        indexUid: 801
      )
      if let body {
        try node.addProperty(name: "name", type: .string, id: 3, uid: 503)
        try node.migrated([3], from: [], body)
      }
      try node.lastProperty(id: 3, uid: 503)
      builder.lastEntity(id: 5, uid: 1005)
      builder.lastIndex(id: 1, uid: 801)
      return try Store(model: builder.finish(), directory: path)
    }
    do {
      let store = try open()
      let (first, second) = (Node(), Node())
      second.next.target = first
      try store.box(for: Node.self).put([first, second])
      store.close()
    }
    for body: @Sendable (OldValues, inout Node) throws -> Void in [
      { $1.next.targetId = nil },
      { $1.next.targetId = EntityId(2) },
    ] {
      let text = message { _ = try open(body) }
      #expect(text.contains("it has changed 'next'"), "\(text)")
    }
    let text = message { _ = try open { $1.next.target = Node() } }
    #expect(text.contains("a migration cannot set related objects"), "\(text)")
    let store = try open { old, new in
      new.name = new.next.targetId.map { "\(old.id) to \($0.value)" }
      #expect(new.next.target == nil)
    }
    let nodes = try store.box(for: Node.self).all()
    #expect(nodes.map(\.name) == [nil, "2 to 1"])
    #expect(nodes.last?.next.target?.id == 1)
    store.close()
  }

  @Test func `a to-many relation keeps its links, and cannot be replaced`() throws {
    let relations = try RelationStore()
    let student = Student("Al")
    student.teachers.append(Teacher("Jane"))
    try relations.students.put(student)
    func model(_ body: @escaping @Sendable (OldValues, inout Student) throws -> Void)
      -> RelationModel
    {
      var model = RelationModel()
      model.changeStudent = { student in
        try student.addProperty(name: "note", type: .string, id: 3, uid: 303)
        try student.migrated([3], from: [], body)
      }
      return model
    }
    let text = message { try relations.reopen(model { $1.teachers = ToMany() }) }
    #expect(text.contains("it has changed a to-many relation"), "\(text)")
    try relations.reopen(model { _, _ in })
    #expect(try relations.students.get(1)?.teachers.map(\.name) == ["Jane"])
  }
}
