import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxLive
import ObjectBoxTestSupport
import Testing

/// Decimals as properties, through generated code.
struct DecimalTests {
  private let folder: TemporaryDirectory
  private let store: Store
  private let accounts: Box<Account>

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
    accounts = store.box()
  }

  private static func decimal(_ text: String) throws -> Decimal {
    try #require(Decimal(string: text))
  }

  private func message(_ body: () throws -> Void) -> String {
    let error = #expect(throws: ObjectBoxError.self) { try body() }
    return error.map { "\($0)" } ?? ""
  }

  private func put(_ values: [Decimal?]) throws {
    try accounts.put(values.map { Account($0) })
  }

  // MARK: Values

  private static let texts = [
    "0", "1", "-1", "0.1", "-0.1", "12.5", "99999999999999999999999999999999999999",
    "-12345678901234567890.123456789012345678",
    "340282366920938463463374607431768211455", "0.00000000000000000000000000000000000001",
    "1" + String(repeating: "0", count: 127), "-1E-127", "1E-128", "7E127", "-9019800E127",
    "-340282366920938463463374607431768211455E127", "340282366920938463463374607431768211455E-128",
  ]

  @Test func `decimals come back from a store that was opened anew`() throws {
    let values = try Self.texts.map(Self.decimal)
    let objects = values.map { value in
      let account = Account(value, number: value)
      account.rate = value
      account.price = Price(rawValue: value)
      account.list = Price(rawValue: value)
      return account
    }
    try accounts.put(objects)
    let bare = try accounts.put(Account())
    let page = try store.box(for: Page.self).put(
      struct: Page(id: 0, url: try #require(URL(string: "http://a")), weight: values[7])
    )
    store.close()
    let store = try Store(directoryPath: folder.path + "/store")
    let read = try store.box(for: Account.self).all()
    #expect(read.count == values.count + 1)
    for (account, value) in zip(read, values) {
      #expect(account.balance?.description == value.description)
      #expect(account.number == value && account.rate == value)
      #expect(account.price?.rawValue == value && account.list.rawValue == value)
      #expect(try store.box(for: Account.self).get(where: Account.number, equals: value) != nil)
    }
    #expect(read.last?.id == bare.value && read.last?.balance == nil && read.last?.rate == 1.5)
    #expect(try store.box(for: Page.self).get(page.id) == page)
    store.close()
  }

  @Test func `not-a-number is refused, and the message names the property`() throws {
    for account in [Account(.nan), Account(1, number: .nan)] {
      let message = message { try accounts.put(account) }
      #expect(message.contains("'Account'") && message.contains("Decimal NaN"), "\(message)")
      #expect(message.contains(account.balance == 1 ? "'number'" : "'balance'"), "\(message)")
    }
    let dynamic = try store.box(named: "Account")
    let message = message { try dynamic.put(["balance": Decimal.nan]) }
    #expect(message.contains("'Account.balance'") && message.contains("NaN"), "\(message)")
    #expect(try accounts.isEmpty())
    let refusal = self.message {
      _ = try accounts.query { Account.balance == .nan }.build().find()
    }
    #expect(refusal.contains("the Decimal NaN, which no record holds"))
  }

  // MARK: Conditions

  /// Returns values near each other and far apart, and equal values in different forms.
  private static func values(_ generator: inout SplitMix) -> [Decimal?] {
    (0..<200).map { _ in
      if UInt8.random(in: 0..<10, using: &generator) == 0 { return nil }
      let significand = Decimal(Int64.random(in: -1200...1200, using: &generator))
      let exponent = Int.random(in: -3...2, using: &generator)
      return Decimal(
        sign: .plus,
        exponent: exponent * (Bool.random(using: &generator) ? 1 : 12),
        significand: significand
      )
    }
  }

  @Test(arguments: 1...3)
  func `conditions are those of a plain filter, with an index and without`(_ seed: Int) throws {
    var generator = SplitMix(seed: seed)
    let values = Self.values(&generator)
    try put(values)
    func expect(
      _ condition: (Property<Account, Decimal?, Void>) -> QueryCondition<Account>,
      _ isMatch: (Decimal?) -> Bool
    ) throws {
      let ids = values.enumerated().filter { isMatch($0.element) }.map { Id($0.offset + 1) }
      for property in [Account.balance, Account.plain] {
        let query = try accounts.query { condition(property) }.build()
        let plan = try query.explain()
        #expect(try query.find().map(\.id) == ids, "\(plan)")
        #expect(try query.count() == ids.count)
      }
    }
    for _ in 0..<TestLength.choose(short: 8, long: 30) {
      let a = generator.pick(values) ?? 0
      let b = generator.pick(values) ?? 1
      let bounds = min(a, b)...max(a, b)
      try expect({ $0 == a }) { $0 == a }
      try expect({ $0 != a }) { $0 != nil && $0 != a }
      try expect({ $0 < a }) { $0.map { $0 < a } ?? false }
      try expect({ $0 <= a }) { $0.map { $0 <= a } ?? false }
      try expect({ $0 > a }) { $0.map { $0 > a } ?? false }
      try expect({ $0 >= a }) { $0.map { $0 >= a } ?? false }
      try expect({ $0.isBetween(a, and: b) }) { $0.map(bounds.contains) ?? false }
      try expect({ $0 ∈ bounds }) { $0.map(bounds.contains) ?? false }
      try expect({ $0 ∈ [a, b, 7] }) { [a, b, 7].contains($0) }
      try expect({ $0 ∉ [a, b] }) { $0 != nil && $0 != a && $0 != b }
      try expect({ $0 < a && $0 > b }) { $0.map { $0 < a && $0 > b } ?? false }
      try expect({ $0.isNil() || $0 == b }) { $0 == nil || $0 == b }
    }
    try expect({ $0.isNil() }) { $0 == nil }
    try expect({ $0.isNotNil() }) { $0 != nil }
    try expect({ $0.isIn([]) }) { _ in false }
  }

  @Test(arguments: 1...3)
  func `the order is that of the numbers, with an index and without`(_ seed: Int) throws {
    var generator = SplitMix(seed: seed)
    let values = Self.values(&generator)
    try put(values)
    let numbers = values.enumerated().filter { $0.element != nil }
    let nulls = values.indices.filter { values[$0] == nil }.map { Id($0 + 1) }
    func ids(_ precedes: (Decimal, Decimal) -> Bool) -> [Id] {
      numbers.sorted { a, b in
        let (x, y) = (a.element ?? 0, b.element ?? 0)
        return x == y ? a.offset < b.offset : precedes(x, y)
      }.map { Id($0.offset + 1) }
    }
    for property in [Account.balance, Account.plain] {
      let up = try accounts.query().ordered(by: property).build()
      #expect(try up.find().map(\.id) == nulls + ids(<))
      #expect(try up.find(limit: 40).map(\.id) == (nulls + ids(<)).prefix(40).map { $0 })
      let down = try accounts.query().ordered(by: property, flags: [.descending, .nullsLast])
        .build()
      #expect(try down.find().map(\.id) == ids(>) + nulls)
      let zero = try accounts.query().ordered(by: property, flags: .nullsZero).build()
      let sorted: [Decimal] = values.map { $0 ?? 0 }.sorted()
      let found: [Decimal] = try zero.find().map { $0.balance ?? 0 }
      #expect(found == sorted)
    }
    let walk = try accounts.query().ordered(by: Account.balance).build()
    #expect(try walk.explain().contains("walk of the index on 'balance'"))
  }

  @Test func `an index on decimals is used for ranges`() throws {
    try put((0..<1000).map { Decimal($0) / 100 })
    let query = try accounts.query { Account.balance > 9.5 && Account.balance <= 9.75 }.build()
    #expect(try query.explain().contains("index on 'balance' (value)"))
    #expect(try query.count() == 25)
    let plain = try accounts.query { Account.plain >= 9.5 }.build()
    #expect(try plain.explain().hasPrefix("scan of all objects"))
    #expect(try plain.count() == 50)
  }

  @Test func `parameters are set by property and by alias`() throws {
    try put([1, 2, 3, 4])
    let query = try accounts.query {
      Account.balance == 0 || "p" .= Account.plain.isBetween(8, and: 9)
    }.build()
    query.setParameter(Account.balance, to: 1)
    query.setParameters("p", to: Decimal(4), Decimal(3))
    #expect(try query.findIds().map(\.value) == [1, 3, 4])
    let set = try accounts.query { Account.balance ∈ [Decimal(0)] }.build()
    set.setParameters(Account.balance, to: [2, 3])
    #expect(try set.findIds().map(\.value) == [2, 3])
  }

  @Test func `properties that are not optional, and converted ones, take conditions as well`()
    throws
  {
    let account = Account(1)
    account.price = Price(rawValue: 0.25)
    account.rate = -3
    try accounts.put([Account(), account])
    #expect(try accounts.query { .rate < 0 }.build().find().map(\.id) == [2])
    #expect(try accounts.query { Account.price <= 0.25 }.build().find().map(\.id) == [2])
  }

  // MARK: Unique values and indexes over several properties

  @Test func `unique decimals differ as numbers`() throws {
    try accounts.put([Account(1, number: 1), Account(2), Account(3)])
    let message = message {
      try accounts.put(Account(4, number: Decimal(sign: .plus, exponent: -2, significand: 100)))
    }
    #expect(message.contains("'Account.number'") && message.contains("already holds 1;"))
    try store.box(named: "Account").put(["number": "2.50"])
    #expect(self.message { try accounts.put(Account(4, number: 2.5)) }.contains("uniqueViolation"))
    #expect(try accounts.get(where: Account.number, equals: 2.5)?.number == 2.5)
    #expect(try accounts.get(where: Account.number, equals: 3) == nil)
  }

  @Test func `decimals are parts of indexes over several properties`() throws {
    func account(_ limit: Decimal?, _ owner: String?) -> Account {
      let account = Account()
      (account.limit, account.owner, account.rate) = (limit, owner, limit ?? 0)
      return account
    }
    try accounts.put([account(1.5, "x"), account(nil, "x"), account(nil, "x"), account(-1.5, "x")])
    #expect(message { try accounts.put(account(1.5, "x")) }.contains("'Account.limit, owner'"))
    try accounts.put(account(1.5, "y"))
    let query = try accounts.query { Account.limit == 1.5 && Account.owner == "x" }.build()
    #expect(try query.explain().contains("index on 'limit, owner'"))
    #expect(try query.findIds().map(\.value) == [1])
    let rates = try accounts.query { Account.rate == -1.5 }.build()
    #expect(try rates.explain().contains("index on 'rate, owner'"))
    #expect(try rates.findIds().map(\.value) == [4])
    try accounts.put([account(-10, nil), account(9, "a"), account(10, nil)])
    let limits = try accounts.query().build().property(Account.limit)
    #expect(try limits.min() == -10 && limits.max() == 10)
    let all = try accounts.query().build().property(Account.rate)
    #expect(try all.min() == -10 && all.max() == 10)
  }

  // MARK: By name, in views and in changes

  @Test func `objects by name hold decimals, and take texts and whole numbers`() throws {
    let dynamic = try store.box(named: "Account")
    try dynamic.put(["balance": Decimal(1), "plain": "2.50", "limit": -7, "rate": "1E+3"])
    let account = try #require(try accounts.get(1 as Id))
    #expect(account.balance == 1 && account.plain == 2.5 && account.limit == -7)
    #expect(account.rate == 1000)
    let object = try #require(try dynamic.get(1))
    #expect(try object.value(of: "plain", as: Decimal.self) == 2.5)
    #expect(object["rate"] as? Decimal == 1000)
    for value in ["abc", "", "1,5", "1.5x", true, 1.5, "1E999"] as [Any] {
      let message = message { try dynamic.put(["balance": value]) }
      #expect(message.contains("'Account.balance'") && message.contains("Decimal"), "\(message)")
    }
    let query = try dynamic.query { $0["plain"] > 2 && $0["plain"] <= "2.5" }.build()
    #expect(try query.count() == 1)
    let range = try dynamic.query { $0["rate"].isBetween(Decimal(999), and: 1001) }.build()
    #expect(try range.count() == 1)
    #expect(
      message { _ = try dynamic.query { $0["rate"].startsWith("1") }.build() }
        .contains("has no condition")
    )
  }

  @Test func `a snapshot shows decimals, and an observer gets them`() async throws {
    let account = Account(1)
    try accounts.put(account)
    let frozen = try #require(try store.freeze().object(EntityId<Account>(account.id)))
    var changes = try accounts.changes(of: account._id).makeAsyncIterator()
    account.balance = 2.5
    account.site = URL(fileURLWithPath: "/a b")
    try accounts.put(account)
    #expect(frozen.balance == 1)
    #expect(try frozen[Account.balance] == 1)
    #expect(try frozen[Account.limit] == nil)
    guard case .change(let found) = await changes.next() else {
      Issue.record("no change")
      return
    }
    #expect(found.map(\.name) == ["balance", "site"])
    #expect(found.first?.oldValue as? Decimal == 1)
    #expect(found.first?.newValue as? Decimal == 2.5)
    #expect(found.last?.newValue as? String == "file:///a%20b")
  }

  // MARK: Texts that are no numbers

  /// Writes the model of a program that does not know decimals: they are plain strings.
  private func plainModel() throws -> URL {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("model-ObjectBoxGeneratedCodeTests.json")
    let text = try String(contentsOf: file, encoding: .utf8)
    let plain = text.replacing(",\n          \"externalType\": 103", with: "")
    #expect(plain != text)
    return URL(fileURLWithPath: try folder.write(plain, to: "plain.json"))
  }

  @Test func `a text that is no number is an error of each read`() throws {
    try put([1, 2])
    store.close()
    let other = try Store(directoryPath: folder.path + "/store", modelJSON: try plainModel())
    #expect(try other.box(named: "Account").get(1)?["balance"] as? String == "1")
    try other.box(named: "Account").put(["id": 2, "balance": "abc"])
    try other.box(named: "Account").put(["balance": "007.50", "rate": "1"])
    other.close()
    let store = try Store(directoryPath: folder.path + "/store")
    let accounts = store.box(for: Account.self)
    let expected =
      "cannot read 'Account.balance' of the object with ID 2: its text 'abc' is no Decimal; put"
    #expect(message { _ = try accounts.get(2 as Id) }.contains(expected))
    #expect(message { _ = try accounts.all() }.contains(expected))
    // Reads that create no object succeed.
    #expect(try accounts.count() == 3)
    for property in [Account.balance] {
      #expect(try accounts.query { property < 1000 }.build().findIds().map(\.value) == [1, 3])
      #expect(try accounts.query { property != 1 }.build().findIds().map(\.value) == [3])
      #expect(try accounts.query { property == 7.5 }.build().findIds().map(\.value) == [3])
      let query = try accounts.query().build().property(property)
      let text = "its text 'abc' is no Decimal"
      #expect(message { _ = try query.find() }.contains(text))
      #expect(message { _ = try query.sum() }.contains(text))
      #expect(message { _ = try query.max() }.contains("'Account.balance'"))
      #expect(try query.count() == 3)
    }
    #expect(try store.freeze().object(EntityId<Account>(2))?[Account.balance]?.isNaN == true)
    let dynamic = try store.box(named: "Account")
    #expect(try dynamic.get(2)?["balance"] as? String == "abc")
    try dynamic.put(["id": 2, "balance": 5])
    #expect(try accounts.all().map(\.balance) == [1, 5, 7.5])
    store.close()
  }

  @Test func `a property that is a text elsewhere keeps its values and gets its order`() throws {
    try put([10, 9, nil, -1])
    store.close()
    let other = try Store(directoryPath: folder.path + "/store", modelJSON: try plainModel())
    let texts = try other.box(named: "Account").query().ordered(by: "balance").build().find()
    #expect(texts.map { $0["balance"] as? String } == [nil, "-1", "10", "9"])
    other.close()
    let store = try Store(directoryPath: folder.path + "/store")
    let query = try store.box(for: Account.self).query().ordered(by: Account.balance).build()
    #expect(try query.find().map(\.balance) == [nil, -1, 9, 10])
    store.close()
  }
}
