import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Conditions that loops join, as many and as deep as users may write.
struct JoinedConditionTests {
  private typealias Join = (QueryCondition<Sample>, QueryCondition<Sample>) ->
    QueryCondition<Sample>

  private let world: SampleStore

  init() throws {
    world = try SampleStore(SampleStore.Indexes(size: [.indexed]))
    try world.samples.put(
      (0..<300).map { place in
        let sample = Sample()
        sample.number = Int32(place)
        sample.size = UInt32(place)
        return sample
      }
    )
  }

  private func ids(_ condition: QueryCondition<Sample>) throws -> [Id] {
    try world.samples.query { condition }.build().findIds().map(\.value)
  }

  /// Returns a condition of `depth` alternating operators, which exactly the samples above `depth`
  /// and those with odd numbers up to it meet.
  private func alternating(_ depth: Int) -> QueryCondition<Sample> {
    var condition: QueryCondition<Sample> = Sample.number >= 0
    for place in 1...depth {
      condition =
        place.isMultiple(of: 2)
        ? condition && Sample.number != Int32(place) : condition || Sample.number == Int32(place)
    }
    return condition
  }

  @Test func `200,000 conditions that a loop joins are released, on a small stack too`() throws {
    try onSmallStack {
      for join in [{ $0 || $1 }, { $1 || $0 }, { $0 && $1 }, { $1 && $0 }] as [Join] {
        var condition: QueryCondition<Sample> = Sample.number == 1
        for number in 2...200_000 { condition = join(condition, Sample.number == Int32(number)) }
      }
    }
  }

  @Test func `a condition of many parts finds what its parts find`() throws {
    var some: QueryCondition<Sample> = Sample.number == 0
    var others: QueryCondition<Sample> = Sample.number != 0
    for number in stride(from: Int32(3), to: 9000, by: 3) {
      some = Sample.number == number || some
      others = others && Sample.number != number
    }
    let thirds = (0..<300).filter { $0.isMultiple(of: 3) }.map { Id($0 + 1) }
    #expect(try ids(some) == thirds)
    #expect(try ids(others) == (1...300).filter { !thirds.contains($0) })
  }

  @Test func `conditions keep their order, and are lists of each operator`() throws {
    func part(_ number: Int32) -> QueryCondition<Sample> { Sample.number == number }
    func title(_ condition: QueryCondition<Sample>) throws -> String {
      let query = try world.samples.query { condition }.build()
      return query.debugDescription.replacing("number == ", with: "")
    }
    let pair = part(2) && part(3)
    #expect(
      try title((part(1) && pair) && (part(4) && part(5))).contains(
        ": (1 AND 2 AND 3 AND 4 AND 5)\""
      )
    )
    #expect(
      try title(part(1) || pair || (pair || part(6))).contains(
        ": (1 OR (2 AND 3) OR (2 AND 3) OR 6)\""
      )
    )
    #expect(try title(pair && (part(4) || pair)).contains(": (2 AND 3 AND (4 OR (2 AND 3)))\""))
    // A part that several conditions share remains as it was.
    #expect(try title(pair).contains(": (2 AND 3)\""))
  }

  @Test func `the deepest condition runs on a small stack`() throws {
    try onSmallStack {
      let query = try world.samples.query { alternating(100) }.build()
      let expected = (0..<300).filter { $0 == 0 || $0 > 100 || !$0.isMultiple(of: 2) }
      #expect(try query.findIds().map(\.value) == expected.map { Id($0 + 1) })
      #expect(try query.count() == expected.count)
      #expect(query.debugDescription.contains("number != 100"))
      #expect(try query.explain().contains("scan"))
      #expect(try query.find(after: nil, limit: 5).objects.count == 5)
      #expect(try query.property(Sample.size).max() == 299)
      #expect(try query.remove() == UInt64(expected.count))
    }
  }

  @Test(arguments: [101, 102, 4000, 100_000])
  func `a deeper condition is refused`(_ depth: Int) throws {
    try onSmallStack {
      let condition = alternating(depth)
      for other in [condition, condition && Sample.size > 1, Sample.size > 1 || condition] {
        #expect {
          try world.samples.query { other }.build()
        } throws: { error in
          "\(error)".contains("more than 100 '&&' and '||' in each other")
        }
      }
    }
  }

  /// Returns links in each other that lead from samples to their keepers and back.
  private func linked(_ depth: Int) -> QueryCondition<Sample> {
    var samples: QueryCondition<Sample> = Sample.size >= 0
    for _ in 0..<depth / 2 {
      let inner = samples
      let keepers: QueryCondition<Keeper> = Keeper.samples.link { inner }
      samples = Sample.keeper.link { keepers }
    }
    return samples
  }

  @Test func `the deepest links run on a small stack`() throws {
    let keeper = Keeper(rank: 1)
    try world.keepers.put(keeper)
    let sample = try #require(try world.samples.get(UInt64(7)))
    sample.keeper.target = keeper
    try world.samples.put(sample)
    try onSmallStack {
      let query = try world.samples.query { linked(24) }.build()
      #expect(try query.findIds().map(\.value) == [7])
      #expect(query.debugDescription.contains("Keeper"))
      #expect(try query.explain().contains("link"))
    }
  }

  @Test(arguments: [26, 10_000])
  func `deeper links are refused`(_ depth: Int) throws {
    try onSmallStack {
      #expect {
        try world.samples.query { linked(depth) }.build()
      } throws: { error in
        "\(error)".contains("more than 100 '&&' and '||' in each other")
      }
    }
  }
}
