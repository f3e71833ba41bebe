import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

/// The contract of boxes, for embedded stores and clusters.
@Suite(.onAnyStore)
struct BoxContractTests {
  private func code(_ error: (any Error)?) -> Int32? {
    if case .unknown(let code, _)? = error as? ObjectBoxError { code } else { nil }
  }

  private func error(_ body: () async throws -> Void) async -> (any Error)? {
    do {
      try await body()
      return nil
    } catch {
      return error
    }
  }

  // MARK: Puts

  @Test(arguments: StoreKind.available)
  func `IDs of a fresh store count from 1 in put order`(_ kind: StoreKind) async throws {
    let box = try await AnyStore(kind).box(Person.self)
    let people = [Person(name: "A"), Person(name: "B"), Person(name: "C")]
    try await box.put(people)
    #expect(people.map(\.id) == [1, 2, 3])
    #expect(try await box.put(Person(name: "D")) == 4)
  }

  @Test(arguments: StoreKind.available)
  func `an object read back equals the one that was put`(_ kind: StoreKind) async throws {
    let box = try await AnyStore(kind).box(Person.self)
    let jane = Person(name: "Jane 'J' \"\\\u{1F600}", age: 42, email: "jane@example.org")
    jane.born = Date(timeIntervalSince1970: -12.345)
    let id = try await box.put(jane)
    let read = try #require(try await box.get(id))
    #expect(read !== jane)
    #expect(read.id == id)
    #expect(read.name == jane.name)
    #expect(read.email == jane.email)
    #expect(read.age == 42)
    #expect(read.born == jane.born)
  }

  @Test(arguments: StoreKind.available)
  func `a put of a stored object changes it`(_ kind: StoreKind) async throws {
    let box = try await AnyStore(kind).box(Person.self)
    let jane = Person(name: "Jane", age: 3)
    try await box.put(jane)
    jane.name = "Janet, with a name that is longer than before"
    jane.age = nil
    try await box.put(jane)
    #expect(try await box.count() == 1)
    #expect(try await box.get(jane.id)?.name == jane.name)
    #expect(try await box.get(jane.id)?.age == nil)
  }

  @Test(arguments: StoreKind.available)
  func `structs get their IDs through inout`(_ kind: StoreKind) async throws {
    let box = try await AnyStore(kind).box(Account.self)
    var account = Account(id: 0, balance: 7)
    try await box.put(&account)
    #expect(account.id == 1)
    var all = (0..<5).map { Account(id: 0, balance: $0) }
    try await box.put(&all)
    #expect(all.map(\.id) == [2, 3, 4, 5, 6])
    #expect(try await box.all().map(\.balance) == [7, 0, 1, 2, 3, 4])
  }

  @Test(arguments: StoreKind.available)
  func `an assignable ID lifts the sequence above it`(_ kind: StoreKind) async throws {
    let box = try await AnyStore(kind).box(Spot.self)
    try await box.put(Spot(id: 100, x: 1, y: 1))
    #expect(try await box.put(Spot(id: 0, x: 2, y: 2)) == 101)
    try await box.put(Spot(id: 50, x: 3, y: 3))
    #expect(try await box.put(Spot(id: 0, x: 4, y: 4)) == 102)
    #expect(try await box.all().map(\.id) == [50, 100, 101, 102])
  }

