import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport

/// Conditions that a loop joins, on ten objects.
extension GrowthRow {
  static var conditions: [GrowthRow] {
    [
      joined("conditions joined by ||") { $0 || $1 },
      joined("conditions joined by || at the front") { $1 || $0 },
      joined("conditions joined by &&") { $0 && $1 },
      joined("conditions joined by && at the front") { $1 && $0 },
      GrowthRow("conditions joined by && and || in turns, refused", .linear, size: 500) {
        count,
        measure in
        let store = try Samples.store(10) { _, _ in }
        try measure {
          var condition: QueryCondition<Sample> = Sample.number == 0
          for number in 1..<count {
            let next: QueryCondition<Sample> = Sample.number == Int32(number)
            condition = number % 2 == 0 ? condition && next : condition || next
          }
          try expect((try? store.samples.query { condition }.build()) == nil)
        }
      },
    ]
  }

  private static func joined(
    _ name: String,
    _ join: @escaping (QueryCondition<Sample>, QueryCondition<Sample>) -> QueryCondition<Sample>
  ) -> GrowthRow {
    GrowthRow(name, .linear, size: 500) { count, measure in
      let store = try Samples.store(10) { _, _ in }
      try measure {
        var condition: QueryCondition<Sample> = Sample.size == 1
        for size in 2..<count { condition = join(condition, Sample.size == UInt32(size)) }
        try expect(try store.samples.query { condition }.build().count() == 0)
      }
    }
  }
}
