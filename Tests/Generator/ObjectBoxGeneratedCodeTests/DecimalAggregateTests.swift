import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import Testing

/// Sums, averages and extremes of a decimal property.
struct DecimalAggregateTests {
  private let folder: TemporaryDirectory
  private let store: Store
  private let accounts: Box<Account>

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
    accounts = store.box()
  }

  private func decimal(_ text: String) throws -> Decimal {
    try #require(Decimal(string: text))
  }

  private func query(_ texts: [String?]) throws -> PropertyQuery<Account, Decimal> {
    try accounts.removeAll()
    try accounts.put(texts.map { Account(try $0.map(decimal)) })
    return try accounts.query().build().property(Account.balance)
  }

  @Test func `without values all are 0`() throws {
    for texts in [[], [nil, nil]] as [[String?]] {
      let query = try query(texts)
      #expect(try [query.sum(), query.average(), query.max(), query.min()] == [0, 0, 0, 0])
      #expect(try query.count() == 0)
      #expect(try query.find() == [])
      #expect(try query.findUnique() == nil)
    }
  }

  @Test(
    arguments: [
      (["0.1", "0.2", nil], "0.3", "0.15"), (["-1", "1", "0.5"], "0.5", nil),
      (["-0.75", "-0.5"], "-1.25", "-0.625"), (["1E100", "1E-100", "-1E100"], "1E-100", nil),
      (["99999999999999999999999999999999999999", "1"], "1E38", "5E37"),
      (["1E127", "-3E-128"], "1E127", "5E126"),
      (["1", "1", "0"], "2", "0.66666666666666666666666666666666666667"),
      (["-1", "-1", "0"], "-2", "-0.66666666666666666666666666666666666667"),
      (["1", "0", "0"], "1", "0.33333333333333333333333333333333333333"),
      (["1E-128", "0", "0"], "1E-128", "0"), (["1E-128", "0"], "1E-128", "1E-128"),
      (["340282366920938463463374607431768211455"], "340282366920938463463374607431768211455", nil),
    ] as [([String?], String, String?)]
  )
  func `sums and averages are exact, else rounded once`(
    _ texts: [String?],
    _ sum: String,
    _ average: String?
  ) throws {
    let query = try query(texts)
    #expect(try query.sum().description == decimal(sum).description)
    if let average { #expect(try query.average().description == decimal(average).description) }
  }

  @Test func `a sum beyond the greatest decimal is an error, and its average is not`() throws {
    let greatest = "340282366920938463463374607431768211455E127"
    let query = try query([greatest, greatest])
    let error = #expect(throws: ObjectBoxError.self) { _ = try query.sum() }
    guard case .unknown(let code, let message) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(code == 10004 && message.contains("the sum does not fit into Decimal"))
    #expect(try query.average().description == decimal(greatest).description)
  }

  @Test(arguments: 1...3)
  func `random sums are those of Decimal where it is exact`(_ seed: Int) throws {
    var generator = SplitMix(seed: seed)
    let values = (0..<300).map { _ in
      Decimal(Int64.random(in: -1_000_000_000...1_000_000_000, using: &generator)) / 10000
    }
    try accounts.put(values.map { Account($0) })
    let query = try accounts.query().build().property(Account.plain)
    #expect(try query.sum() == values.reduce(0, +))
    #expect(try query.max() == values.max())
    #expect(try query.min() == values.min())
    #expect(try query.find() == values)
  }

  @Test func `extremes are by number`() throws {
    let greatest = "340282366920938463463374607431768211455E127"
    let query = try query(["9", "10", nil, "-2", "-10", "1E-128", greatest])
    #expect(try query.max().description == decimal(greatest).description)
    #expect(try query.min() == -10)
  }

  @Test func `different values differ as numbers, and null may count`() throws {
    try store.box(named: "Account").put([
      ["balance": "1"], ["balance": "1.00"], ["balance": "2"], [:],
    ])
    let query = try accounts.query().build().property(Account.balance)
    #expect(try query.count() == 3)
    #expect(try query.find() == [1, 1, 2])
    #expect(throws: ObjectBoxError.self) { try query.findUnique() }
    #expect(try query.with(nullValue: 7).sum() == 11)
    #expect(try query.distinct().find() == [1, 2, 7])
    #expect(try query.count() == 3)
  }
}
