// objectbox: entity
class Customer {
  var id: Id = 0
  // objectbox: unique
  var email = ""
  var name = ""
  // objectbox: backlink = "customer"
  var orders: ToMany<Order> = nil
}

// objectbox: entity
class Order {
  var id: Id = 0
  // objectbox: index
  var date = Date()
  var total: Double = 0
  var customer: ToOne<Customer> = nil
  var products: ToMany<Product> = nil
}

struct Product: Entity {
  var id: Id
  var title: String
  var price: Int32
}
