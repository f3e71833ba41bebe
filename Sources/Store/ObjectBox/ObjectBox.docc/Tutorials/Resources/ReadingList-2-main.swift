import ObjectBox

// objectbox: entity
final class Book {
  var id: Id = 0
  // objectbox: index = value
  var title: String = ""
  // objectbox: unique
  var isbn: String = ""
  var year: Int = 0

  init() {}
  init(title: String, isbn: String, year: Int) {
    self.title = title
    self.isbn = isbn
    self.year = year
  }
}
