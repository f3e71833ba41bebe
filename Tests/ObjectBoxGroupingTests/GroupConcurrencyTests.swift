import Foundation
import ObjectBox
import ObjectBoxGrouping
import ObjectBoxTestSupport
import Testing

struct GroupConcurrencyTests {
  @Test func `groups that several threads have read equal those of a plain model`() throws {
    var random = SplitMix(seed: 77)
    let stored = try SaleStore()
    let all = (0..<210_000).map { _ in GroupModel.sale(&random) }
    try stored.sales.put(all)
    let plan = try stored.sales.query { Sale.amount >= 0 }.grouped(by: Sale.note).select(.count)
      .explain()
    if ProcessInfo.processInfo.activeProcessorCount > 1 {
      #expect(plan.contains("by several threads"))
    }
    for least in [-1000, 500] { try GroupModel.check(stored.sales, all, least: least) }
  }
}
