import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// The planner's choices.
///
/// Random queries elsewhere test that all plans give the same answers.
struct QueryPlannerTests {
  private let world: SampleStore
  private var samples: Box<Sample> { world.samples }

  /// 2000 samples: numbers repeat 0...19, sizes repeat 0...24, and each tenth has no number.
  init() throws {
    world = try SampleStore(.all)
    try world.samples.put(
      (0..<2000).map { place in
        let sample = Sample()
        sample.number = place % 10 == 9 ? nil : Int32(place % 20)
        sample.size = UInt32(place % 25)
        sample.text = "\(place)"
        sample.date = Date(timeIntervalSince1970: Double(place))
        return sample
      }
    )
  }

  private func plan(_ builder: QueryBuilder<Sample>, limit: Int = 0) throws -> String {
    try builder.build().explain(limit: limit)
  }

  // MARK: Intersection

  @Test func `two indexes are joined when that saves records from being read`() throws {
    let query = try samples.query { Sample.number == 3 && Sample.size == 3 }.build()
    let plan = try query.explain()
    #expect(plan.hasPrefix("intersection of [index on "))
    #expect(plan.contains("about 4 of 2000 objects"))
    #expect(!plan.contains("filter:"))
    #expect(try query.count() == 20)
    let ids = Array(stride(from: UInt64(4), to: 2000, by: 100))
    #expect(try query.findIds().map(\.value) == ids)
  }

  @Test func `a second index that saves little is not read`() throws {
    let query = try samples.query { Sample.number == 3 && Sample.size < 20 }.build()
    #expect(try query.explain().hasPrefix("index on 'number' (value), 1 key"))
    let unique = try samples.query { Sample.text == "77" && Sample.number == 17 }.build()
    #expect(try unique.explain().hasPrefix("index on 'text' (value), 1 key"))
    #expect(try unique.count() == 1)
  }

