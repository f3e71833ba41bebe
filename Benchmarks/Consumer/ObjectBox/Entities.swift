import Foundation
import ObjectBox

// objectbox: entity
final class Author {
  var id: Id = 0
  // objectbox: unique
  var name: String = ""
  var born: Date?
  // objectbox: backlink = "author"
  var books: ToMany<Book> = nil
  init() {}
  init(name: String) {
    self.name = name
  }
}

// objectbox: entity
final class Book {
  var id: Id = 0
  // objectbox: index
  var title: String = ""
  var pages: Int32 = 0
  var price: Double = 0
  var author: ToOne<Author> = nil
  init() {}
  init(title: String, pages: Int32, price: Double) {
    self.title = title
    self.pages = pages
    self.price = price
  }
  func summary() -> String { "\(title), \(pages) pages" }
}

// objectbox: entity
final class Customer {
  var id: Id = 0
  // objectbox: unique
  var email: String = ""
  var name: String = ""
  // objectbox: backlink = "customer"
  var orders: ToMany<Order> = nil
  init() {}
  init(email: String, name: String) {
    self.email = email
    self.name = name
  }
}

// objectbox: entity
final class Order {
  var id: Id = 0
  // objectbox: index
  var placed: Date = Date()
  var isPaid: Bool = false
  var customer: ToOne<Customer> = nil
  // objectbox: backlink = "order"
  var lines: ToMany<OrderLine> = nil
  init() {}
}

// objectbox: entity
final class OrderLine {
  var id: Id = 0
  var count: Int32 = 1
  var order: ToOne<Order> = nil
  var book: ToOne<Book> = nil
  init() {}
  init(count: Int32) {
    self.count = count
  }
}

// objectbox: entity
final class Review {
  var id: Id = 0
  // objectbox: index
  var stars: Int32 = 0
  var text: String = ""
  var book: ToOne<Book> = nil
  init() {}
  init(stars: Int32, text: String) {
    self.stars = stars
    self.text = text
  }
}
