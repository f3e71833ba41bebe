import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Links over all kinds of generated relations.
struct LinkTests {
  private let folder: TemporaryDirectory
  private let store: Store

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
    let shoes = Order("shoes", Customer("Ada"))
    shoes.watchers.append(Customer("Bob"))
    let hat = Order("hat", Customer("Cleo"))
    try store.box(for: Order.self).put([shoes, hat])
  }

  @Test func `a to-one relation and its other end link, by short names as well`() throws {
    let orders = try store.box(for: Order.self).query()
      .link(Order.customer) { Customer.name == "Ada" }.build()
    #expect(try orders.find().map(\.name) == ["shoes"])
    let short = try store.box(for: Order.self).query { .name != "" }
      .link(.customer) { .name == "Cleo" }.build()
    #expect(try short.find().map(\.name) == ["hat"])
    let customers = try store.box(for: Customer.self).query()
      .link(Customer.orders) { Order.name == "hat" }.build()
    #expect(try customers.find().map(\.name) == ["Cleo"])
  }

  @Test func `links nest as conditions, beside others`() throws {
    let customers = store.box(for: Customer.self)
    // Customers who watch an order of Ada, and customers of an order that Bob watches.
    let watching = try customers.query {
      Customer.watched.link { Order.customer.link { Customer.name == "Ada" } }
        && Customer.name != "Ada"
    }.build()
    #expect(try watching.find().map(\.name) == ["Bob"])
    let watched = try customers.query {
      Customer.orders.link {
        Order.watchers.link { "who" .= Customer.name == "nobody" } && Order.name.startsWith("s")
      }
    }.build()
    #expect(try watched.count() == 0)
    watched.setParameter("who", to: "Bob")
    #expect(try watched.find().map(\.name) == ["Ada"])
  }

  @Test func `links of generated properties stand under ||, and inside of each other`() throws {
    let orders = try store.box(for: Order.self).query {
      .name == "none"
        || Order.customer.link { .name == "Ada" || Customer.watched.link { .name != "" } }
        || Order.watchers.link { .name == "nobody" } && .name != "x"
    }.build()
    #expect(try orders.find().map(\.name) == ["shoes"])
    let customers = try store.box(for: Customer.self).query {
      Customer.orders.link { Order.name == "hat" }
        || Customer.watched.link { Order.name == "shoes" }
    }.ordered(by: .id, flags: .descending).build()
    let found = try customers.find()
    #expect(Set(found.map(\.name)) == ["Bob", "Cleo"])
    let ids = found.map(\.id)
    let descending = ids.sorted { $0 > $1 }
    #expect(ids == descending)
  }

  @Test func `an entity links to itself, and structs link`() throws {
    let students: Box<Student> = store.box()
    let tom = try students.put(
      struct: Student(id: 0, name: "Tom", teachers: nil, best: nil, fans: nil)
    )
    let zoe = try students.put(
      struct: Student(id: 0, name: "Zoe", teachers: nil, best: ToOne(tom), fans: nil)
    )
    let fans = try students.query().link(Student.best) { Student.name == "Tom" }.build()
    #expect(try fans.findIds() == [EntityId(zoe.id)])
    let idols = try students.query().link(Student.fans) { Student.name == "Zoe" }.build()
    #expect(try idols.findIds() == [EntityId(tom.id)])
  }

  @Test func `links and nearest neighbours combine, on either side`() throws {
    let places: Box<Place> = store.box()
    let town = Place()
    town.position = [1, 1]
    town.notes = "town"
    let village = Place()
    village.position = [1, 2]
    village.notes = "village"
    village.neighbours.append(town)
    let farm = Place()
    farm.position = [50, 50]
    farm.neighbours.append(village)
    try places.put([town, village, farm])

    let near = try places.query {
      Place.position.nearestNeighbors(queryVector: [1, 1.2], maxCount: 2)
    }.link(Place.neighbours) { Place.notes == "town" }.build()
    #expect(try near.findIdsWithScores().map(\.id) == [village.id])
    let byTarget = try places.query().link(Place.neighbours) {
      "where" .= Place.position.nearestNeighbors(queryVector: [1, 0.9], maxCount: 1)
    }.build()
    #expect(try byTarget.findIds().map(\.value) == [village.id])
    byTarget.setParameter("where", to: [1, 2.1])
    #expect(try byTarget.findIds().map(\.value) == [farm.id])
    #expect(throws: ObjectBoxError.self) { try byTarget.findWithScores() }
    #expect(throws: ObjectBoxError.self) {
      _ = try places.query().link(Place.neighbours) {
        Place.position.nearestNeighbors(queryVector: [1], maxCount: 1)
      }.build()
    }
  }
}
