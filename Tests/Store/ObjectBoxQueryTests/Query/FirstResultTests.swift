import Dispatch
import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Compares `findFirst` with an equality, which an index answers without a plan, with a search.
struct FirstResultTests {
  private static let indexes: [SampleStore.Indexes] = [
    SampleStore.Indexes(),
    .all,
    SampleStore.Indexes(
      number: [.indexed, .indexPartialSkipZero],
      text: [.indexed, .indexHash],
      key: [.indexed, .indexPartialSkipNull]
    ),
    SampleStore.Indexes(text: [.indexed, .indexHash64]),
  ]

  /// Puts each text twice, so that texts with a common key come in both orders.
  ///
  /// Other values take turns.
  private func world(_ indexes: SampleStore.Indexes) throws -> SampleStore {
    let world = try SampleStore(indexes)
    let texts = [nil] + RandomSamples.texts.reversed() + RandomSamples.texts
    func pick<T>(_ values: [T], _ place: Int) -> T { values[place % values.count] }
    try world.samples.put(
      texts.enumerated().map { place, text in
        let sample = Sample()
        sample.text = text
        sample.number = place % 4 == 0 ? nil : pick(RandomSamples.numbers, place)
        sample.size = pick(RandomSamples.sizes, place)
        sample.date = pick(RandomSamples.dates, place)
        sample.key = pick(RandomSamples.keys, place)
        return sample
      }
    )
    return world
  }

  private func check(_ query: Query<Sample>) throws {
    #expect(try query.findFirst()?.id == query.findIds().first?.value)
  }

  @Test(arguments: indexes)
  func `the first object with a text is that of a search`(
    _ indexes: SampleStore.Indexes
  ) throws {
    let samples = try world(indexes).samples
    let exact = try samples.query { Sample.text == "" }.build()
    let folded = try samples.query { Sample.text.isEqual(to: "", caseSensitive: false) }.build()
    for text in RandomSamples.texts + ["missing"] {
      exact.setParameter(Sample.text, to: text)
      try check(exact)
      #expect(try (exact.findFirst() == nil) == (text == "missing"))
      folded.setParameter(Sample.text, to: text)
      try check(folded)
    }
  }

  @Test(arguments: indexes)
  func `the first object with a number is that of a search`(
    _ indexes: SampleStore.Indexes
  ) throws {
    let samples = try world(indexes).samples
    let byNumber = try samples.query { Sample.number == 4 }.build()
    try check(byNumber)
    // The last two exceed the property's width, and share their low bits with other numbers.
    let numbers: [Int64] = RandomSamples.numbers.map { Int64($0) } + [1 << 32, 1 << 32 + 1]
    for number in numbers {
      byNumber.setParameter(Sample.number, to: number)
      try check(byNumber)
    }
    let bySize = try samples.query { Sample.size == 4 }.build()
    try check(bySize)
    for size in RandomSamples.sizes {
      bySize.setParameter(Sample.size, to: size)
      try check(bySize)
      #expect(try bySize.findFirst() != nil)
    }
  }

  @Test(arguments: indexes)
  func `the first object with a date or key is that of a search`(
    _ indexes: SampleStore.Indexes
  ) throws {
    let samples = try world(indexes).samples
    let byDate = try samples.query { Sample.date == Date() }.build()
    try check(byDate)
    for date in RandomSamples.dates {
      byDate.setParameter(Sample.date, to: date)
      try check(byDate)
      #expect(try byDate.findFirst() != nil)
    }
    let byKey = try samples.query { Sample.key == UUID() }.build()
    try check(byKey)
    for key in RandomSamples.keys {
      byKey.setParameter(Sample.key, to: key)
      try check(byKey)
      #expect(try byKey.findFirst() != nil)
    }
  }

