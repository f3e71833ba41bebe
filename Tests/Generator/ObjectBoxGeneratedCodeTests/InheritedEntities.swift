import ObjectBox

// objectbox: entity
final class Purchase: Titled {
  var total: Double = 0

  convenience init(_ title: String, total: Double = 0) {
    self.init()
    self.title = title
    self.total = total
  }
}

// objectbox: entity, uniqueTogether = ["title", "days"]
final class Offer: Titled {
  var days: Int = 0

  convenience init(_ title: String, days: Int = 0) {
    self.init()
    self.title = title
    self.days = days
  }
}

// objectbox: entity
final class Buyer: Dated {
  var name: String = ""
  // objectbox: backlink = "buyer"
  var purchases: ToMany<Purchase> = nil

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

struct Mark: Entity {
  var id: EntityId<Mark>
  var name: String
  // objectbox: backlink = "marks"
  var purchases: ToMany<Purchase> = nil
}
