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

  @Test func `orders of strings ignore case in every script`() throws {
    try people.put([Person("ÉZ"), Person("éa"), Person("ЖБ"), Person("жа")])
    let folded = people.query { Person.age == 0 }.ordered(by: Person.name)
    #expect(try folded.build().find().map(\.name) == ["éa", "ÉZ", "жа", "ЖБ"])
    let bytes = people.query { Person.age == 0 }.ordered(by: Person.name, flags: .caseSensitive)
    #expect(try bytes.build().find().map(\.name) == ["ÉZ", "éa", "ЖБ", "жа"])
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

  @Test(
    arguments: [
      [], [.indexed], [.indexHash, .indexed], [.unique, .indexHash, .indexed],
    ] as [[PropertyFlags]]
  )
  func `parameters of another number than a condition has find the same with any index`(
    flags: [PropertyFlags]
  ) throws {
    let hashes = flags.contains(.indexHash)
    let indexed = try TemporaryStore(
      indexes: PersonIndexes(name: flags, email: [], age: hashes ? [] : flags)
    )
    let box = indexed.store.box(for: Person.self)
    for (age, name) in ["", "a", "b", "c"].enumerated() {
      try box.put(Person(name, age: Int32(age)))
    }
    func found(
      _ text: QueryCondition<Person>,
      _ number: QueryCondition<Person>,
      _ ages: [Int32]
    ) throws -> [Int] {
      let names = ages.map { ["", "a", "b", "c"][Int($0)] }
      let (texts, numbers) = (
        try box.query { text }.build(), try box.query { number }.build()
      )
      texts.setParameters(Person.name, to: names)
      numbers.setParameters(Person.age, to: ages)
      let ids = try texts.findIds().map { Int($0.value) - 1 }
      #expect(try numbers.findIds().map { Int($0.value) - 1 } == ids, "\(texts) \(numbers)")
      #expect(try texts.findFirst().map { Int($0.age) } == ids.first)
      return ids
    }
    let equal = (Person.name == "x", Person.age == 9)
    #expect(try found(equal.0, equal.1, []) == [])
    #expect(try found(equal.0, equal.1, [0]) == [0])
    #expect(try found(equal.0, equal.1, [2, 3]) == [2])
    let unequal = (Person.name != "x", Person.age != 9)
    #expect(try found(unequal.0, unequal.1, []) == [0, 1, 2, 3])
    #expect(try found(unequal.0, unequal.1, [0, 1]) == [1, 2, 3])
    let between = (Person.name.isBetween("x", and: "y"), Person.age.isBetween(8, and: 9))
    #expect(try found(between.0, between.1, [2]) == [2])
    #expect(try found(between.0, between.1, [3, 1]) == [1, 2, 3])
    let lists = (Person.name ∈ ["x"], Person.age ∈ [9])
    #expect(try found(lists.0, lists.1, []) == [])
    #expect(try found(lists.0, lists.1, [3, 1, 1]) == [1, 3])
  }

  @Test func `parameters of no number equal nothing, also of floating point`() throws {
    let test = try SampleStore(.all)
    for weight in [nil, -1, 0, .nan] as [Double?] {
      let sample = Sample()
      sample.weight = weight
      try test.samples.put(sample)
    }
    let equal = try test.samples.query { Sample.weight.isEqual(to: 7) }.build()
    equal.setParameters(Sample.weight, to: [] as [Double])
    #expect(try equal.findIds() == [])
    let unequal = try test.samples.query { Sample.weight.isNotEqual(to: 7) }.build()
    unequal.setParameters(Sample.weight, to: [] as [Double])
    #expect(try unequal.findIds().map(\.value) == [2, 3])
    let listed = try test.samples.query { Sample.weight.isNotIn([7]) }.build()
    listed.setParameters(Sample.weight, to: [] as [Double])
    #expect(try listed.findIds().map(\.value) == [2, 3])
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
