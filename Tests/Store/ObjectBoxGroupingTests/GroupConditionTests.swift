import ObjectBox
import ObjectBoxGrouping
import ObjectBoxTestSupport
import Testing

/// Conditions on groups that loops join.
struct GroupConditionTests {
  private let stored: SaleStore

  init() throws {
    stored = try SaleStore()
    try stored.sales.put((0..<150).flatMap { kind in (0..<2).map { _ in Sale(kind: kind) } })
  }

  private var groups: GroupedQuery<Sale, Int32, Int> {
    stored.sales.query().grouped(by: Sale.kind).select(.count)
  }

  /// Returns a condition of alternating operators, which groups of two objects meet.
  private func alternating(_ depth: Int) -> GroupCondition<Sale> {
    var condition: GroupCondition<Sale> = .count == 2
    for place in 1...depth {
      condition = place % 2 == 0 ? condition && .count > 1 : condition || .count == place + 2
    }
    return condition
  }

  private func has(_ kind: Int32) -> GroupCondition<Sale> { .max(Sale.kind) == kind }

  @Test func `a condition of many parts meets what its parts meet`() throws {
    var some = has(0)
    for kind: Int32 in stride(from: 3, to: 3000, by: 3) { some = some || has(kind) }
    let thirds: [Int32] = Array(stride(from: 0, to: 150, by: 3))
    #expect(try groups.having(some).find().map(\.key) == thirds)
    var query = groups
    for kind: Int32 in 0..<100 { query = query.having(!has(kind)) }
    let others: [Int32] = Array(100..<150)
    #expect(try query.find().map(\.key) == others)
  }

  @Test func `the deepest condition runs on a small stack`() throws {
    let groups = groups
    try onSmallStack {
      let found = try groups.having(alternating(100)).find()
      #expect(found.count == 150)
    }
  }

  @Test(arguments: [101, 10_000])
  func `a deeper condition is refused`(_ depth: Int) throws {
    let groups = groups
    try onSmallStack {
      var contrary: GroupCondition<Sale> = .count == 2
      for _ in 0..<depth { contrary = !contrary }
      for condition in [alternating(depth), alternating(depth) && .count > 1, contrary] {
        #expect {
          try groups.having(.count > 0).having(condition).find()
        } throws: { error in
          "\(error)".contains("more than 100 '&&', '||' and '!' in each other")
        }
      }
    }
  }
}
