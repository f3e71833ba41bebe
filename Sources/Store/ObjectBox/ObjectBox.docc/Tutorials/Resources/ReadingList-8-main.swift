import ObjectBox
import ObjectBoxLive

// objectbox: entity
final class Book {
  var id: Id = 0
  // objectbox: index = value
  var title: String = ""
  // objectbox: unique = { "onConflict": "replace" }
  var isbn: String = ""
  var year: Int = 0
  // objectbox: onDelete = "cascade"
  var author: ToOne<Author> = nil

  init() {}
  init(title: String, isbn: String, year: Int) {
    self.title = title
    self.isbn = isbn
    self.year = year
  }
}

// objectbox: entity
final class Author {
  var id: Id = 0
  // objectbox: unique
  var name: String = ""
  // objectbox: backlink = "author"
  var books: ToMany<Book> = nil

  init() {}
  init(name: String) {
    self.name = name
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

let authors = store.box(for: Author.self)
let palmer = try authors.get(where: Author.name, equals: "Ada Palmer") ?? Author(name: "Ada Palmer")
let surrenders = Book(title: "Seven Surrenders", isbn: "9780765378026", year: 2017)
surrenders.author.target = palmer
try books.put(surrenders)  // stores a new author as well

let ofPalmer = try books.query { Book.author.link { Author.name == "Ada Palmer" } }
  .include(Book.author).build()
for book in try ofPalmer.find() { print(book.title, "by", book.author.target?.name ?? "nobody") }

let changes = try store.changes(ofPalmer)
let writing = Task {
  try await store.write { transaction in
    let book = Book(title: "Perhaps the Stars", isbn: "9780765378064", year: 2021)
    book.author.target = try authors.get(where: Author.name, equals: "Ada Palmer")
    try transaction.put(book)
  }
}
for await change in changes {
  print("now \(change.results.count) books by Ada Palmer")
  if try change.results.find().contains(where: { $0.title == "Perhaps the Stars" }) { break }
}
try await writing.value
