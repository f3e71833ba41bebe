import Foundation
import ObjectBox

struct Price: RawRepresentable, Equatable {
  var rawValue: Decimal
}

/// A class with indexed and unindexed decimals.
// objectbox: entity, uniqueTogether = ["limit", "owner"], indexTogether = ["rate", "owner"]
final class Account {
  var id: Id = 0
  // objectbox: index
  var balance: Decimal?
  var plain: Decimal?
  // objectbox: unique
  var number: Decimal?
  var rate: Decimal = 1.5
  var limit: Decimal?
  var owner: String?
  // objectbox: index, convert = { "dbType": "Decimal" }
  var price: Price?
  // objectbox: convert = { "dbType": "Decimal", "default": "Price(rawValue: 1)" }, name = "listPrice"
  var list = Price(rawValue: 2)
  var site = URL(fileURLWithPath: "/")

  init() {}
  init(_ balance: Decimal?, plain: Decimal? = nil, number: Decimal? = nil) {
    self.balance = balance
    self.plain = plain ?? balance
    self.number = number
  }
}

/// A struct with URLs, and a decimal.
struct Page: Entity, Equatable {
  var id: EntityId<Page>
  // objectbox: unique
  let url: URL
  // objectbox: index = value
  var canonical: URL?
  var plain: URL?
  // objectbox: index, collation = "nocase"
  var feed: URL?
  var weight: Decimal
}
