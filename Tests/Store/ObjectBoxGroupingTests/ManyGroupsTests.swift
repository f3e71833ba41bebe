import ObjectBox
import ObjectBoxGrouping
import ObjectBoxTestSupport
import Testing

/// Keys and sums for which the tables of a run change their form.
struct ManyGroupsTests {
  private let stored: SaleStore
  private var sales: Box<Sale> { stored.sales }

  init() throws { stored = try SaleStore() }

  @Test func `texts that differ in one byte are groups of their own`() throws {
    var texts = [""]
    for size in 1...40 {
      let text = String(repeating: "a", count: size)
      texts.append(text)
      for place in 0..<size { texts.append(text.prefix(place) + "b" + text.dropFirst(place + 1)) }
    }
    for _ in 0..<2 { try sales.put(texts.map { Sale(kind: 0, note: $0) }) }
    let rows = try sales.query().grouped(by: Sale.note).select(.count).find()
    #expect(rows.map(\.key) == texts.sorted())
    #expect(rows.allSatisfy { $0.values == 2 })
  }

  @Test func `pairs of many numbers of any size are groups of their own`() throws {
    var random = SplitMix(seed: 5)
    let amounts = (0..<400).map { index in
      index % 2 == 0 ? index * 300 : Int.random(in: .min ... .max, using: &random)
    }
    var expected: [[Int]: Int] = [:]
    let all = (0..<6000).map { index in
      // Few groups at first, so that the tables grow while they have some.
      let amount = amounts[Int.random(in: 0...index / 20, using: &random)]
      let kind = Int32.random(in: -200...200, using: &random) * (index < 3000 ? 1 : 1_000_003)
      expected[[amount, Int(kind)], default: 0] += 1
      return Sale(kind: kind, amount: amount)
    }
    for kinds in [all[..<1000], all[1000...]] { try sales.put(Array(kinds)) }
    let rows = try sales.query().grouped(by: Sale.amount, Sale.kind).select(.count).find()
    let ordered = expected.keys.sorted { $0.lexicographicallyPrecedes($1) }
    #expect(rows.map { [$0.key.0, Int($0.key.1)] } == ordered)
    #expect(rows.allSatisfy { expected[[$0.key.0, Int($0.key.1)]] == $0.values })
  }

  @Test func `rows of three keys are in the order of the keys`() throws {
    var random = SplitMix(seed: 6)
    let all = (0..<500).map { _ in
      let amount = Int.random(in: -3...3, using: &random)
      return Sale(kind: Int32.random(in: -3...3, using: &random), amount: amount, note: "\(amount)")
    }
    try sales.put(all)
    let rows = try sales.query().grouped(by: Sale.kind, Sale.amount, Sale.note).select(.count)
      .find()
    let keys = rows.map { [Int($0.key.0), $0.key.1, Int($0.key.2 ?? "") ?? 99] }
    let expected = Set(all.map { [Int($0.kind), $0.amount, $0.amount] })
    #expect(keys == expected.sorted { $0.lexicographicallyPrecedes($1) })
  }

  @Test func `a sum may leave the range of its type and return`() throws {
    for amount in [Int.min, .min, -1, .max, .max, 3] {
      try sales.put(Sale(kind: 0, amount: amount))
    }
    let sums = try sales.query().grouped(by: Sale.kind).select(.sum(Sale.amount)).find()
    #expect(sums.map(\.values) == [0])
  }
}
