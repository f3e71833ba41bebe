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
