import Foundation
import ObjectBox
import ObjectBoxGrouping
import ObjectBoxTestSupport
import Testing

struct GroupThreadTests {
  @Test func `groups that several threads have read equal those of a plain model`() throws {
    var random = SplitMix(seed: 77)
    let stored = try SaleStore()
    let all = (0..<210_000).map { _ in
      let sale = GroupModel.sale(&random)
      // The sum of two does not fit into 64 bits.
      sale.large = .max
      return sale
    }
    try stored.sales.put(all)
    let plan = try stored.sales.query { Sale.amount >= 0 }.grouped(by: Sale.note).select(.count)
      .explain()
    if ProcessInfo.processInfo.activeProcessorCount > 1 {
      #expect(plan.contains("by several threads"))
    }
    let means = try stored.sales.query().grouped(by: Sale.kind).select(.average(Sale.large)).find()
    let expected = [Double](repeating: Double(UInt64.max), count: 7)
    #expect(means.map(\.values) == expected)
    for least in [-1000, 500] { try GroupModel.check(stored.sales, all, least: least) }
  }
}
