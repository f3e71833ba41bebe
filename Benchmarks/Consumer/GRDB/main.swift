import Foundation
import GRDB

let queue = try DatabaseQueue(path: CommandLine.arguments.last ?? "data.sqlite")

var migrator = DatabaseMigrator()
migrator.registerMigration("1") { database in
  try database.create(table: "author") { table in
    table.autoIncrementedPrimaryKey("id")
    table.column("name", .text).notNull().unique()
    table.column("born", .datetime)
  }
  try database.create(table: "book") { table in
    table.autoIncrementedPrimaryKey("id")
    table.column("title", .text).notNull().indexed()
    table.column("pages", .integer).notNull()
    table.column("price", .double).notNull()
    table.column("authorId", .integer).indexed().references("author")
  }
  try database.create(table: "customer") { table in
    table.autoIncrementedPrimaryKey("id")
    table.column("email", .text).notNull().unique()
    table.column("name", .text).notNull()
  }
  try database.create(table: "order") { table in
    table.autoIncrementedPrimaryKey("id")
    table.column("placed", .datetime).notNull().indexed()
    table.column("isPaid", .boolean).notNull()
    table.column("customerId", .integer).indexed().references("customer")
  }
  try database.create(table: "orderLine") { table in
    table.autoIncrementedPrimaryKey("id")
    table.column("count", .integer).notNull()
    table.column("orderId", .integer).indexed().references("order")
    table.column("bookId", .integer).indexed().references("book")
  }
  try database.create(table: "review") { table in
    table.autoIncrementedPrimaryKey("id")
    table.column("stars", .integer).notNull().indexed()
    table.column("text", .text).notNull()
    table.column("bookId", .integer).indexed().references("book")
  }
}
try migrator.migrate(queue)

try queue.write { database in
  var author = Author(id: nil, name: "Ada Palmer", born: nil)
  try author.insert(database)
  var book = Book(
    id: nil,
    title: "Too Like the Lightning",
    pages: 432,
    price: 12.5,
    authorId: author.id
  )
  try book.insert(database)
  var review = Review(id: nil, stars: 5, text: "Read it twice.", bookId: book.id)
  try review.insert(database)
  var customer = Customer(id: nil, email: "jane@example.org", name: "Jane")
  try customer.insert(database)
  var order = Order(id: nil, placed: Date(), isPaid: false, customerId: customer.id)
  try order.insert(database)
  var line = OrderLine(id: nil, count: 2, orderId: order.id, bookId: book.id)
  try line.insert(database)
}

try queue.read { database in
  let long = Book.filter(Column("pages") > 400 && Column("price") < 20).order(Column("title"))
  for book in try long.fetchAll(database) {
    let author = try Author.fetchOne(database, key: book.authorId)
    print(book.summary(), "by", author?.name ?? "nobody")
  }
  let good = try Review.filter(Column("stars") >= 4).fetchCount(database)
  let unpaid = try Order.filter(Column("isPaid") == false).fetchAll(database)
  let names = try unpaid.map { try Customer.fetchOne(database, key: $0.customerId)?.name ?? "" }
  print(good, "good reviews,", names, "did not pay")
}
