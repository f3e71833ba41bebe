import ObjectBox
import ObjectBoxCluster

/// A synchronized object.
// objectbox: entity, sync
final class Item {
  var id: Id = 0
  // objectbox: index
  var owner: String = ""
  var title: String = ""
  var count: Int = 0
  var price: Double = 0

  init() {}

  init(owner: String, number: Int) {
    self.owner = owner
    title = "item \(number)"
    count = number
    price = Double(number) / 4
  }
}

/// An object with the same properties that is not synchronized.
// objectbox: entity
final class Plain {
  var id: Id = 0
  // objectbox: index
  var owner: String = ""
  var title: String = ""
  var count: Int = 0
  var price: Double = 0

  init() {}

  init(owner: String, number: Int) {
    self.owner = owner
    title = "item \(number)"
    count = number
    price = Double(number) / 4
  }
}
