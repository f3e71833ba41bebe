import Foundation
import ObjectBox

struct Address: Codable, Equatable {
  var city = ""
  var street = ""
  var zip: String?
}

enum Level: String, Codable {
  case low, high
}

enum Shape: Codable, Equatable {
  case circle(radius: Double)
  case square(side: Double)
}

struct Key: Codable, Equatable {
  var number: Int
  var area: String
}

/// A class with values of `Codable` types.
// objectbox: entity
final class Contact {
  var id: Id = 0
  var name = ""
  // objectbox: codable
  var address = Address(city: "unknown")
  // objectbox: codable, index
  var former: [Address] = []
  // objectbox: codable
  var scores: [String: Double]?
  // objectbox: codable = { "default": ".circle(radius: 1)" }, index = value
  var shape: Shape = .square(side: 2)
  // objectbox: codable, unique, name = "contactKey"
  var key: Key?
  // objectbox: codable, index, collation = "nocase"
  var level: Level?
  // objectbox: codable
  var met: [Date]?

  init() {}
  init(_ name: String, _ address: Address = Address(), key: Key? = nil) {
    self.name = name
    self.address = address
    self.key = key
  }
}

/// A struct with constants of `Codable` types.
struct Trip: Entity, Equatable {
  struct Place: Codable, Equatable {
    var x: Int
    var y: Int
  }

  static let start = Place(x: 0, y: 0)

  var id: EntityId<Trip>
  // objectbox: codable
  let from: Address?
  // objectbox: codable = { "default": "[:]" }
  let costs: [String: Int]
  // objectbox: codable
  var place: Place = Self.start
  // objectbox: codable
  var next = Place(x: 1, y: 1)
}
