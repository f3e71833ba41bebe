import Foundation
import ObjectBox
import ObjectBoxGrouping
import ObjectBoxRuntimeTestSupport

/// Queries, orders, groups and values.
extension GrowthRow {
  static var queries: [GrowthRow] {
    [
      find("find by an index, equal values", .linear, size: 500) {
        $1.number = 7
      } query: {
        $0.query { Sample.number == 7 }
      },
      find("find by a scan", .linear, size: 1000) {
        $1.size = 7
      } query: {
        $0.query { Sample.size == 7 && Sample.weight.isNil() }
      },
      find("find of few among many nulls", .constant, size: 2000) {
        if $0 < 5 { $1.number = 3 }
      } query: {
        $0.query { Sample.number.isNotNil() }
      },
      find("find of few in a range among equal values", .constant, size: 2000) {
        $1.number = $0 < 5 ? 8 : 7
      } query: {
        $0.query { Sample.number > 7 }
      },
      find("texts in a list", .sorting, size: 300) {
        $1.text = "text \($0)"
      } query: { samples in
        let texts = (0..<(try samples.count())).map { "text \(2 * $0)" }
        return samples.query { Sample.text.isIn(texts) }
      },
      find("numbers in a list without an index", .sorting, size: 500) {
        $1.size = UInt32($0)
      } query: {
        samples in
        let sizes = (0..<(try samples.count())).map { UInt32(2 * $0) }
        return samples.query { Sample.size.isIn(sizes) }
      },
      find("contains long repeats, ignoring case", .linear, size: 250, count: 5) { size, sample in
        sample.text = String(repeating: "a", count: size)
      } query: { samples, size in
        let needle = String(repeating: "A", count: size / 2) + "b"
        return samples.query { Sample.text.contains(needle, caseSensitive: false) }
      },
      find("contains long repeats beyond ASCII, ignoring case", .linear, size: 100, count: 5) {
        size,
        sample in
        sample.text = String(repeating: "ä", count: size)
      } query: { samples, size in
        let needle = String(repeating: "Ä", count: size / 2) + "b"
        return samples.query { Sample.text.contains(needle, caseSensitive: false) }
      },
      find("contains long repeats", .linear, size: 2000, count: 20) { size, sample in
        sample.text = String(repeating: "a", count: size)
      } query: { samples, size in
        let half = String(repeating: "a", count: size / 4)
        return samples.query { Sample.text.contains(half + "b" + half) }
      },
    ] + orders + values
  }

  /// A row that finds objects, of which there are as many as its size.
  private static func find(
    _ name: String,
    _ promise: Promise,
    size: Int,
    fill: @escaping (Int, Sample) -> Void,
    query: @escaping (Box<Sample>) throws -> QueryBuilder<Sample>
  ) -> GrowthRow {
    GrowthRow(name, promise, size: size) { count, measure in
      let store = try Samples.store(count) { fill($0, $1) }
      let builder = try query(store.samples)
      try measure { _ = try builder.build().find() }
    }
  }

  /// A row that tests a fixed number of objects, whose texts have the row's size.
  private static func find(
    _ name: String,
    _ promise: Promise,
    size: Int,
    count: Int,
    fill: @escaping (Int, Sample) -> Void,
    query: @escaping (Box<Sample>, Int) throws -> QueryBuilder<Sample>
  ) -> GrowthRow {
    GrowthRow(name, promise, size: size) { size, measure in
      let store = try Samples.store(count) { fill(size, $1) }
      let query = try query(store.samples, size).build()
      try measure { try expect(try query.count() == 0) }
    }
  }

  // MARK: Orders

  private static var orders: [GrowthRow] {
    Samples.Form.allCases.map { form in
      GrowthRow("order without an index, \(form.rawValue) values", .sorting, size: 500) {
        count,
        measure in
        let store = try Samples.store(count) {
          $1.size = UInt32(form.number($0, of: count))
        }
        let query = try store.samples.query().ordered(by: Sample.size).build()
        try measure { _ = try query.findIds() }
      }
    } + [
      GrowthRow("order of texts with long equal beginnings", .sorting, size: 40) {
        count,
        measure in
        let store = try Samples.store(count) { $1.text = Samples.longText(count - $0) }
        let query = try store.samples.query().ordered(by: Sample.text).build()
        try measure { _ = try query.findIds() }
      },
      GrowthRow("first of an order by an index, equal values", .constant, size: 1000) {
        count,
        measure in
        let store = try Samples.store(count) { $1.number = 7 }
        let query = try store.samples.query().ordered(by: Sample.number, flags: .descending).build()
        try measure { try expect(try query.find(offset: 0, limit: 10).count == 10) }
      },
      GrowthRow("first of an order by an index, many nulls", .constant, size: 1000) {
        count,
        measure in
        let store = try Samples.store(count) { $1.number = $0 < 20 ? 7 : nil }
        let query = try store.samples.query()
          .ordered(by: Sample.number, flags: [.descending, .nullsLast]).build()
        try measure { try expect(try query.find(offset: 0, limit: 10).count == 10) }
      },
    ]
  }