  @Test func `indexes that lead to most objects give way to a scan`() throws {
    #expect(try plan(samples.query { Sample.size > 2 }).hasPrefix("scan of all objects"))
    #expect(
      try plan(samples.query { Sample.size < 2 || Sample.number > 1 }).hasPrefix("scan of all")
    )
  }

  @Test func `exact unions are counted without a filter`() throws {
    let query = try samples.query { Sample.number == 3 || Sample.size == 3 }.build()
    #expect(try query.explain().hasPrefix("union of [index on 'number'"))
    #expect(try !query.explain().contains("filter:"))
    #expect(try query.count() == 160)
    let date = Date(timeIntervalSince1970: 5)
    let nested = try samples.query {
      Sample.date == date || Sample.number == 3 && Sample.size == 3
    }.build()
    #expect(try nested.explain().hasPrefix("union of [index on 'date'"))
    #expect(try nested.count() == 21)
  }

  @Test func `many keys of an index are estimated from some of them`() throws {
    let dates = (0..<200).map { Date(timeIntervalSince1970: Double($0)) }
    let query = try samples.query { Sample.date ∈ dates }.build()
    #expect(try query.explain().contains("200 keys"))
    #expect(try query.explain().contains("about 200 of 2000 objects"))
    #expect(try query.count() == 200)
  }

  @Test func `an index without zeros does not answer what zero matches`() throws {
    var indexes = SampleStore.Indexes()
    indexes.number = [.indexed, .indexPartialSkipZero]
    let world = try SampleStore(indexes)
    let zero = Sample()
    zero.number = 0
    let one = Sample()
    one.number = 1
    try world.samples.put([zero, one])
    #expect(try world.samples.query { Sample.number < 1 }.build().findIds().map(\.value) == [1])
    #expect(try world.samples.query { Sample.number >= 0 }.build().count() == 2)
    let positive = try world.samples.query { Sample.number > 0 }.build()
    #expect(try positive.explain().hasPrefix("index on 'number'"))
    #expect(try positive.findIds().map(\.value) == [2])
  }

  // MARK: Orders by ID, and limited ones

  @Test func `an order by ID reads in it, either way`() throws {
    let up = try samples.query().ordered(by: Sample.id).build()
    #expect(try up.explain().contains("order: id; in the order of IDs"))
    #expect(try up.findIds(offset: 2, limit: 2).map(\.value) == [3, 4])
    let down = try samples.query().ordered(by: Sample.id, flags: .descending)
      .ordered(by: Sample.text).build()
    #expect(try down.explain().contains("id descending, text; in the order of IDs, backwards"))
    #expect(try down.findIds().map(\.value) == (1...2000).reversed().map(UInt64.init))
    #expect(try down.find(offset: 1, limit: 2).map(\.id) == [1999, 1998])
    #expect(try down.findFirst()?.id == 2000)
    let some = try samples.query { Sample.number == 3 }
      .ordered(by: Sample.id, flags: .descending).build()
    #expect(try some.explain().hasPrefix("index on 'number'"))
    #expect(try some.findIds(offset: 1, limit: 2).map(\.value) == [1964, 1944])
  }

  @Test func `a negative offset or limit is an error in every form of a query`() throws {
    let sorted = try samples.query().ordered(by: Sample.text).build()
    for query in [
      try samples.query().build(), sorted, try samples.query { Sample.id == 3 }.build(),
    ] {
      let calls: [(String, () throws -> Void)] = [
        ("offset: -1", { _ = try query.find(offset: -1) }),
        ("limit: -2", { _ = try query.find(limit: -2) }),
        ("offset: -1", { _ = try query.findContiguous(offset: -1, limit: 1) }),
        ("offset: -1", { _ = try query.findIds(offset: -1) }),
        ("limit: -1", { _ = try query.findIds(limit: -1) }),
        ("limit: -1", { _ = try query.count(limit: -1) }),
        ("limit: -1", { _ = try query.explain(limit: -1) }),
        ("limit: -1", { _ = try query.find(after: nil, limit: -1) }),
        ("limit: -1", { _ = try samples.count(limit: -1) }),
      ]
      for (words, call) in calls {
        let error = #expect(throws: ObjectBoxError.self) { try call() }
        #expect(error?.message.hasPrefix(words + " is negative; use 0") == true)
      }
    }
  }

  @Test func `an order by ID behind another one decides between equal results`() throws {
    let query = try samples.query { Sample.number == 3 }.ordered(by: Sample.size)
      .ordered(by: Sample.id, flags: .descending).build()
    #expect(try query.findIds(limit: 3).map(\.value) == [1904, 1804, 1704])
    let walk = samples.query().ordered(by: Sample.date).ordered(by: Sample.id)
    #expect(try plan(walk).contains("walk of the index on 'date'"))
  }

  @Test func `an order with a limit keeps the first ones only`() throws {
    let query = try samples.query().ordered(by: Sample.text, flags: .descending).build()
    #expect(try query.explain(limit: 3).contains("order: text descending; the first 3 kept"))
    #expect(try query.explain().contains("order: text descending; sorted"))
    let all = try query.findIds()
    #expect(try query.findIds(limit: 3) == Array(all.prefix(3)))
    #expect(try query.findIds(offset: 7, limit: 5) == Array(all[7..<12]))
    #expect(try query.findIds(offset: 1990, limit: 50) == Array(all[1990...]))
    #expect(try query.findIds(offset: 1, limit: .max) == Array(all[1...]))
    #expect(try query.findIds(offset: .max, limit: .max).isEmpty)
    let equal = try samples.query().ordered(by: Sample.words).ordered(by: Sample.weight).build()
    #expect(try equal.findIds(offset: 1, limit: 3).map(\.value) == [2, 3, 4])
  }

  // MARK: Walks

  @Test func `an order by an indexed property without a condition walks the index`() throws {
    let query = try samples.query().ordered(by: Sample.date, flags: .descending).build()
    #expect(try query.explain().contains("order: date descending; walk of the index on 'date'"))
    #expect(try query.findIds().map(\.value) == (1...2000).reversed().map(UInt64.init))
    #expect(try query.findIds(offset: 3, limit: 2).map(\.value) == [1997, 1996])
    #expect(try query.findFirst()?.id == 2000)
    #expect(try query.findIds(offset: 1999, limit: 5).map(\.value) == [1])
    #expect(try query.findIds(offset: 2000, limit: 5).isEmpty)
  }

  @Test func `nulls stand where the order says, in both directions`() throws {
    let nulls = (0..<200).map { UInt64(10 * $0 + 10) }
    for flags: [OrderFlags] in [[], [.descending]] {
      let first = try samples.query().ordered(by: Sample.number, flags: flags).build()
      #expect(try first.explain().contains("walk of the index"))
      #expect(try first.findIds(limit: 200).map(\.value) == nulls)
      let last = try samples.query().ordered(by: Sample.number, flags: flags + [.nullsLast]).build()
      #expect(try last.findIds(offset: 1800).map(\.value) == nulls)
    }
    let zero = try samples.query().ordered(by: Sample.number, flags: .nullsZero).build()
    #expect(try !zero.explain().contains("walk"))
  }

  @Test func `a condition on the property of the order walks its ranges, when there is a limit`()
    throws
  {
    let builder = samples.query { Sample.number > 17 }
      .ordered(by: Sample.number, flags: .descending)
    #expect(try !plan(builder).contains("walk"))
    #expect(try plan(builder, limit: 2).contains("walk of the index on 'number'"))
    #expect(try builder.build().findIds(limit: 2).map(\.value) == [19, 39])
  }

  @Test func `a condition on another property walks when the limit is likely soon reached`() throws
  {
    let common = samples.query { Sample.text.endsWith("5") }.ordered(by: Sample.date)
    #expect(try plan(common, limit: 3).contains("walk of the index on 'date'"))
    #expect(try !plan(common, limit: 500).contains("walk"))
    #expect(try common.build().findIds(limit: 3).map(\.value) == [6, 16, 26])
    let rare = samples.query { Sample.text == "1999" }.ordered(by: Sample.date)
    #expect(try !plan(rare, limit: 3).contains("walk"))
  }

  @Test func `a walk that meets too few results gives up, and the answer is the same`() throws {
    let rare = samples.query { Sample.text.contains("199") }.ordered(by: Sample.date)
    #expect(try plan(rare, limit: 3).contains("walk of the index on 'date'"))
    let last = samples.query { Sample.text.endsWith("1998") }.ordered(by: Sample.date)
    #expect(try last.build().findIds(limit: 3).map(\.value) == [1999])
    #expect(try rare.build().findIds(offset: 1, limit: 2).map(\.value) == [1200, 1991])
  }

  @Test func `orders that the keys do not have are sorted`() throws {
    #expect(try !plan(samples.query().ordered(by: Sample.text)).contains("walk"))
    #expect(
      try plan(samples.query().ordered(by: Sample.text, flags: .caseSensitive)).contains("walk")
    )
    #expect(
      try !plan(samples.query().ordered(by: Sample.number, flags: .unsigned)).contains("walk")
    )
    #expect(try plan(samples.query().ordered(by: Sample.size, flags: .unsigned)).contains("walk"))
    #expect(
      try !plan(samples.query().ordered(by: Sample.size).ordered(by: Sample.date)).contains("walk")
    )
  }

  @Test func `a look-up of few objects is sorted, not walked, however small the box`() throws {
    let world = try SampleStore(.all)
    try world.samples.put((0..<50).map { _ in Sample() })
    let number = Sample()
    number.number = 1
    try world.samples.put(number)
    let query = try world.samples.query { Sample.number == 1 }.ordered(by: Sample.size).build()
    #expect(try !query.explain(limit: 1).contains("walk"))
    #expect(try query.findFirst()?.id == number.id)
  }

  @Test func `an index that leaves objects out is not walked`() throws {
    var indexes = SampleStore.Indexes()
    indexes.number = [.indexed, .indexPartialSkipNull]
    let world = try SampleStore(indexes)
    let some = Sample()
    some.number = 3
    try world.samples.put(some)
    let query = try world.samples.query().ordered(by: Sample.number).build()
    #expect(try query.explain().contains("walk"))
    try world.samples.put(Sample())
    #expect(try !query.explain().contains("walk"))
    #expect(try query.findIds().map(\.value) == [2, 1])
  }

  @Test func `texts that are alike in all of their key are put in order by the records`() throws {
    let long = String(repeating: "x", count: 600)
    for end in ["b", "a", ""] {
      let sample = Sample()
      sample.text = long + end
      try samples.put(sample)
    }
    let query = try samples.query { Sample.text > "w" }
      .ordered(by: Sample.text, flags: .caseSensitive).build()
    #expect(try query.explain(limit: 2).contains("walk of the index on 'text'"))
    #expect(try query.findIds(limit: 2).map(\.value) == [2003, 2002])
    #expect(try query.findIds(offset: 2, limit: 2).map(\.value) == [2001])
  }
}
