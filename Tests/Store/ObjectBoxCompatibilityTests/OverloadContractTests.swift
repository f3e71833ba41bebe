import Dispatch
import Foundation
import ObjectBox
import Testing

/// Calls that leave the compiler the most overloads to choose from.
struct OverloadContractTests {
  private let stores: ContractStore
  private let readings: Box<Reading>

  init() throws {
    stores = try ContractStore()
    readings = stores.readings
    try readings.put(
      (1...3).map { number in
        Reading {
          $0.aLong = Int64(number)
          $0.anInt32 = Int32(number)
          $0.aDouble = Double(number)
          $0.aFloat = Float(number)
          $0.text = "\(number)"
          $0.maybeText = number == 2 ? nil : "Text"
          $0.maybeDouble = number == 2 ? nil : Double(number)
          $0.maybeLong = number == 2 ? nil : Int64(number)
          $0.date = Date(timeIntervalSince1970: Double(number))
          $0.maybeDate = Date(timeIntervalSince1970: Double(number))
        }
      }
    )
  }

  @Test func `IDs as literals find, count and remove`() throws {
    try stores.contacts.put((0..<8).map { Contact(name: "\($0)") })
    try stores.tickets.put((0..<8).map { Ticket("\($0)") })
    #expect(try stores.tickets.get(1)?.name == "0")
    #expect(try stores.tickets.contains(1))
    #expect(try stores.tickets.contains(1, 2))
    #expect(try stores.tickets.contains([1, 2]))
    try stores.contacts.remove(1)
    try stores.tickets.remove(1)
    try stores.contacts.remove(2, 3)
    try stores.tickets.remove(2, 3)
    try stores.contacts.remove([4, 5])
    try stores.tickets.remove([4, 5])
    try stores.contacts.async.remove(6)
    try stores.contacts.async.remove(7, 99)
    try stores.tickets.async.remove(6)
    stores.store.awaitAsyncSubmitted()
    #expect(try stores.contacts.all().map(\.name) == ["7"])
    #expect(try stores.tickets.all().map(\.name) == ["6", "7"])
  }

  @Test func `whole numbers as literals set parameters of floating point properties`() throws {
    let above = try readings.query { Reading.aDouble > 9 }.build()
    above.setParameter(Reading.aDouble, to: 2)
    #expect(try above.findIds() == [3])
    let between = try readings.query { Reading.aFloat.isBetween(8, and: 9) }.build()
    between.setParameters(Reading.aFloat, to: 1, 2)
    #expect(try between.findIds() == [1, 2])
    let near = try readings.query { Reading.aDouble.isEqual(to: 9, tolerance: 1) }.build()
    near.setParameter(Reading.aDouble, toEqual: 2, tolerance: 0)
    #expect(try near.findIds() == [2])
    let maybe = try readings.query { Reading.maybeDouble > 9 }.build()
    maybe.setParameter(Reading.maybeDouble, to: 2)
    #expect(try maybe.findIds() == [3])
    let number: Float = 1.5
    above.setParameter(Reading.aDouble, to: number)
    #expect(try above.findIds() == [2, 3])
  }

  @Test func `long conditions are within the compiler's means`() throws {
    let long = try readings.query {
      Reading.aLong > 0 && Reading.aLong < 3 && Reading.anInt32 != 7 && Reading.text != "x"
        && Reading.aDouble >= 0.5 && Reading.date > Date(timeIntervalSince1970: 0)
        && Reading.aBool == false || Reading.text == "3" && Reading.maybeText == "Text"
    }.build()
    #expect(try long.findIds() == [1, 2, 3])
    let short = try readings.query {
      .aLong > 0 && .aLong < 3 && .anInt32 != 7 && .text != "x" && .aBool == false
    }.build()
    #expect(try short.findIds() == [1, 2])
    let lists = try readings.query {
      "a" .= .aLong ∈ [1, 2, 3] && "b" .= .text ∈ ["1", "3"] && "c" .= .anInt32 ∉ [1]
    }.build()
    #expect(try lists.findIds() == [3])
    let ranges = try readings.query { .aLong ∈ 1...2 && .anInt32 ∈ 2..<9 }.build()
    #expect(try ranges.findIds() == [2])
    let statements = try readings.query {
      let low: QueryCondition<Reading> = Reading.aLong > 1
      return low && Reading.aLong.isLessThan(3)
    }.build()
    #expect(try statements.findIds() == [2])
  }

