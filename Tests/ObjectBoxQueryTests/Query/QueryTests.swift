import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

struct QueryTests {
  private let temporary: TemporaryStore
  private let people: Box<Person>

  init() throws {
    temporary = try TemporaryStore()
    people = temporary.store.box(for: Person.self)
    try people.put([
      Person("Jane", email: "jane@example.org", age: 30), Person("john", email: "j", age: -4),
      Person("Ada", age: 30), Person("Îñţérñ", email: "", age: 99), Person("JANE", age: 7),
    ])
  }

  private func ids(_ condition: QueryCondition<Person>) throws -> [UInt64] {
    try people.query { condition }.build().findIds().map(\.value)
  }

  @Test func `comparisons of integers`() throws {
    #expect(try ids(Person.age == 30) == [1, 3])
    #expect(try ids(Person.age != 30) == [2, 4, 5])
    #expect(try ids(Person.age < 30) == [2, 5])
    #expect(try ids(Person.age > 30) == [4])
    #expect(try ids(Person.age <= 30) == [1, 2, 3, 5])
    #expect(try ids(Person.age >= 30) == [1, 3, 4])
    #expect(try ids(Person.age.isBetween(99, and: 7)) == [1, 3, 4, 5])
    #expect(try ids(Person.age ∈ 7..<30) == [5])
    #expect(try ids(Person.age ∈ 7...30) == [1, 3, 5])
    #expect(try ids(Person.age ∈ [-4, 99, 1000]) == [2, 4])
    #expect(try ids(Person.age ∉ [-4, 99]) == [1, 3, 5])
    #expect(try ids(Person.age.isIn([])) == [])
    #expect(try ids(Person.age < Int32.min) == [])
    #expect(try ids(Person.age > Int32.max) == [])
    #expect(try ids(Person.age.isNil()) == [])
    #expect(try ids(Person.age.isNotNil()) == [1, 2, 3, 4, 5])
  }

  @Test func `comparisons of texts go by bytes, or ignore the case of ASCII letters`() throws {
    #expect(try ids(Person.name == "Jane") == [1])
    #expect(try ids(Person.name.isEqual(to: "jane", caseSensitive: false)) == [1, 5])
    #expect(try ids(Person.name != "Jane") == [2, 3, 4, 5])
    #expect(try ids(Person.name < "Jane") == [3, 5])
    #expect(try ids(Person.name > "Jane") == [2, 4])
    #expect(try ids(Person.name.isLessThan("jane", caseSensitive: false)) == [3])
    #expect(try ids(Person.name ∈ ["Ada", "john", "Ada"]) == [2, 3])
    #expect(try ids(Person.name.isIn(["ADA"], caseSensitive: false)) == [3])
    #expect(try ids(Person.name.startsWith("Ja")) == [1])
    #expect(try ids(Person.name.startsWith("ja", caseSensitive: false)) == [1, 5])
    #expect(try ids(Person.name.startsWith("")) == [1, 2, 3, 4, 5])
    #expect(try ids(Person.name.endsWith("ne")) == [1])
    #expect(try ids(Person.name.contains("oh")) == [2])
    #expect(try ids(Person.name.contains("AN", caseSensitive: false)) == [1, 5])
    #expect(try ids(Person.name.isEqual(to: "Îñţérñ", caseSensitive: false)) == [4])
  }

  @Test func `null matches nothing but the test for null`() throws {
    #expect(try ids(Person.email.isNil()) == [3, 5])
    #expect(try ids(Person.email.isNotNil()) == [1, 2, 4])
    #expect(try ids(Person.email == "") == [4])
    #expect(try ids(Person.email != "j") == [1, 4])
    #expect(try ids(Person.email < "zzz") == [1, 2, 4])
    #expect(try ids(Person.email.contains("")) == [1, 2, 4])
  }

