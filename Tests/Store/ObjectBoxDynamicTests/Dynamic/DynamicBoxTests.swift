import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

struct DynamicBoxTests {
  private let test: DynamicStore
  private var people: DynamicBox { test.people }
  private var dogs: DynamicBox { test.dogs }
  private var things: DynamicBox { test.things }

  init() throws { test = try DynamicStore() }

  // MARK: Values

  @Test func `values of every type are stored, and read in the type that the table tells`() throws {
    let date = Date(timeIntervalSince1970: 1_234.5)
    let uuid = UUID()
    let values: [String: Any?] = [
      "bool": true, "byte": -128, "ubyte": 255 as UInt8, "short": -5, "ushort": 65535, "char": 7,
      "int": Int32.min, "uint": UInt32.max, "long": Int64.min, "ulong": UInt64.max,
      "float": 1.5 as Float, "double": 0.1, "string": "é", "date": date, "nanos": date,
      "flex": Data([1]), "bools": [true, false], "bytes": [1, 2, 255] as [UInt8],
      "shorts": [-1, 2],
      "chars": [65535], "ints": [1, -2], "uints": [4_294_967_295], "longs": [Int64.max],
      "floats": [0.5, -1], "doubles": [0.1, 2], "strings": ["a", ""], "dates": [date],
      "nanoDates": [date], "must": 0, "uuid": uuid,
    ]
    let id = try things.put(values)
    let thing = try #require(try things.get(id))
    func expect<Value: Equatable>(_ name: String, _ value: Value) {
      #expect(thing[name] as? Value == value, "\(name)")
    }
    expect("bool", true as Bool)
    expect("byte", -128 as Int)
    expect("ubyte", 255 as Int)
    expect("short", -5 as Int)
    expect("ushort", 65535 as Int)
    expect("char", 7 as Int)
    expect("int", Int(Int32.min) as Int)
    expect("uint", Int(UInt32.max) as Int)
    expect("long", .min as Int)
    expect("ulong", .max as UInt64)
    expect("float", 1.5 as Float)
    expect("double", 0.1 as Double)
    expect("string", "é" as String)
    expect("date", date as Date)
    expect("nanos", date as Date)
    expect("flex", Data([1]) as Data)
    expect("bools", [true, false] as [Bool])
    expect("bytes", Data([1, 2, 255]) as Data)
    expect("shorts", [-1, 2] as [Int16])
    expect("chars", [65535] as [UInt16])
    expect("ints", [1, -2] as [Int32])
    expect("uints", [.max] as [UInt32])
    expect("longs", [.max] as [Int64])
    expect("floats", [0.5, -1] as [Float])
    expect("doubles", [0.1, 2] as [Double])
    expect("strings", ["a", ""] as [String])
    expect("dates", [date] as [Date])
    expect("nanoDates", [date] as [Date])
    expect("uuid", uuid as UUID)
    expect("id", id as Id)
    #expect(thing.names.count == 31)
    #expect(try thing.value(of: "string") == "é")
    let copy = try things.put(thing)
    #expect(copy == id)
    #expect("\(try #require(try things.get(id)))" == "\(thing)")
  }

  @Test func `nil, an empty optional and NSNull are null, and so is what a new object lacks`()
    throws
  {
    let none: String? = nil
    let id = try people.put(["name": nil, "email": none, "age": NSNull()])
    let person = try #require(try people.get(id))
    #expect(person.names.allSatisfy { $0 == "id" || person[$0] == nil })
    #expect(try people.query { $0["email"] == nil && $0["age"].isNil() }.build().findIds() == [id])
  }