  @Test(arguments: StoreKind.available)
  func `an ID that was never given out is refused`(_ kind: StoreKind) async throws {
    let box = try await AnyStore(kind).box(Person.self)
    try await box.put([Person(name: "A"), Person(name: "B")])
    let stranger = Person(name: "Stranger")
    for id: Id in [3, 7, 5_000, .max - 1, .max] {
      stranger.id = id
      let error = await error { try await box.put(stranger) }
      guard case .illegalArgument(let message)? = error as? ObjectBoxError else {
        Issue.record("\(String(describing: error))")
        continue
      }
      if id < 10_000 { #expect(message.contains("ID sequence: \(id)")) }
    }
    #expect(try await box.count() == 2)
  }

  @Test(arguments: StoreKind.available)
  func `IDs of removed objects are not given out again`(_ kind: StoreKind) async throws {
    let box = try await AnyStore(kind).box(Person.self)
    try await box.put([Person(name: "A"), Person(name: "B"), Person(name: "C")])
    try await box.remove(3)
    #expect(try await box.put(Person(name: "D")) == 4)
    try await box.removeAll()
    #expect(try await box.put(Person(name: "E")) == 5)
  }

  @Test(arguments: StoreKind.available)
  func `a removed object can be put again under its ID`(_ kind: StoreKind) async throws {
    let box = try await AnyStore(kind).box(Person.self)
    let jane = Person(name: "Jane")
    try await box.put(jane)
    try await box.remove(jane)
    #expect(try await box.put(jane) == 1)
    #expect(try await box.all().map(\.name) == ["Jane"])
  }

  @Test(arguments: StoreKind.available)
  func `insert refuses an object that is stored`(_ kind: StoreKind) async throws {
    let box = try await AnyStore(kind).box(Person.self)
    let jane = Person(name: "Jane")
    try await box.put(jane, mode: .insert)
    jane.name = "Janet"
    #expect(code(await error { try await box.put(jane, mode: .insert) }) == 10210)
    let new = Person(name: "New")
    #expect(code(await error { try await box.put([new, jane], mode: .insert) }) == 10210)
    // In an embedded store, a box takes IDs back only in write blocks.
    if kind == .cluster { #expect(new.id == 0) }
    #expect(try await box.all().map(\.name) == ["Jane"])
  }

  @Test(arguments: StoreKind.available)
  func `insert refuses an object that its transaction has put, and the block goes on`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    try await store.write { transaction in
      let box = transaction.box(Badge.self)
      let badge = Badge(code: "a")
      try await box.put(badge)
      badge.code = "b"
      #expect(code(await error { try await box.put(badge, mode: .insert) }) == 10210)
      try await box.put(Badge(code: "b"))
    }
    #expect(try await store.box(Badge.self).all().map(\.code) == ["a", "b"])
  }

  @Test(arguments: StoreKind.available)
  func `update refuses an object that is not stored, and leaves its ID`(
    _ kind: StoreKind
  ) async throws {
    let box = try await AnyStore(kind).box(Person.self)
    let jane = Person(name: "Jane")
    #expect(code(await error { try await box.put(jane, mode: .update) }) == 10211)
    #expect(jane.id == 0)
    let other = Person(name: "Other")
    try await box.put([jane, other])
    try await box.remove(other)
    #expect(code(await error { try await box.put([jane, other], mode: .update) }) == 10211)
    jane.name = "Janet"
    try await box.put(jane, mode: .update)
    #expect(try await box.all().map(\.name) == ["Janet"])
  }

  @Test(arguments: StoreKind.available)
  func `the same object twice in a batch is one object`(_ kind: StoreKind) async throws {
    let box = try await AnyStore(kind).box(Person.self)
    let jane = Person(name: "Jane")
    try await box.put([jane, jane])
    #expect(try await box.all().map(\.id) == [1])
    let first = try #require(try await box.get(1))
    let second = try #require(try await box.get(1))
    first.name = "first"
    second.name = "second"
    try await box.put([first, second])
    #expect(try await box.all().map(\.name) == ["second"])
  }

  // MARK: Unique values

  private func violation(_ body: () async throws -> Void) async -> String {
    let error = await error(body)
    guard case .uniqueViolation(let message)? = error as? ObjectBoxError else {
      Issue.record("\(String(describing: error))")
      return ""
    }
    return message
  }

  @Test(arguments: StoreKind.available)
  func `a unique value that another object holds is refused, with property and value`(
    _ kind: StoreKind
  ) async throws {
    let box = try await AnyStore(kind).box(Person.self)
    let jane = Person(name: "Jane", email: "j")
    try await box.put(jane)
    let john = Person(name: "John", email: "j")
    let expected =
      "unique constraint on 'Person.email' would be violated: the object with ID 1 already holds 'j'"
    #expect(await violation { try await box.put(john) }.hasPrefix(expected))
    #expect(john.id == 0)
    let batch = (0..<50).map { Person(name: "P", email: "\($0)") } + [john]
    #expect(await violation { try await box.put(batch) }.hasPrefix(expected))
    for object in batch { object.id = 0 }
    #expect(try await box.count() == 1)
    jane.email = "k"
    try await box.put(jane)
    try await box.put(batch)
    #expect(try await box.count() == 52)
  }

  @Test(arguments: StoreKind.available)
  func `a batch with a unique value twice writes nothing`(_ kind: StoreKind) async throws {
    let box = try await AnyStore(kind).box(Person.self)
    let people = [
      Person(name: "A", email: "a"), Person(name: "B", email: "b"), Person(name: "C", email: "a"),
    ]
    let message = await violation { try await box.put(people) }
    #expect(message.contains("'Person.email'") && message.contains("'a'"))
    #expect(try await box.isEmpty())
    try await box.put([Person(name: "D"), Person(name: "E"), Person(name: "F", email: "a")])
    #expect(try await box.count() == 3)
  }

  @Test(arguments: StoreKind.available)
  func `a batch can hand a unique value from one object to another`(_ kind: StoreKind) async throws
  {
    let box = try await AnyStore(kind).box(Person.self)
    let people = ["a", "b", "c"].map { Person(name: $0, email: $0) }
    try await box.put(people)
    people[2].email = "z"
    people[0].email = "c"
    try await box.put([people[2], people[0], Person(name: "new", email: "a")])
    #expect(try await box.all().map(\.email) == ["c", "b", "z", "a"])
  }

  @Test(arguments: StoreKind.available)
  func `values that are unique together are refused together`(_ kind: StoreKind) async throws {
    let box = try await AnyStore(kind).box(Spot.self)
    try await box.put([Spot(id: 0, x: 1, y: 1), Spot(id: 0, x: 1, y: 2)])
    try await box.put([Spot(id: 0, x: nil, y: 2), Spot(id: 0, x: nil, y: 2)])
    let message = await violation { _ = try await box.put(Spot(id: 0, x: 1, y: 2)) }
    #expect(
      message.hasPrefix(
        "unique constraint on 'Spot.x, y' would be violated: the object with ID 2 already holds 1 and 2"
      )
    )
    #expect(try await box.count() == 4)
  }