  @Test func `property queries chain in any order`() throws {
    let all = try readings.query().build()
    #expect(
      try all.property(Reading.maybeText).distinct().with(nullString: "n").findStrings()
        == ["Text", "n"]
    )
    #expect(
      try all.property(Reading.maybeText).distinct(caseSensitiveCompare: false)
        .with(nullString: "TEXT").count() == 1
    )
    #expect(
      try all.property(Reading.maybeText).with(nullString: "n").distinct(
        caseSensitiveCompare: false
      ).findStrings() == ["Text", "n"]
    )
    #expect(try all.property(Reading.maybeText).distinct().count() == 1)
    #expect(try all.property(Reading.maybeText).distinct().findUniqueString() == "Text")
    #expect(try all.property(Reading.maybeLong).distinct().sum() == 4)
    #expect(try all.property(Reading.maybeLong).distinct().with(nullValue: 1).find() == [1, 3])
    #expect(try all.property(Reading.maybeDouble).distinct().findDoubles() == [1, 3])
    #expect(try all.property(Reading.aBool).distinct().count() == 1)
  }

  @Test func `handlers are told apart by what they take`() throws {
    let query = try readings.query().build()
    var observers: [Observer] = []
    observers.append(readings.subscribe {})
    observers.append(readings.subscribe { _ = "changed" })
    observers.append(readings.subscribe { objects, error in _ = (objects, error) })
    observers.append(readings.subscribe { objects, _ in _ = objects.count })
    observers.append(readings.subscribe(changeHandler: {}))
    observers.append(readings.subscribe(resultHandler: { _, _ in }))
    observers.append(readings.subscribe(flags: []) { _, _ in })
    observers.append(readings.subscribeContiguous { _, _ in })
    observers.append(query.subscribe {})
    observers.append(query.subscribe { _, _ in })
    observers.append(
      query.subscribe(dispatchQueue: .global()) { objects, error in
        _ = (objects.first?.text, error?.localizedDescription)
      }
    )
    observers.append(query.subscribeContiguous(resultHandler: { _, _ in }))
    for observer in observers { observer.unsubscribe() }
    #expect(observers.count == 12)
  }

  private func shopWithSales() -> Shop {
    let shop = Shop(name: "A")
    shop.sales.append(contentsOf: [Sale(name: "b"), Sale(name: "a"), Sale(name: "c")])
    return shop
  }

  @Test func `relations are searched, sorted and joined as collections are`() {
    let shop = shopWithSales()
    #expect(shop.sales.filter { $0.name > "a" }.map(\.name) == ["b", "c"])
    #expect(shop.sales.sorted { $0.name < $1.name }.map(\.name) == ["a", "b", "c"])
    #expect(shop.sales.contains { $0.name == "c" })
    #expect(shop.sales.firstIndex(where: { $0.name == "c" }) == 2)
    let longer = shop.sales + [Sale(name: "d")]
    #expect(longer.count == 4)
    let twice = shop.sales + shop.sales
    #expect(twice.map(\.name) == ["b", "a", "c", "b", "a", "c"])
    let lazy = shop.sales + shop.sales.lazy.map { $0 }
    #expect(lazy.count == 6)
    let behind = [Sale(name: "d")] + shop.sales
    #expect(behind.map(\.name) == ["d", "b", "a", "c"])
  }

  @Test func `relations take part in what the language does with collections`() throws {
    let shop = shopWithSales()
    #expect(Array(shop.sales).count == 3)
    #expect(shop.sales[1...].map(\.name) == ["a", "c"])
    #expect(shop.sales.dropFirst().first?.name == "a")
    var names: [String] = []
    for sale in shop.sales { names.append(sale.name) }
    #expect(names == ["b", "a", "c"])
    shop.sales.removeSubrange(0..<2)
    shop.sales.swapEnds()
    #expect(shop.sales.map(\.name) == ["c"])
    shop.sales = nil
    shop.sales = ToMany()
    #expect(shop.sales.isEmpty)
    let sale = Sale(name: "x")
    sale.shop = ToOne(shop)
    #expect(sale.shop.target === shop)
    sale.shop = nil
    #expect(!sale.shop.hasValue)
  }
}

extension ToMany {
  /// An extension as a program may add it.
  fileprivate func swapEnds() {
    guard let first, let last, count > 1 else { return }
    replaceSubrange(0..<1, with: [last])
    replaceSubrange(count - 1..<count, with: [first])
  }
}
