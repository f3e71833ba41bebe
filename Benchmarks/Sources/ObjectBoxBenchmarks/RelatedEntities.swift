import ObjectBox

/// The host of to-many relations.
// objectbox: entity
final class Shelf {
  var id: Id = 0
  var number: Int = 0
  var name: String = ""
  var favorites: ToMany<Book> = nil
  // objectbox: backlink = "shelf"
  var books: ToMany<Book> = nil
  init() {}
  init(_ number: Int) {
    self.number = number
    name = "shelf number \(number)"
  }
}

/// The host of a to-one relation.
// objectbox: entity
final class Book {
  var id: Id = 0
  var number: Int = 0
  var shelf: ToOne<Shelf> = nil
  init() {}
  init(_ number: Int, on shelf: Shelf) {
    self.number = number
    self.shelf.target = shelf
  }
}