  // MARK: Values

  private static var values: [GrowthRow] {
    [
      GrowthRow("count by an index, equal values", .constant, size: 1000) { count, measure in
        let store = try Samples.store(count) { $1.number = $0 % 20 == 0 ? 7 : 8 }
        let query = try store.samples.query { Sample.number == 7 }.build()
        try measure { try expect(try query.count() == count / 20) }
      },
      GrowthRow("least and greatest value by an index, many nulls", .constant, size: 1000) {
        count,
        measure in
        let store = try Samples.store(count) { $1.number = $0 == 9 ? 7 : nil }
        let query = try store.samples.query().build()
        try measure {
          let numbers = query.property(Sample.number)
          try expect(try numbers.min() == 7 && numbers.max() == 7)
        }
      },
      GrowthRow("least and greatest decimal by an index", .constant, size: 500) { count, measure in
        let store = try Samples.store(count, .init(price: [.indexed])) {
          $1.price = Decimal($0 + 1)
        }
        let query = try store.samples.query().build()
        try measure {
          let prices = query.property(Sample.price)
          try expect(try prices.min() == 1 && prices.max() == Decimal(count))
        }
      },
      GrowthRow("least and greatest decimal without an index", .linear, size: 500) {
        count,
        measure in
        let store = try Samples.store(count) { $1.price = Decimal($0 + 1) }
        let query = try store.samples.query().build()
        try measure {
          let prices = query.property(Sample.price)
          try expect(try prices.min() == 1 && prices.max() == Decimal(count))
        }
      },
      GrowthRow("sum of values", .linear, size: 1000) { count, measure in
        let store = try Samples.store(count) { $1.size = 1 }
        let query = try store.samples.query().build()
        try measure { try expect(try query.property(Sample.size).sum() == count) }
      },
      GrowthRow("different values", .linear, size: 500) { count, measure in
        let store = try Samples.store(count) { $1.text = "\($0)" }
        let query = try store.samples.query().build()
        try measure {
          try expect(try query.property(Sample.text).distinct().findStrings().count == count)
        }
      },
      GrowthRow("groups, as many as objects", .sorting, size: 200) { count, measure in
        let store = try Samples.store(count) { $1.size = UInt32(count - $0) }
        let grouped = store.samples.query().grouped(by: Sample.size).select(.count)
        try measure { try expect(try grouped.find().count == count) }
      },
      // Multiples of a Fibonacci number have close products with the golden ratio, the usual factor of hashes.
      GrowthRow("groups of numbers that were chosen for one hash", .sorting, size: 500) {
        count,
        measure in
        let store = try Samples.store(count) { $1.size = UInt32($0) * 514_229 }
        let grouped = store.samples.query().grouped(by: Sample.size).select(.count)
        try measure { try expect(try grouped.find().count == count) }
      },
      GrowthRow("one group of all objects", .linear, size: 500) { count, measure in
        let store = try Samples.store(count) { $1.size = 7 }
        let grouped = store.samples.query().grouped(by: Sample.size).select(.count)
        try measure { try expect(try grouped.find().count == 1) }
      },
      having("conditions on groups joined by &&") { grouped, count in
        var condition: GroupCondition<Sample> = .count > 0
        for number in 1..<count { condition = condition && .count < count + number }
        return grouped.having(condition)
      },
      having("conditions on groups joined by || at the front") { grouped, count in
        var condition: GroupCondition<Sample> = .count > 0
        for number in 1..<count { condition = .count == count + number || condition }
        return grouped.having(condition)
      },
      having("conditions on groups, one after another") { grouped, count in
        (1..<count).reduce(grouped) { $0.having(.count < count + $1) }
      },
    ]
  }

  /// A row that joins conditions on the only group.
  private static func having(
    _ name: String,
    _ join:
      @escaping (GroupedQuery<Sample, UInt32, Int>, _ count: Int) -> GroupedQuery<
        Sample, UInt32, Int
      >
  ) -> GrowthRow {
    GrowthRow(name, .linear, size: 500) { count, measure in
      let store = try Samples.store(10) { $1.size = 7 }
      let grouped = store.samples.query().grouped(by: Sample.size).select(.count)
      try measure { try expect(try join(grouped, count).find().count == 1) }
    }
  }
}
