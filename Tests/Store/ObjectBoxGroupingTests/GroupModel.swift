import Foundation
import ObjectBox
import ObjectBoxGrouping
import ObjectBoxTestSupport
import Testing

/// A plain model of grouped queries in Swift.
enum GroupModel {
  fileprivate struct Totals {
    var count = 0
    var amount = 0
    var prices: [Double] = []
    var last: String?
  }

  static func sale(_ random: inout SplitMix) -> Sale {
    let sale = Sale(kind: Int32.random(in: -3...3, using: &random))
    sale.amount = Int.random(in: -1000...1000, using: &random)
    sale.price =
      Bool.random(using: &random) ? nil : Double(Int.random(in: -100...100, using: &random)) / 4
    sale.note = random.pick([
      nil, "", "red", "Red", "grün", "x" + String(repeating: "y", count: 40),
    ])
    sale.date = Date(
      timeIntervalSince1970: Double(Int.random(in: -40...40, using: &random)) * 86_400
    )
    return sale
  }

  static func check(_ sales: Box<Sale>, _ all: [Sale], least: Int) throws {
    let query = try sales.query { Sale.amount >= least }.build()
    let found = all.filter { $0.amount >= least }
    var model: [String: Totals] = [:]
    for sale in found {
      model["\(sale.kind) \(sale.note ?? "nil")", default: Totals()].add(sale)
    }
    let rows = try query.grouped(by: Sale.kind, Sale.note)
      .select(.count, .sum(Sale.amount), .sum(Sale.price), .min(Sale.price), .max(Sale.note)).find()
    #expect(rows.count == model.count)
    for row in rows {
      let expected = try #require(model["\(row.key.0) \(row.key.1 ?? "nil")"])
      #expect(row.values.0 == expected.count)
      #expect(row.values.1 == expected.amount)
      #expect(row.values.2 == expected.prices.reduce(0, +))
      #expect(row.values.3 == expected.prices.min())
      #expect(row.values.4 == expected.last)
    }
    expectOrder(rows.map { ($0.key.0, $0.key.1.map { Array($0.utf8) }) })
    let days = try query.grouped(by: .by(Sale.date, .day, in: .gmt)).select(.count).find()
    let expected = Dictionary(grouping: found, by: \.date).mapValues(\.count)
    #expect(Dictionary(uniqueKeysWithValues: days.map { ($0.key, $0.values) }) == expected)
    let kinds = try query.grouped(by: Sale.kind).select(.count).find()
    let count = kinds.reduce(into: 0) { $0 += $1.values }
    #expect(count == found.count)
  }

  /// Expects keys in their order, in which nil is the least text.
  private static func expectOrder<Kind: Comparable>(_ keys: [(Kind, [UInt8]?)]) {
    let isSorted = zip(keys, keys.dropFirst()).allSatisfy { first, second in
      if first.0 != second.0 { return first.0 < second.0 }
      guard let one = first.1 else { return second.1 != nil }
      return second.1.map { one.lexicographicallyPrecedes($0) } ?? false
    }
    #expect(isSorted)
  }
}

extension GroupModel.Totals {
  fileprivate mutating func add(_ sale: Sale) {
    count += 1
    amount += sale.amount
    if let price = sale.price { prices.append(price) }
    if let note = sale.note {
      let isGreater = last.map { $0.utf8.lexicographicallyPrecedes(note.utf8) } ?? true
      if isGreater { last = note }
    }
  }
}
