import Foundation
import ObjectBox

/// A class with a backlink of a to-one relation.
// objectbox: entity
final class Customer {
  var id: Id = 0
  // objectbox: unique
  var name = ""
  // objectbox: backlink = "customer"
  var orders: ToMany<Order> = nil
  // objectbox: backlink = "watchers"
  var watched: ToMany<Order> = nil

  init() {}
  init(_ name: String) { self.name = name }
}

// objectbox: entity
final class Order {
  var id: EntityId<Order> = 0
  var name = ""
  var customer: ToOne<Customer> = nil
  var watchers: ToMany<Customer> = nil

  init() {}
  init(_ name: String, _ customer: Customer? = nil) {
    self.name = name
    self.customer.target = customer
  }
}

/// A struct with all kinds of relations, some of them to itself.
struct Student: Entity {
  var id: Id
  var name: String
  var teachers: ToMany<Teacher>
  var best: ToOne<Student>
  // objectbox: backlink = "best"
  var fans: ToMany<Student>
}

enum School {
  /// A nested target.
  struct Teacher: Entity {
    var id: EntityId<Teacher>
    var name: String
    // objectbox: backlink = "teachers"
    var students: ToMany<Student>
  }
}

typealias Teacher = School.Teacher

/// A class with a nearest-neighbour index, and the clocks of a synchronised entity.
// objectbox: entity, sync = { "sharedGlobalIds": true }
final class Place {
  // objectbox: id = { "assignable": true }
  var id: Id = 0
  // objectbox:hnswIndex: dimensions=2, distanceType=geo, flags="debugLogs, reparationLimitCandidates"
  var position: [Float]?
  // objectbox: syncClock
  var clock: Int64 = 0
  // objectbox: syncPrecedence
  var precedence: Int64 = 0
  // objectbox: id-companion
  var created: Date = Date(timeIntervalSince1970: 0)
  // objectbox: externalName = "external_name", externalType = "json"
  var notes = ""
  var neighbours: ToMany<Place> = nil

  init() {}
}
