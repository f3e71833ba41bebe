import ObjectBox

let store = try Store(directoryPath: CommandLine.arguments.last ?? "data")
let books = store.box(for: Book.self)

try store.runInTransaction {
  let author = Author(name: "Ada Palmer")
  let book = Book(title: "Too Like the Lightning", pages: 432, price: 12.5)
  book.author.target = author
  try books.put(book)
  let review = Review(stars: 5, text: "Read it twice.")
  review.book.target = book
  try store.box(for: Review.self).put(review)
  let order = Order()
  order.customer.target = Customer(email: "jane@example.org", name: "Jane")
  try store.box(for: Order.self).put(order)
  let line = OrderLine(count: 2)
  line.order.target = order
  line.book.target = book
  try store.box(for: OrderLine.self).put(line)
}

let long = try books.query { Book.pages > 400 && Book.price < 20 }.ordered(by: Book.title).build()
for book in try long.find() { print(book.summary(), "by", book.author.target?.name ?? "nobody") }
let good = try store.box(for: Review.self).query { Review.stars >= 4 }.build().count()
let unpaid = try store.box(for: Order.self).query { Order.isPaid == false }.build().find()
print(good, "good reviews,", unpaid.map { $0.customer.target?.name ?? "" }, "did not pay")
