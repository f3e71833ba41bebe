// What was removed comes back as something new; external names and types, and a type that changed.
// objectbox: entity
class Audit {
  var number: Id = 0
}

// objectbox: entity, externalName = "buyers"
class Buyer {
  var id: Id = 0
  // objectbox: unique = { "onConflict": "replace" }
  var email = ""
  // objectbox: externalName = "full_name", externalType = "json"
  var fullName = ""
  // objectbox: backlink = "customer"
  var orders: ToMany<Order> = nil
}

// objectbox: entity
class Order {
  var id: Id = 0
  var note: String?
  var date = Date()
  var total: Float = 0
  var customer: ToOne<Buyer> = nil
  var products: ToMany<Product> = nil
}

struct Product: Entity {
  var id: Id
  // objectbox: index
  var title: String
  var price: UInt16
  var picture: [Float]?
  // objectbox: id-companion, date-nano
  var made: Date
}