  @Test(arguments: StoreKind.available)
  func `with onConflict replace the new object takes the place of the old one`(
    _ kind: StoreKind
  ) async throws {
    let box = try await AnyStore(kind).box(Badge.self)
    try await box.put([Badge(code: "a", number: 1), Badge(code: "b", number: 2)])
    let id = try await box.put(Badge(code: "a", number: 3, text: "C"))
    #expect(try await box.all().map(\.id) == [2, id])
    #expect(try await box.get(id)?.text == "C")
    // Replaces both.
    let both = Badge(code: "a", number: 2)
    try await box.put(both)
    #expect(try await box.all().map(\.id) == [both.id])
    try await box.put([Badge(code: nil), Badge(code: nil)])
    #expect(try await box.count() == 3)
  }

  @Test(arguments: StoreKind.available)
  func `objects of one batch replace one another, the last one stays`(
    _ kind: StoreKind
  ) async throws {
    let box = try await AnyStore(kind).box(Badge.self)
    let stored = Badge(code: "s")
    try await box.put(stored)
    stored.code = "x"
    stored.text = "old"
    try await box.put([
      Badge(code: "x", text: "1"), stored, Badge(code: "y", text: "2"), Badge(code: "x", text: "3"),
      Badge(code: "y", text: "4"),
    ])
    #expect(try await box.all().map(\.text) == ["3", "4"])
    #expect(try await box.get(stored.id) == nil)
  }

  @Test(arguments: StoreKind.available)
  func `an object keeps its own unique value when it is put again`(_ kind: StoreKind) async throws {
    let box = try await AnyStore(kind).box(Badge.self)
    let badge = Badge(code: "a", number: 1)
    try await box.put(badge)
    badge.text = "again"
    try await box.put(badge)
    try await box.put([badge, Badge(code: "b", number: 2)])
    #expect(try await box.all().map(\.text) == ["again", ""])
  }

  // MARK: Reading

  private func filled(_ kind: StoreKind) async throws -> AnyBox<Person> {
    let box = try await AnyStore(kind).box(Person.self)
    try await box.put((1...10).map { (number: Int) in Person(name: "P\(number)", age: number) })
    return box
  }

  @Test(arguments: StoreKind.available)
  func `many IDs give their objects in the order asked for, without the missing ones`(
    _ kind: StoreKind
  ) async throws {
    let box = try await filled(kind)
    let found = try await box.get([7, 99, 2, 7, 0, .max, 5])
    #expect(found.map(\.id) == [7, 2, 7, 5])
    #expect(found[0] !== found[2])
    #expect(try await box.get([2, 5, 7]).map(\.id) == [2, 5, 7])
    #expect(try await box.get([99, 7, 98, 2, 5], maxCount: 2).map(\.id) == [7, 2])
    #expect(try await box.get([]).isEmpty)
    #expect(try await box.get(0) == nil)
    #expect(try await box.get(.max) == nil)
    let dictionary = try await box.getAsDictionary([3, 99, 4])
    #expect(dictionary.keys.sorted() == [3, 4])
    #expect(dictionary[4]?.name == "P4")
  }

  @Test(arguments: StoreKind.available)
  func `counting stops at the limit, and contains asks for all IDs`(
    _ kind: StoreKind
  ) async throws {
    let box = try await filled(kind)
    #expect(try await box.count() == 10)
    #expect(try await box.count(limit: 3) == 3)
    #expect(try await box.count(limit: 30) == 10)
    #expect(try await !box.isEmpty())
    #expect(try await box.contains([1]))
    #expect(try await box.contains([1, 10, 1]))
    #expect(try await !box.contains([1, 11]))
    #expect(try await !box.contains([0]))
    #expect(try await box.contains([]))
  }