  @Test(arguments: [[.indexed], [.indexed, .indexHash64]] as [[PropertyFlags]])
  func `a search by a unique value finds its only object`(_ flags: [PropertyFlags]) throws {
    let samples = try SampleStore(SampleStore.Indexes(text: flags + [.unique])).samples
    let query = try samples.query { Sample.text == "" }.build()
    for text in RandomSamples.texts {
      let sample = Sample()
      sample.text = text
      query.setParameter(Sample.text, to: text)
      #expect(try query.findUnique() == nil)
      let id = try samples.put(sample)
      #expect(try query.findUnique()?.id == id)
      #expect(try query.find(limit: 1).map(\.id) == [id])
      #expect(throws: ObjectBoxError.self) { try query.find(offset: -1, limit: 1) }
      #expect(try query.find(offset: 1).isEmpty)
    }
    #expect(try query.remove() == 1)
    #expect(try query.findContiguous().isEmpty)
  }

  @Test func `an order decides which object with a value is first`() throws {
    let samples = try world(.all).samples
    let query = try samples.query { Sample.text == "abc" }
      .ordered(by: Sample.id, flags: .descending).build()
    try check(query)
    #expect(try query.findFirst()?.id == query.findIds().map(\.value).max())
  }

  @Test func `the first object is that of the open transaction`() throws {
    let world = try world(.all)
    let query = try world.samples.query { Sample.text == "new" }.build()
    try world.store.runInTransaction {
      #expect(try query.findFirst() == nil)
      let sample = Sample()
      sample.text = "new"
      let id = try world.samples.put(sample)
      #expect(try query.findFirst()?.id == id)
      sample.text = "other"
      try world.samples.put(sample)
      #expect(try query.findFirst() == nil)
    }
  }

  @Test func `a parameter that is set after a subscription finds other objects first`() throws {
    let world = try world(.all)
    let query = try world.samples.query { Sample.text == "a" }.build()
    let before = try query.findFirst()
    let queue = DispatchQueue(label: "subscription")
    let subscription = query.subscribe(dispatchQueue: queue, flags: []) { (_: [Sample], _) in }
    query.setParameter(Sample.text, to: "b")
    try check(query)
    #expect(try query.findFirst()?.id != before?.id)
    #expect(query.debugDescription.contains("\"b\""))
    subscription.unsubscribe()
  }

  private static let uniqueIndexes: [PersonIndexes] = [
    PersonIndexes(email: [.unique, .indexed]),
    PersonIndexes(email: [.unique, .indexHash, .indexed]),
    PersonIndexes(email: [.unique, .indexHash64, .indexed]),
    PersonIndexes(email: [.unique, .indexed], collation: .nocase),
    PersonIndexes(email: [.unique, .indexHash, .indexed], collation: .nocase),
    .none,
  ]

  @Test(arguments: uniqueIndexes.indices)
  func `an equality finds the same objects with and without a unique index`(_ index: Int) throws {
    let indexes = Self.uniqueIndexes[index]
    let opened = try TemporaryStore(indexes: indexes)
    let people = opened.store.box(for: Person.self)
    // Lower case is folded case for these texts.
    let texts = ["a", "b", "é", "ab", ""] + (indexes.collation == .nocase ? [] : ["A", "É", "AB"])
    try people.put(texts.map { Person("p", email: $0) } + [Person("p")])
    for text in ["a", "A", "b", "B", "é", "É", "ab", "aB", "", "missing"] {
      for caseSensitive in [true, false] {
        let expected = texts.filter { other in
          caseSensitive ? other == text : other.lowercased() == text.lowercased()
        }
        let query = try people.query {
          Person.email.isEqual(to: text, caseSensitive: caseSensitive)
        }
        .build()
        #expect(try query.find().compactMap(\.email).sorted() == expected.sorted())
        #expect(try query.findContiguous(limit: 1).count == min(1, expected.count))
        #expect(try query.count() == expected.count)
        #expect(try query.findIds().count == expected.count)
        if expected.count > 1 {
          #expect(throws: ObjectBoxError.self) { try query.findUnique() }
        } else {
          #expect(try query.findUnique()?.email == expected.first)
        }
      }
    }
  }
}
