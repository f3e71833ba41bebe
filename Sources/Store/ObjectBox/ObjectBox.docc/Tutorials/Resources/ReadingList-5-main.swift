import ObjectBox

// objectbox: entity
final class Book {
  var id: Id = 0
  // objectbox: index = value
  var title: String = ""
  // objectbox: unique = { "onConflict": "replace" }
  var isbn: String = ""
  var year: Int = 0

  init() {}
  init(title: String, isbn: String, year: Int) {
    self.title = title
    self.isbn = isbn
    self.year = year
  }
}

let store = try Store(directoryPath: "books")
let books = store.box(for: Book.self)

try books.put([
  Book(title: "Middlemarch", isbn: "9780141439549", year: 1871),
  Book(title: "Too Like the Lightning", isbn: "9780765378002", year: 2016),
])
print("\(try books.count()) books")

let recent = try books.query { Book.title.startsWith("T") && .year > 2000 }
  .ordered(by: Book.year, flags: .descending).build()
for book in try recent.find() { print(book.year, book.title) }
print(try recent.explain())