  @Test(arguments: StoreKind.available)
  func `a visit ends when the block returns false or throws`(_ kind: StoreKind) async throws {
    let box = try await filled(kind)
    var seen: [Id] = []
    try await box.visit { person in
      seen.append(person.id)
      return seen.count < 4
    }
    #expect(seen == [1, 2, 3, 4])
    struct Stop: Error {}
    await #expect(throws: Stop.self) { try await box.visit { _ in throw Stop() } }
    var names: [String?] = []
    try await box.visit([9, 99, 1]) {
      names.append($0?.name)
      return true
    }
    #expect(names == ["P9", nil, "P1"])
  }

  @Test(arguments: StoreKind.available)
  func `a visit sees all of many objects in the order of their IDs`(
    _ kind: StoreKind
  ) async throws {
    let box = try await AnyStore(kind).box(Account.self)
    try await box.put((0..<1_200).map { Account(id: 0, balance: $0) })
    var seen: [Int] = []
    try await box.visit {
      seen.append($0.balance)
      return true
    }
    #expect(seen == Array(0..<1_200))
  }

  // MARK: Removals

  @Test(arguments: StoreKind.available)
  func `removing a missing object by itself throws, among others it is left out`(
    _ kind: StoreKind
  ) async throws {
    let box = try await filled(kind)
    let error = await error { _ = try await box.remove(99) }
    guard case .notFound(let message)? = error as? ObjectBoxError else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.contains("'Person' with ID 99"))
    #expect(try await box.remove(0) == false)
    #expect(try await box.remove(Person(name: "new")) == false)
    #expect(try await box.remove([1, 99, 2, 1]) == 2)
    #expect(try await box.remove(10))
    #expect(try await box.removeAll() == 7)
    #expect(try await box.isEmpty())
    #expect(try await box.removeAll() == 0)
  }

  // MARK: Values

  private func sample(_ number: Int) -> Everything {
    let object = Everything()
    guard number > 0 else { return object }
    object.flag = number.isMultiple(of: 2)
    object.small = -3
    object.smallUnsigned = 250
    object.short = .min
    object.shortUnsigned = 65_000
    object.number = .max
    object.numberUnsigned = 4_000_000_000
    object.large = .min
    object.largeUnsigned = .max
    object.real = -0.0
    object.double = .infinity
    object.text = "Größe {\"\\} '\(number)'"
    object.bytes = Data([0, 1, 255])
    object.date = Date(timeIntervalSince1970: -1.001)
    object.exactDate = Date(timeIntervalSince1970: 12.5)
    object.uuid = UUID()
    object.link = URL(string: "https://example.org/a?b")
    object.price = Decimal(string: "-12.50")
    object.numbers = (0..<Int32(number)).map { $0 - 2 }
    object.larges = number.isMultiple(of: 3) ? nil : [.min, 0, .max]
    object.reals = number.isMultiple(of: 5) ? [] : [0.5, .infinity, -1]
    object.texts = number.isMultiple(of: 4) ? nil : ["", "a,b", "{x}", "NULL", "\"q\\", " \n"]
    return object
  }

  private func expectEqual(_ a: Everything, _ b: Everything) {
    #expect(a.flag == b.flag && a.small == b.small && a.smallUnsigned == b.smallUnsigned)
    #expect(a.short == b.short && a.shortUnsigned == b.shortUnsigned && a.number == b.number)
    #expect(a.numberUnsigned == b.numberUnsigned && a.large == b.large)
    #expect(a.largeUnsigned == b.largeUnsigned && a.double == b.double && a.text == b.text)
    #expect(a.real?.bitPattern == b.real?.bitPattern)
    #expect(a.bytes == b.bytes && a.date == b.date && a.exactDate == b.exactDate)
    #expect(a.uuid == b.uuid && a.link == b.link && a.price == b.price)
    #expect(a.numbers == b.numbers && a.larges == b.larges)
    #expect(a.reals == b.reals && a.texts == b.texts)
  }

  @Test(arguments: StoreKind.available, [1, 2, 40])
  func `every type comes back as it was, put alone and in batches`(
    _ kind: StoreKind,
    _ count: Int
  ) async throws {
    let box = try await AnyStore(kind).box(Everything.self)
    let objects = (0..<count).map(sample)
    try await box.put(objects)
    let read = try await box.all()
    #expect(read.count == count)
    for (a, b) in zip(objects, read) { expectEqual(a, b) }
    // Updates all rows, then one.
    for object in read { object.texts = [object.text ?? "none"] }
    try await box.put(read)
    #expect(try await box.all().map(\.texts) == read.map(\.texts))
  }
}