  @Test func `a put with an ID changes the named values and keeps the others`() throws {
    let date = Date(timeIntervalSince1970: 1)
    let id = try people.put([
      "name": "Ada", "email": "a@x", "age": 36, "photo": Data([7]), "born": date, "boss": 1,
    ])
    #expect(try people.put(["id": id, "age": 37, "photo": nil]) == id)
    let person = try #require(try people.get(id))
    #expect(person["name"] as? String == "Ada")
    #expect(person["email"] as? String == "a@x")
    #expect(person["age"] as? Int == 37)
    #expect(person["photo"] == nil)
    #expect(person["born"] as? Date == date)
    #expect(person["boss"] as? Id == 1)
    #expect(try people.query { $0["age"] == 36 }.build().count() == 0)
    #expect(try people.query { $0["age"] == 37 }.build().findIds() == [id])
    #expect(try people.count() == 1)
  }

  @Test func `a changed object is stored with all its values`() throws {
    let id = try people.put(["name": "Ada", "age": 36])
    var person = try #require(try people.get(id))
    person["age"] = nil
    person["email"] = "ada@x"
    try people.put(person)
    let stored = try #require(try people.get(id))
    #expect(stored["age"] == nil)
    #expect(stored["email"] as? String == "ada@x")
    #expect(stored["name"] as? String == "Ada")
    var copy = stored
    copy["id"] = 0
    copy["email"] = nil
    copy["age"] = 1
    #expect(try people.put(copy) == id + 1)
    copy["nam"] = "x"
    #expect(message { try people.put(copy) }.contains("no property 'nam'"))
    #expect(message { try dogs.put(stored) }.contains("object of 'Person' into the box of 'Dog'"))
    #expect(message { _ = try stored.value(of: "name", as: Int.self) }.contains("'Person.name'"))
    #expect(message { let _: Int? = try stored.value(of: "nam") }.contains("no property 'nam'"))
  }

  @Test(
    arguments: [
      (["nam": "x"], "'Person' has no property 'nam'"),
      (["age": "x"], "'Person.age' of type int was given x of type String; give a whole number in"),
      (["age": 2_147_483_648], "'Person.age' of type int was given 2147483648, which is not in"),
      (["age": 1.5], "'Person.age' of type int was given 1.5 of type Double"),
      (["age": true], "'Person.age' of type int was given true of type Bool"),
      (["name": 5], "'Person.name' of type string was given 5 of type Int; give a String"),
      (["born": 5], "give a Date"),
      (["photo": "x"], "Data or [UInt8]"),
      (["boss": "x"], "the ID of an object"),
      (["boss": -1], "not in 0..."),
      (["id": -1], "not in 0..."),
      (["id": 77], "77"),
    ] as [([String: any Sendable], String)]
  )
  func `a wrong name, type or range is refused by name and nothing is stored`(
    values: [String: any Sendable],
    words: String
  ) throws {
    let text = message { try people.put(values) }
    #expect(text.contains(words), "\(text)")
    #expect(try people.count() == 0)
  }

  @Test func `a date that is not a number is refused, wherever it is given`() throws {
    let date = Date(timeIntervalSince1970: .nan)
    #expect(message { try people.put(["born": date]) }.contains("not a number"))
    #expect(message { try people.put(["age": date]) }.contains("of type Date"))
    #expect(message { try things.put(["must": 1, "dates": [date]]) }.contains("not a number"))
    #expect(message { _ = try people.query { $0["born"] < date }.build() }.contains("not a number"))
    #expect(try people.count() == 0)
  }

  @Test(
    arguments: [
      (["ubyte": -1], "0...255"), (["ubyte": 256], "0...255"), (["byte": 128], "-128...127"),
      (["ulong": -1], "0...18446744073709551615"), (["long": UInt64.max], "9223372036854775807"),
      (["bool": 1], "give a Bool"), (["float": 1e300], "not in"),
      (["double": UInt64.max - 1], "exactly"), (["ints": [2_147_483_648]], "2147483648"),
      (["ints": ["x"]], "whole number"), (["strings": [1]], "[String]"), (["floats": 1], "[Float]"),
      (["uuid": "x"], "a UUID, Data or [UInt8]"), (["must": nil], "must not be null"),
    ] as [([String: (any Sendable)?], String)]
  )
  func `numbers beyond the range of a property, and null that the model forbids, are refused`(
    values: [String: (any Sendable)?],
    words: String
  ) throws {
    let text = message { try things.put(values.merging(["must": 1]) { given, _ in given }) }
    #expect(text.contains(words), "\(text)")
    #expect(try things.count() == 0)
  }

