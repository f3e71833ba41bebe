// An entity with a relation is gone, so are a relation, a property, and two indexes.
// objectbox: entity
class Buyer {
  var id: Id = 0
  var email = ""
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
  var customer: ToOne<Buyer> = nil
}

struct Product: Entity {
  var id: Id
  var title: String
  var price: Int32
  // objectbox:hnswIndex: dimensions=4, distanceType=cosine
  var picture: [Float]?
}
