import Foundation
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

@testable import ObjectBox

/// Least and greatest values, and values among nulls, which an index finds.
struct IndexedExtremeTests {
  private func samples(
    _ indexes: SampleStore.Indexes,
    _ fill: (Int, Sample) -> Void
  ) throws -> SampleStore {
    let world = try SampleStore(indexes)
    try world.samples.put(
      (0..<2000).map { place in
        let sample = Sample()
        fill(place, sample)
        return sample
      }
    )
    return world
  }

  @Test func `few values among nulls are found in their index`() throws {
    let world = try samples(.all) { place, sample in
      guard place % 500 == 7 else { return }
      sample.number = -3
      sample.text = ""
      sample.weight = .nan
      sample.key = UUID()
    }
    let places: [Id] = [8, 508, 1008, 1508]
    func check(_ condition: QueryCondition<Sample>, _ name: String) throws {
      let query = try world.samples.query { condition }.build()
      #expect(try query.explain().contains("index on '\(name)' (value), range"))
      #expect(try query.findIds().map(\.value) == places)
      #expect(try query.count() == 4)
    }
    try check(Sample.number.isNotNil(), "number")
    try check(Sample.text.isNotNil(), "text")
    try check(Sample.weight.isNotNil(), "weight")
    try check(Sample.key.isNotNil(), "key")
    let nulls = try world.samples.query { Sample.text.isNil() }.build()
    #expect(try nulls.count() == 1996)
    #expect(try nulls.findIds().count == 1996)
  }

  @Test func `an index without zeros finds no values among nulls`() throws {
    let indexes = SampleStore.Indexes(number: [.indexed, .indexPartialSkipZero])
    let world = try samples(indexes) { $1.number = $0 < 2 ? Int32($0) : nil }
    #expect(try world.samples.query { Sample.number.isNotNil() }.build().count() == 2)
    #expect(try world.samples.query().build().property(Sample.number).min() == 0)
  }

  private static let fills: [@Sendable (inout SplitMix, Sample) -> Void] = [
    { random, sample in
      sample.number = random.pick([nil, nil, .min, -1, 0, 1, .max])
      sample.size = random.pick([0, 1, 1 << 31, .max])
      sample.weight = random.pick([nil, .nan, -.infinity, -1, -0.0, 0, 1, .infinity])
      sample.price = random.pick([nil, -1.5, -10, 0, 9, 10, .greatestFiniteMagnitude])
    },
    { random, sample in
      sample.number = random.pick([nil, 3])
      sample.weight = random.pick([nil, .nan])
      sample.price = random.pick([nil, 0.1])
    },
    { random, sample in sample.weight = random.pick([.nan, -2.5, 8]) },
    { _, _ in },
  ]

  @Test(arguments: 0..<4, [false, true])
  func `the least and the greatest value are those of all values`(
    _ kind: Int,
    isIndexed: Bool
  ) throws {
    var random = SplitMix(seed: kind)
    var all: [Sample] = []
    let world = try samples(isIndexed ? .all : SampleStore.Indexes()) { _, sample in
      Self.fills[kind](&random, sample)
      all.append(sample)
    }
    let query = try world.samples.query().build()
    let numbers = all.compactMap(\.number)
    let weights = all.compactMap(\.weight).filter { !$0.isNaN }
    #expect(try query.property(Sample.number).max() == numbers.max() ?? 0)
    #expect(try query.property(Sample.number).min() == numbers.min() ?? 0)
    #expect(try query.property(Sample.size).max() == all.map(\.size).max())
    #expect(try query.property(Sample.size).min() == all.map(\.size).min())
    #expect(try query.property(Sample.weight).max() == weights.max() ?? 0)
    #expect(try query.property(Sample.weight).min() == weights.min() ?? 0)
    let prices = all.compactMap(\.price)
    #expect(try query.property(Sample.price).max() == prices.max() ?? 0)
    #expect(try query.property(Sample.price).min() == prices.min() ?? 0)
    let low = try world.samples.query { Sample.price < 10 }.build()
    #expect(try low.property(Sample.price).max() == prices.filter { $0 < 10 }.max() ?? 0)
    let nullAsOne = query.property(Sample.price).with(nullValue: 1)
    #expect(try nullAsOne.max() == all.map { $0.price ?? 1 }.max())
    let positive = try world.samples.query { Sample.number > 0 }.build()
    #expect(try positive.property(Sample.number).max() == numbers.filter { $0 > 0 }.max() ?? 0)
    #expect(try positive.property(Sample.number).min() == numbers.filter { $0 > 0 }.min() ?? 0)
    let nullAsTwo: PropertyQuery<Sample, Double> = query.property(Sample.weight).with(nullValue: 2)
    #expect(try nullAsTwo.min() == all.map { $0.weight ?? 2 }.filter { !$0.isNaN }.min())
    for propertyID in [UInt32(2), 3, 6, 11] {
      let isFound = try query.executing(query.selection.copy) { execution, _ in
        try execution.extreme(of: propertyID, isGreatest: true) != nil
      }
      #expect(isFound == isIndexed)
    }
  }

  @Test func `a query for null has no least value`() throws {
    let world = try samples(.all) { $1.number = $0 % 9 == 0 ? nil : 5 }
    let nulls = try world.samples.query { Sample.number.isNil() }.build()
    #expect(try nulls.property(Sample.number).min() == 0)
    #expect(try nulls.property(Sample.number).max() == 0)
  }
}
