import Foundation
import ObjectBox

/// An entity whose new properties come from several ones of an earlier model.
// objectbox: entity
struct Merged {
  struct NoNumber: Error {
    var text: String
  }

  struct Place: Codable, Equatable {
    var x: Double
    var y: Double
  }

  enum Size: Int {
    case small, large
  }

  var id: Id = 0
  var name: String
  // objectbox: migratedFrom = ["street", "number"], unique
  var address: String
  // objectbox: codable, migratedFrom = ["x", "y"]
  var place: Place?
  // objectbox: convert = { "default": ".small" }, migratedFrom = ["areas", "made"]
  var size: Size
  // objectbox: migratedFrom = "born"
  var year: Int
  var owner: ToOne<MergedOwner> = nil

  static func migrateYear(_ old: String?) throws -> Int {
    guard let old else { return 0 }
    guard let year = Int(old) else { throw NoNumber(text: old) }
    return year
  }

  static func migrate(_ old: OldValues, to new: inout Merged) throws {
    let street = try old.value(of: "street", as: String.self) ?? ""
    let number = try old.value(of: "number", as: Int32.self) ?? 0
    new.address = "\(new.name), \(street) \(number), \(new.year)"
    if number < 0 { throw NoNumber(text: "\(number)") }
    if let x = try old.value(of: "x", as: Double.self),
      let y = try old.value(of: "y", as: Float.self)
    {
      new.place = Place(x: x, y: Double(y))
    }
    let areas = try old.value(of: "areas", as: Int32ArrayPropertyType.self) ?? []
    let made = try old.value(of: "made", as: Date.self)
    new.size = made != nil && areas.reduce(0, +) > 10 ? .large : .small
  }
}

/// An entity of a class, to which ``Merged`` has a relation.
// objectbox: entity
final class MergedOwner {
  var id: Id = 0
  // objectbox: migratedFrom = ["first", "last"]
  var full: String?
  // objectbox: backlink = "owner"
  var things: ToMany<Merged> = nil

  init() {}
}

extension MergedOwner {
  static func migrate(_ old: OldValues, to new: MergedOwner) throws {
    let names = [
      try old.value(of: "first", as: String.self), try old.value(of: "last", as: String.self),
    ]
    new.full = names.compactMap(\.self).joined(separator: " ")
  }
}
