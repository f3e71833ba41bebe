// The entity Customer, its property name, and the relation products of Order have other names.
// objectbox: entity, sync = { "sharedGlobalIds": true }
class Audit {
  // objectbox: id = { "assignable": true }
  var number: UInt64 = 0
  // objectbox: syncClock
  var clock: Int64 = 0
  var touched: ToMany<Order> = nil
}

// objectbox: entity, uid = {Customer}
class Buyer {
  var id: Id = 0
  // objectbox: unique
  var email = ""
  // objectbox: uid = {Customer.name}
  var fullName = ""
  // objectbox: backlink = "customer"
  var orders: ToMany<Order> = nil
}

// objectbox: entity
class Order {
  var id: Id = 0
  var note: String?
  // objectbox: index
  var date = Date()
  var TOTAL: Double = 0
  var customer: ToOne<Buyer> = nil
  // objectbox: uid = {Order.products}
  var lines: ToMany<Product> = nil
}

struct Product: Entity {
  var id: Id
  // objectbox: index = hash64
  var title: String
  var price: Int32
  // objectbox:hnswIndex: dimensions=4, distanceType=cosine
  var picture: [Float]?
}
