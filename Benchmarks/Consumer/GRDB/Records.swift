import Foundation
import GRDB

struct Author: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var name: String
  var born: Date?
  static let books = hasMany(Book.self)
  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct Book: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var title: String
  var pages: Int32
  var price: Double
  var authorId: Int64?
  static let author = belongsTo(Author.self)
  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
  func summary() -> String { "\(title), \(pages) pages" }
}

struct Customer: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var email: String
  var name: String
  static let orders = hasMany(Order.self)
  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct Order: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var placed: Date
  var isPaid: Bool
  var customerId: Int64?
  static let customer = belongsTo(Customer.self)
  static let lines = hasMany(OrderLine.self)
  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct OrderLine: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var count: Int32
  var orderId: Int64?
  var bookId: Int64?
  static let order = belongsTo(Order.self)
  static let book = belongsTo(Book.self)
  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct Review: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var stars: Int32
  var text: String
  var bookId: Int64?
  static let book = belongsTo(Book.self)
  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
