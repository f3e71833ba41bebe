import Foundation
import ObjectBox

/// A group of wards; its removal removes them.
// objectbox: entity, sync
final class Pen {
  var id: Id = 0
  var owner = ""

  init() {}
}

/// An object that its owner alone may write, with a property of each kind of column.
// objectbox: entity, sync
final class Ward {
  var id: Id = 0
  // objectbox: index
  var owner = ""
  // objectbox: sync = counter
  var stock: Int = 0
  // objectbox: unique
  var code: String?
  var flag: Bool?
  var small: Int8?
  var medium: Int32?
  var large: Int64?
  var ratio: Float?
  var size: Double?
  var at: Date?
  var price: Decimal?
  var key: UUID?
  var data: Data?
  var marks: [String]?
  var numbers: [Int32]?
  // objectbox: onDelete = "cascade"
  var pen: ToOne<Pen> = nil
  var friends: ToMany<Ward> = nil

  init() {}
}
