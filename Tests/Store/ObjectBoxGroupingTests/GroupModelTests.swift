import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Grouped queries beside a plain model in Swift.
struct GroupModelTests {
  @Test(arguments: 0..<8)
  func `groups equal those of a plain model`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    let stored = try SaleStore()
    let all = (0..<Int.random(in: 0...900, using: &random)).map { _ in GroupModel.sale(&random) }
    try stored.sales.put(all)
    for least in [-1000, -10, 0, 990] { try GroupModel.check(stored.sales, all, least: least) }
  }
}
