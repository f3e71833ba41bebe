import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

/// Structs as hosts and as targets.
struct StructRelationTests {
  private let store: RelationStore
  private let authors: Box<Author>
  private let books: Box<Book>

  init() throws {
    store = try RelationStore()
    authors = store.authors
    books = store.books
  }

  @Test func `a new struct is put with its host, and read with its ID`() throws {
    var book = Book(title: "t", author: ToOne(Author(name: "Jane")))
    try books.put(&book)
    #expect(book.author.targetId == 1)
    #expect(book.author.target?.id == 1)
    #expect(book.author.target?.name == "Jane")
    try books.put(&book)
    #expect(try authors.count() == 1)
    #expect(try books.get(UInt64(1))?.author.target?.books.map(\.title) == ["t"])
  }

  @Test func `hosts that share a relation share its struct`() throws {
    let author = ToOne(Author(name: "Jane"))
    try books.put([Book(title: "a", author: author), Book(title: "b", author: author)])
    #expect(try authors.all().map(\.name) == ["Jane"])
    #expect(try authors.get(EntityId<Author>(1))?.books.count == 2)
  }

  @Test func `after a rollback the struct stands there as one that was never stored`() throws {
    struct Stop: Error {}
    let book = Book(title: "t", author: ToOne(Author(name: "Jane")))
    #expect(throws: Stop.self) {
      try store.store.runInTransaction {
        try books.put(book)
        #expect(book.author.target?.id == 1)
        throw Stop()
      }
    }
    #expect(book.author.targetId == nil)
    #expect(book.author.target?.name == "Jane")
    try books.put(book)
    #expect(try books.all().first?.author.target?.name == "Jane")
  }

  @Test func `new structs in a backlink are put, and loaded anew with their IDs`() throws {
    try authors.put(Author(name: "Jane"))
    var author = try #require(try authors.get(EntityId<Author>(1)))
    author.books.append(Book(title: "a"))
    author.books.append(Book(title: "b"))
    author.books.remove(at: 0)
    try author.books.applyToDb()
    #expect(author.books.map(\.title) == ["b"])
    #expect(author.books.map(\.id) == [1])
    #expect(try books.all().map { $0.author.targetId } == [1])
    author.books.removeAll()
    try author.books.applyToDb()
    #expect(try books.all().map { $0.author.targetId } == [nil])
  }

  @Test func `removing a struct makes the relations that lead to it null`() throws {
    try books.put(Book(title: "t", author: ToOne(Author(name: "Jane"))))
    try authors.remove(EntityId<Author>(1))
    #expect(try books.get(UInt64(1))?.author.hasValue == false)
  }
}