  // MARK: Rules of the model

  @Test func `unique values are enforced, alone, together and without regard to case`() throws {
    let ada = try people.put(["name": "Ada", "email": "a@x", "age": 1, "city": "Köln"])
    #expect(message { try people.put(["email": "a@x"]) }.contains("'Person.email'"))
    #expect(message { try people.put(["city": "KÖLN"]) }.contains("'Person.city'"))
    #expect(message { try people.put(["name": "Ada", "age": 1]) }.contains("'Person.name, age'"))
    let other = try people.put(["name": "Ada", "age": 2])
    #expect(message { try people.put(["id": other, "age": 1]) }.contains("ID \(ada)"))
    #expect(try people.count() == 2)
  }

  @Test func `an assignable ID makes a new object, and modes hold`() throws {
    #expect(try dogs.put(["id": 50, "name": "Rex"]) == 50)
    #expect(try dogs.put(["name": "Bello"]) == 51)
    #expect(message { try dogs.put(["id": 50], mode: .insert) }.contains("already"))
    #expect(message { try dogs.put(["id": 52], mode: .update) }.contains("no object"))
    #expect(message { try dogs.put(["name": "x"], mode: .update) }.contains("never stored"))
  }

  @Test func `several objects are stored together or not at all`() throws {
    #expect(try people.put([["age": 1], ["age": 2]]) == [1, 2])
    #expect(message { try people.put([["email": "b"], ["email": "b"]]) }.contains("email"))
    #expect(try people.count() == 2)
    var both = try people.all()
    both[0]["age"] = 3
    both[1]["age"] = 4
    #expect(try people.put(both) == [1, 2])
    #expect(try people.query().ordered(by: "age", flags: .descending).build().findIds() == [2, 1])
  }

  // MARK: Relations

