import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

/// The contract of all overloads of the boxes' calls, for embedded stores and clusters.
@Suite(.onAnyStore)
struct BoxFormContractTests {
  private struct Stop: Error {}

  private func courses(_ count: Int) -> [Course] { (0..<count).map { Course("\($0)") } }

  // MARK: Puts

  @Test(arguments: StoreKind.available)
  func `several objects are put in each form`(_ kind: StoreKind) async throws {
    let box = try await AnyStore(kind).box(Course.self)
    let all = courses(12)
    try await box.put(all[0], all[1])
    try await box.put(all[2], all[3], mode: .insert)
    try await box.put([all[4], all[5]])
    try await box.put(Array(all[4...5]), mode: .update)
    try await box.put(all: ContiguousArray(all[6...7]))
    try await box.put(all: all[8...9])
    try await box.put(all: all[8...9].lazy.filter { $0.id != 0 }.reversed(), mode: .update)
    #expect(all.prefix(10).map(\.id) == Array(1...10))
    var rest = Array(all[10...])
    try await box.put(&rest)
    #expect(all.map(\.id) == Array(1...12))
    try await box.put([])
    try await box.put(all: [])
    #expect(try await box.count() == 12)
  }

  @Test(arguments: StoreKind.available)
  func `IDs of several objects are returned in their order`(_ kind: StoreKind) async throws {
    let box = try await AnyStore(kind).box(Course.self)
    let all = courses(6)
    #expect(try await box.putAndReturnIDs([all[0], all[1]]) == [1, 2])
    #expect(try await box.putAndReturnIDs(all[2...5], mode: .insert) == [3, 4, 5, 6])
    #expect(try await box.putAndReturnIDs(all.reversed()) == [6, 5, 4, 3, 2, 1])
    #expect(try await box.putAndReturnIDs([]) == [])
  }

  @Test(arguments: StoreKind.available)
  func `a struct by value keeps ID 0, and each put of it is a new object`(
    _ kind: StoreKind
  ) async throws {
    let box = try await AnyStore(kind).box(Account.self)
    let account = Account(id: 0, balance: 1)
    #expect(try await box.put(account) == 1)
    #expect(try await box.put(account) == 2)
    #expect(account.id == 0)
    var again = Account(id: 2, balance: 5)
    try await box.put(&again)
    #expect(try await box.all().map(\.balance) == [1, 5])
  }

