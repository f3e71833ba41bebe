// Two new properties, a new index, a new entity with a relation, declared in another order.
// objectbox: entity, sync = { "sharedGlobalIds": true }
class Audit {
  // objectbox: id = { "assignable": true }
  var number: UInt64 = 0
  // objectbox: syncClock
  var clock: Int64 = 0
  var touched: ToMany<Order> = nil
}

struct Product: Entity {
  var id: Id
  // objectbox: index = hash64
  var title: String
  var price: Int32
  // objectbox:hnswIndex: dimensions=4, distanceType=cosine
  var picture: [Float]?
}

// objectbox: entity
class Order {
  var customer: ToOne<Customer> = nil
  var products: ToMany<Product> = nil
  var id: Id = 0
  var note: String?
  // objectbox: index
  var date = Date()
  var total: Double = 0
}

// objectbox: entity
class Customer {
  var id: Id = 0
  // objectbox: unique
  var email = ""
  var name = ""
  // objectbox: backlink = "customer"
  var orders: ToMany<Order> = nil
}