  @Test func `relations are read and written by IDs, from both ends`() throws {
    let rex = try dogs.put(["name": "Rex"])
    let bello = try dogs.put(["name": "Bello"])
    let ada = try people.put(["name": "Ada"])
    let bob = try people.put(["name": "Bob", "boss": ada])
    let person = try #require(try people.get(ada))
    try person.add([rex, bello], to: "dogs")
    try people.add([bello], to: "dogs", of: bob)
    #expect(try person.targets("dogs") == [rex, bello])
    try person.remove([rex], from: "dogs")
    #expect(try person.targets("dogs") == [bello])
    let dog = try #require(try dogs.get(bello))
    #expect(try dog.sources("Person", "dogs") == [ada, bob])
    #expect(try person.sources("Person", "boss") == [bob])
    #expect(try #require(try people.get(bob)).targets("boss") == [ada])
    #expect(
      try people.query { $0["dogs"].link { $0["name"] == "Bello" } }.build().findIds() == [1, 2]
    )
    #expect(try people.query { $0["boss"].link { $0["name"] == "Ada" } }.build().findIds() == [bob])
    // The rule of 'dogs' is cascade.
    #expect(try people.remove(bob))
    #expect(try dogs.all().map(\.id) == [rex])
  }

  @Test func `a relation that is not there, or leads to no object, is an error`() throws {
    let ada = try people.put(["name": "Ada"])
    #expect(
      message { _ = try people.targets("cats", of: ada) }.contains(
        "no relation 'cats'; it has 'boss', 'dogs'"
      )
    )
    #expect(message { try people.add([9], to: "dogs", of: ada) }.contains("'Dog' with ID 9"))
    #expect(message { try people.add([], to: "dogs", of: 9) }.contains("'Person' with ID 9"))
    #expect(message { try people.add([ada], to: "boss", of: ada) }.contains("to-one"))
    #expect(message { _ = try dogs.sources("Person", "boss", of: 1) }.contains("leads to 'Person'"))
    #expect(try people.targets("dogs", of: ada) == [])
  }

  // MARK: Queries

  private func putPeople(_ date: Date = Date(timeIntervalSince1970: 1_000)) throws {
    try people.put([
      ["name": "Ada", "email": "ada@x", "age": 36, "born": date],
      ["name": "Bob", "email": "bob@x", "age": 20, "born": date.addingTimeInterval(10)],
      ["name": "Cleo", "email": "cleo@x", "age": 55],
    ])
  }

  @Test func `conditions find objects by names`() throws {
    let date = Date(timeIntervalSince1970: 1_000)
    try putPeople(date)
    func find(_ condition: (DynamicProperties) -> DynamicCondition) throws -> [Id] {
      try people.query(condition).build().findIds()
    }
    #expect(
      try find { $0["email"].startsWith("a") && $0["born"] < date.addingTimeInterval(1) } == [1]
    )
    #expect(try find { $0["age"] >= 36 || $0["name"] == "Bob" } == [1, 2, 3])
    #expect(try find { $0["name"].isEqual(to: "ADA", caseSensitive: false) } == [1])
    #expect(try find { $0["age"].isIn([20, 55]) } == [2, 3])
    #expect(try find { $0["age"].isNotIn([20, 55]) } == [1])
    #expect(try find { $0["age"].isBetween(40, and: 30) } == [1])
    #expect(try find { $0["born"] != nil } == [1, 2])
    #expect(try find { $0["name"].contains("o") && $0["name"] != "Bob" } == [3])
    #expect(try find { $0["name"].endsWith("b") } == [2])
    #expect(try find { $0["id"].isIn([1, 3]) } == [1, 3])
  }

  @Test func `queries by names give ordered results, and use the indexes`() throws {
    try putPeople()
    let query = try people.query { $0["age"] > 30 }.ordered(by: "name", flags: .descending).build()
    #expect(try query.find().map { $0["name"] as? String } == ["Cleo", "Ada"])
    #expect(try query.findFirst()?.id == 3)
    #expect(try query.find(offset: 1, limit: 1).map(\.id) == [1])
    #expect(message { _ = try query.find(offset: -1) }.contains("offset: -1 is negative"))
    #expect(message { _ = try query.findIds(limit: -2) }.contains("limit: -2 is negative"))
    #expect(message { _ = try query.explain(limit: -1) }.contains("limit: -1 is negative"))
    let byID = try people.query().build()
    #expect(message { _ = try byID.find(after: 1, limit: -1) }.contains("limit: -1 is negative"))
    #expect(try query.count() == 2)
    #expect(message { _ = try query.findUnique() }.contains("more than one 'Person'"))
    #expect(try query.explain().contains("index on 'age' (value), range: age > 30"))
    #expect("\(query)".contains("age > 30"))
    #expect(
      try people.query { $0["email"] == "bob@x" }.build().explain().contains(
        "index on 'email' (hash)"
      )
    )
    #expect(try query.remove() == 2)
    #expect(try people.all().map(\.id) == [2])
    #expect(try people.removeAll() == 1)
  }

  @Test func `results are removed in batches, though not inside of a transaction`() throws {
    for age in 0..<30 { try people.put(["name": "\(age)", "age": age]) }
    let query = try people.query { $0["age"] >= 10 }.build()
    #expect(message { _ = try query.remove(inBatchesOf: 0) }.contains("at least one object"))
    #expect(throws: ObjectBoxError.self) {
      try test.store.runInTransaction { try query.remove(inBatchesOf: 5) }
    }
    #expect(try people.count() == 30)
    let commits = try test.store.statistics.commits
    #expect(try query.remove(inBatchesOf: 8) == 20)
    #expect(try test.store.statistics.commits == commits + 3)
    #expect(try people.all().map { $0["age"] as? Int } == (0..<10).map { $0 })
    #expect(try query.remove(inBatchesOf: 8) == 0)
  }

  @Test func `a query with a wrong name, type or comparison is refused by build`() {
    func fault(_ condition: (DynamicProperties) -> DynamicCondition) -> String {
      message { _ = try people.query(condition).build() }
    }
    #expect(fault { $0["nam"] == 1 }.contains("no property 'nam'"))
    #expect(fault { $0["age"] == "x" || $0["name"] == "x" }.contains("'Person.age'"))
    #expect(fault { $0["age"] > Int64.max }.contains("not in"))
    #expect(fault { $0["age"].startsWith("3") }.contains("no condition 'starts with'"))
    #expect(fault { $0["photo"].startsWith("x") }.contains("no condition 'starts with'"))
    #expect(fault { $0["cats"].link { $0["name"] == "x" } }.contains("no relation 'cats'"))
    #expect(fault { $0["dogs"].link { $0["nam"] == "x" } }.contains("'Dog' has no property 'nam'"))
    #expect(message { _ = try people.query().ordered(by: "nam").build() }.contains("'nam'"))
    #expect(
      message { _ = try test.store.box(named: "Cat") }.contains("no entity 'Cat'; it has 'Dog'")
    )
  }

  // MARK: Transactions

  @Test func `dynamic boxes join transactions, and a failed one leaves nothing`() throws {
    var seen = 0
    let fault = message {
      try test.store.runInTransaction {
        try people.put(["name": "Ada"])
        seen = try people.count()
        try dogs.put(["nam": "x"])
      }
    }
    #expect(seen == 1 && fault.contains("'nam'"))
    #expect(try people.count() == 0)
    try test.store.write { _ in
      try people.put(["name": "Bob"])
      #expect(try people.query { $0["name"] == "Bob" }.build().count() == 1)
    }
    #expect(try people.count() == 1)
    #expect(
      message { try test.store.runInReadOnlyTransaction { try people.put([:]) } } != "no error"
    )
  }

  @Test func `observers are told of changes by name`() throws {
    let typed = try TemporaryStore()
    let recorder = Recorder<[String]>()
    let box = typed.store.box(for: Person.self)
    let observer = box.subscribe(dispatchQueue: recorder.queue) { people, _ in
      recorder.note(people.map(\.name))
    }
    let people = try typed.store.box(named: "Person")
    let id = try people.put(["name": "Ada"])
    #expect(recorder.values.last == ["Ada"])
    try people.put(["id": id, "name": "Bob"])
    #expect(recorder.values.last == ["Bob"])
    try people.remove(id)
    #expect(recorder.values.last == [])
    observer.unsubscribe()
  }

  @Test func `a closed and a read-only store refuse`() throws {
    let id = try people.put(["name": "Ada"])
    test.store.close()
    #expect(message { _ = try people.get(id) }.contains("closed"))
    let reader = try DynamicStore.open(test.folder, readOnly: true)
    let box = try reader.box(named: "Person")
    #expect(try box.get(id)?["name"] as? String == "Ada")
    #expect(message { try box.put(["name": "Bob"]) } != "no error")
  }

  @Test func `a store of generated code gives boxes by name beside its own`() throws {
    let typed = try TemporaryStore()
    let people = try typed.store.box(named: "Person")
    let id = try people.put(["name": "Ada", "email": "a@x", "age": 36])
    let box = typed.store.box(for: Person.self)
    #expect(try box.get(id)?.name == "Ada")
    let bob = try box.put(Person("Bob", email: "b@x", age: 20))
    #expect(try people.get(bob)?["email"] as? String == "b@x")
    #expect(
      try people.query { $0["age"] < 30 }.build().explain()
        == box.query { Person.age < 30 }.build().explain()
    )
    #expect(message { try box.put(Person("x", email: "a@x")) }.contains("ID \(id)"))
  }
}