  @Test(arguments: StoreKind.available)
  func `an empty put writes nothing, also where nothing may be written`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    try await store.read { transaction in
      try await transaction.box(Course.self).put([])
      var none: [Account] = []
      try await transaction.box(Account.self).put(&none)
    }
    #expect(try await store.box(Course.self).isEmpty())
  }

  @Test(arguments: StoreKind.available)
  func `an object that was removed is inserted again under its ID, and not updated`(
    _ kind: StoreKind
  ) async throws {
    let box = try await AnyStore(kind).box(Course.self)
    let course = Course("a")
    try await box.put(course)
    try await box.remove(course)
    let refused = await kindThrown { try await box.put(course, mode: .update) }
    #expect(refused == "unknown")
    #expect(course.id == 1)
    try await box.put(course, mode: .insert)
    #expect(try await box.get(1)?.name == "a")
  }

  @Test(arguments: StoreKind.available)
  func `objects that are removed in the same transaction use up their IDs`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    try await store.write { transaction in
      let box = transaction.box(Course.self)
      try await box.put(courses(2))
      try await box.removeAll()
      let later = courses(3)
      try await box.put(later)
      #expect(later.map(\.id) == [3, 4, 5])
    }
    #expect(try await store.box(Course.self).count() == 3)
  }

  @Test(arguments: StoreKind.available)
  func `a null is no duplicate, and a removed object or a changed one frees its value`(
    _ kind: StoreKind
  ) async throws {
    let box = try await AnyStore(kind).box(Person.self)
    let (a, b) = (Person(name: "A", email: "x"), Person(name: "B", email: "y"))
    try await box.put([a, b, Person(name: "C"), Person(name: "D")])
    try await box.put(a)
    try await box.remove(a)
    try await box.put(Person(name: "E", email: "x"))
    b.email = nil
    try await box.put(b)
    try await box.put(Person(name: "F", email: "y"))
    #expect(try await box.all().map(\.email) == [nil, nil, nil, "x", "y"])
  }

  @Test(arguments: StoreKind.available)
  func `unique texts differ by more than case where their property says so`(
    _ kind: StoreKind
  ) async throws {
    let box = try await AnyStore(kind).box(Login.self)
    let long = String(repeating: "É", count: 400)
    for address in ["A@x", "ÉCLAIR", "Ωμέγα", long + "1"] { try await box.put(Login(address)) }
    for address in ["a@X", "éclair", "ωΜΈΓΑ", long.lowercased() + "1"] {
      let refused = await kindThrown { try await box.put(Login(address)) }
      #expect(refused == "uniqueViolation")
      #expect(try await box.get(where: Login.address, equals: address) != nil)
    }
    try await box.put([Login(nil), Login(nil), Login(long + "2")])
    let own = try #require(try await box.get(where: Login.address, equals: "a@x"))
    own.address = "a@X"
    try await box.put(own)
    #expect(try await box.get(where: Login.address, equals: "A@X")?.address == "a@X")
    #expect(try await box.count() == 7)
  }

  @Test(arguments: StoreKind.available)
  func `an object is found by a unique value, and a property that is not unique is refused`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let people = store.box(Person.self)
    try await people.put((0..<50).map { Person(name: "P\($0)", email: "\($0)@x") })
    #expect(try await people.get(where: Person.email, equals: "42@x")?.name == "P42")
    #expect(try await people.get(where: Person.email, equals: "42@X") == nil)
    #expect(try await people.get(where: Person.email, equals: "") == nil)
    let badges = store.box(Badge.self)
    try await badges.put([Badge(code: "a", number: -1), Badge(code: "b", number: .max)])
    #expect(try await badges.get(where: Badge.number, equals: -1)?.code == "a")
    #expect(try await badges.get(where: Badge.number, equals: .max)?.code == "b")
    #expect(try await badges.get(where: Badge.number, equals: 0) == nil)
    do {
      _ = try await people.get(where: Person.name, equals: "P1")
      Issue.record("the property is not unique")
    } catch ObjectBoxError.illegalArgument(let message) {
      #expect(message.contains("'Person.name', which is not unique"))
    }
  }

  @Test(arguments: StoreKind.available, [Double.nan, .infinity, -.infinity, 1e17, -1e17])
  func `a date that is no number is refused, and nothing is stored`(
    _ kind: StoreKind,
    _ seconds: Double
  ) async throws {
    let box = try await AnyStore(kind).box(Everything.self)
    let object = Everything()
    object.date = Date(timeIntervalSince1970: seconds)
    for batch in [[object], [Everything(), object]] {
      do {
        try await box.put(batch)
        Issue.record("no such date can be stored")
      } catch ObjectBoxError.illegalArgument(let message) {
        #expect(message.contains("'Everything'") && message.contains("'date'"))
      }
    }
    #expect(object.id == 0)
    #expect(try await box.isEmpty())
    let good = Date(timeIntervalSince1970: -1)
    object.date = good
    try await box.put(object)
    #expect(try await box.query(Everything.date.isEqual(to: good)).ids() == [object.id])
  }

  // MARK: Reads

  @Test(arguments: StoreKind.available)
  func `objects are looked up by IDs in each form`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let box = store.box(Course.self)
    try await box.put(courses(5))
    #expect(try await box.get(typed: 4)?.name == "3")
    #expect(try await box.get(typed: 0) == nil)
    #expect(try await box.get(typed: 99) == nil)
    let ids: [EntityId<Course>] = [4, 99, 1, 2]
    #expect(try await box.get(typed: ids).map(\.name) == ["3", "0", "1"])
    #expect(try await box.get(typed: ids, maxCount: 2).map(\.name) == ["3", "0"])
    #expect(try await box.get(typed: ids.dropFirst()).map(\.name) == ["0", "1"])
    #expect(Set(try await box.getAsDictionary(typed: ids).keys) == [1, 2, 4])
    #expect(try await box.getAsDictionary([3, 99]).mapValues(\.name) == [3: "2"])
    #expect(try await box.allContiguous().map(\.id) == [1, 2, 3, 4, 5])
  }

  @Test(arguments: StoreKind.available)
  func `visits pass all objects or those of IDs, and pass errors on`(
    _ kind: StoreKind
  ) async throws {
    let box = try await AnyStore(kind).box(Course.self)
    try await box.put(courses(5))
    var seen: [String] = []
    try await box.forEach { seen.append($0.name) }
    #expect(seen.joined() == "01234")
    seen = []
    let ids: [Id] = [5, 99, 3, 1]
    try await box.for(ids) { seen.append($0?.name ?? "-") }
    #expect(seen.joined() == "4-20")
    seen = []
    try await box.for(ids[1...2]) { seen.append($0?.name ?? "-") }
    #expect(seen.joined() == "-2")
    await expect("Stop()") { try await box.forEach { _ in throw Stop() } }
    await expect("Stop()") { try await box.for(ids) { _ in throw Stop() } }
  }

  // MARK: Removals

  @Test(arguments: StoreKind.available)
  func `objects are removed in each form, and missing ones are left out`(
    _ kind: StoreKind
  ) async throws {
    let box = try await AnyStore(kind).box(Course.self)
    let all = courses(16)
    try await box.put(all)
    #expect(try await box.remove(objects: [all[0], all[1]]) == 2)
    #expect(try await box.remove(objects: all[0...2]) == 1)
    #expect(try await box.remove(objects: ContiguousArray(all[3...4])) == 2)
    #expect(try await box.remove(all[5], Course("never put")) == 1)
    #expect(try await box.remove(typed: [EntityId<Course>(7), EntityId<Course>(99)]) == 1)
    #expect(try await box.remove(typed: ([8, 9, 10] as [EntityId<Course>])[1...]) == 2)
    #expect(try await box.remove([11, 12, 0, 99, 11]) == 2)
    #expect(try await box.remove(typed: 13))
    #expect(try await box.remove(typed: 0) == false)
    await expect("notFound") { _ = try await box.remove(typed: 13) }
    await expect("notFound") { _ = try await box.remove(all[0]) }
    #expect(try await box.remove([]) == 0)
    #expect(try await box.all().map(\.id) == [8, 14, 15, 16])
    #expect(try await box.removeAll() == 4)
  }
}