  @Test func `and binds stronger than or, and both nest`() throws {
    #expect(try ids(Person.age == 30 && Person.name == "Ada") == [3])
    #expect(try ids(Person.age == 30 || Person.name == "JANE") == [1, 3, 5])
    #expect(try ids(Person.age == 30 && Person.name == "Ada" || Person.age == 99) == [3, 4])
    #expect(try ids((Person.age == 30 || Person.age == 99) && Person.email.isNotNil()) == [1, 4])
    #expect(
      try ids((Person.age < 0 || Person.age > 50) && (Person.email == "j" || Person.email == ""))
        == [
          2, 4,
        ]
    )
  }

  @Test func `offset and limit cut the results`() throws {
    let all = try people.query().build()
    #expect(try all.find(offset: 1, limit: 2).map(\.id) == [2, 3])
    #expect(try all.findIds(offset: 4).map(\.value) == [5])
    #expect(try all.find(offset: 9).isEmpty)
    #expect(try all.count() == 5)
    let ordered = try people.query().ordered(by: Person.age).build()
    #expect(try ordered.find(offset: 1, limit: 3).map(\.age) == [7, 30, 30])
  }

  @Test func `orders sort by several properties, directions and nulls`() throws {
    func order(_ build: (QueryBuilder<Person>) -> QueryBuilder<Person>) throws -> [Id] {
      try build(people.query()).build().find().map(\.id)
    }
    #expect(try order { $0.ordered(by: Person.age) } == [2, 5, 1, 3, 4])
    #expect(try order { $0.ordered(by: Person.age, flags: .descending) } == [4, 1, 3, 5, 2])
    #expect(try order { $0.ordered(by: Person.age, flags: .unsigned) } == [5, 1, 3, 4, 2])
    #expect(try order { $0.ordered(by: Person.name) } == [3, 1, 5, 2, 4])
    #expect(try order { $0.ordered(by: Person.name, flags: .caseSensitive) } == [3, 5, 1, 2, 4])
    #expect(try order { $0.ordered(by: Person.email) } == [3, 5, 4, 2, 1])
    #expect(
      try order { $0.ordered(by: Person.email, flags: [.nullsLast, .descending]) } == [
        1, 2, 4, 3, 5,
      ]
    )
    #expect(
      try order { $0.ordered(by: Person.age).ordered(by: Person.name) } == [2, 5, 3, 1, 4]
    )
  }

  @Test func `orders of strings ignore case in every script`() throws {
    try people.put([Person("ÉZ"), Person("éa"), Person("ЖБ"), Person("жа")])
    let folded = people.query { Person.age == 0 }.ordered(by: Person.name)
    #expect(try folded.build().find().map(\.name) == ["éa", "ÉZ", "жа", "ЖБ"])
    let bytes = people.query { Person.age == 0 }.ordered(by: Person.name, flags: .caseSensitive)
    #expect(try bytes.build().find().map(\.name) == ["ÉZ", "éa", "ЖБ", "жа"])
  }

  @Test func `findUnique refuses several results`() throws {
    #expect(try people.query { Person.name == "nobody" }.build().findUnique() == nil)
    #expect(try people.query { Person.name == "Ada" }.build().findUnique()?.id == 3)
    #expect {
      try people.query { Person.age == 30 }.build().findUnique()
    } throws: { error in
      if case ObjectBoxError.nonUniqueResult = error { true } else { false }
    }
    #expect(try people.query { Person.age == 30 }.build().findFirst()?.id == 1)
  }

  @Test func `a query removes its results and tells how many`() throws {
    #expect(try people.query { Person.age == 30 }.build().remove() == 2)
    #expect(try people.all().map(\.id) == [2, 4, 5])
    #expect(try ids(Person.age == 30) == [])
    #expect(try ids(Person.name == "Ada") == [])
  }

  @Test func `parameters change the first condition on a property, or the one with the alias`()
    throws
  {
    let query = try people.query {
      "low" .= Person.age > 50 && "high" .= Person.age < 100 && "who" .= Person.name.startsWith("Î")
    }.build()
    #expect(try query.count() == 1)
    query.setParameter(Person.age, to: 0)
    query.setParameter("who", to: "")
    #expect(try query.findIds().map(\.value) == [1, 3, 4, 5])
    query.setParameter("high", to: 30)
    #expect(try query.findIds().map(\.value) == [5])
    let between = try people.query { "ages" .= Person.age.isBetween(0, and: 1) }.build()
    between.setParameters("ages", to: 99, 7)
    #expect(try between.count() == 4)
    let some = try people.query { Person.name.isIn(["x"]) }.build()
    some.setParameters(Person.name, to: ["Ada", "john"])
    #expect(try some.count() == 2)
  }

  @Test func `numbers and dates are parameters of one another's conditions on a date`() throws {
    let test = try SampleStore(.all)
    for second in [1.0, 2, 3] {
      let sample = Sample()
      sample.date = Date(timeIntervalSince1970: second)
      try test.samples.put(sample)
    }
    let number = Property<Sample, Int64, Void>(propertyId: 5)
    let narrow = Property<Sample, Int32?, Void>(propertyId: 5)
    let byDate = try test.samples.query { "d" .= Sample.date < Date(timeIntervalSince1970: 2) }
      .build()
    byDate.setParameter(number, to: 3000)
    #expect(try byDate.count() == 2)
    byDate.setParameter(narrow, to: 4000 as Int32)
    #expect(try byDate.count() == 3)
    byDate.setParameter("d", to: 1001)
    #expect(try byDate.count() == 1)
    byDate.setParameter(Sample.date, to: Date(timeIntervalSince1970: 3))
    #expect(try byDate.count() == 2)
    let byNumber = try test.samples.query { number == 2000 }.build()
    byNumber.setParameter(Sample.date, to: Date(timeIntervalSince1970: 3))
    #expect(try byNumber.findIds().map(\.value) == [3])
    let range = try test.samples.query {
      Sample.date.isBetween(Date(timeIntervalSince1970: 0), and: Date(timeIntervalSince1970: 1))
    }.build()
    range.setParameters(number, to: 2000, 3000)
    #expect(try range.count() == 2)
  }

  @Test func `the description tells the number of conditions, the property and the parameter`()
    throws
  {
    let query = try people.query { Person.age > 41 }.build()
    #expect("\(query)".contains("1 condition"))
    #expect("\(query)".contains("age > 41"))
    query.setParameter(Person.age, to: 12)
    #expect("\(query)".contains("age > 12"))
    #expect(!"\(query)".contains("41"))
  }

  @Test func `a condition of another type than its property is refused by build`() throws {
    let wrong = Property<Person, Int32, Void>(propertyId: 2)
    #expect {
      _ = try people.query { wrong == 3 }.build()
    } throws: { error in
      guard case ObjectBoxError.propertyTypeMismatch(let message) = error else { return false }
      return message.contains("'name'")
    }
    let missing = Property<Person, Int32, Void>(propertyId: 77)
    #expect(throws: ObjectBoxError.self) { _ = try people.query { missing == 3 }.build() }
  }

  @Test func `the plan takes an index where there is one, and says so`() throws {
    func plan(_ condition: QueryCondition<Person>) throws -> String {
      try people.query { condition }.build().explain()
    }
    #expect(try plan(Person.name == "Ada").hasPrefix("index on 'name' (hash), 1 key"))
    #expect(try plan(Person.age < 5).hasPrefix("index on 'age' (value), range"))
    #expect(try plan(Person.age < 5 && Person.name == "x").hasPrefix("index on 'name' (hash)"))
    #expect(try plan(Person.age == 5 || Person.name == "x").hasPrefix("union of"))
    #expect(try plan(Person.name.contains("x")).hasPrefix("scan of all objects"))
    #expect(try plan(Person.name.isEqual(to: "x", caseSensitive: false)).hasPrefix("scan"))
    #expect(try plan(Person.age == 5 || Person.name.contains("x")).hasPrefix("scan"))
  }
}
