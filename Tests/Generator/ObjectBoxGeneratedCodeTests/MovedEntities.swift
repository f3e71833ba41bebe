import Foundation
import ObjectBox

/// An entity whose properties had other types in an earlier model.
// objectbox: entity
final class Moved {
  enum Level: Int {
    case low, high
  }

  struct Place: Codable, Equatable {
    var city: String
  }

  struct NoNumber: Error {
    var text: String
  }

  var id: Id = 0
  // objectbox: migratedFrom = "born"
  var born: Date?
  // objectbox: migratedFrom = "count", index
  var count: String = ""
  // objectbox: migratedFrom = "tags"
  var tags: [String]?
  // objectbox: convert = { "default": ".low" }, migratedFrom = "level"
  var level: Level = .low
  // objectbox: migratedFrom = "ratio"
  var ratio: Double = 0
  // objectbox: migratedFrom = "isOpen"
  var isOpen: Bool = false
  // objectbox: migratedFrom = "scores"
  var scores: [Float] = []
  // objectbox: migratedFrom = "price"
  var price: Decimal?
  // objectbox: date-nano, migratedFrom = "made"
  var made: Date?
  // objectbox: migratedFrom = "token"
  var token: UUID?
  // objectbox: codable, migratedFrom = "place"
  var place: Place?
  // objectbox: migratedFrom = "full"
  var first: String = ""
  // objectbox: migratedFrom = "full", unique
  var last: String?

  init() {}

  static func migrateBorn(_ old: String?) throws -> Date? {
    guard let old else { return nil }
    guard let seconds = Double(old) else { throw NoNumber(text: old) }
    return Date(timeIntervalSince1970: seconds)
  }
  static func migrateCount(_ old: Int) -> String { "\(old)" }
  static func migrateTags(_ old: String?) -> [String]? {
    old?.split(separator: " ").map(String.init)
  }
  static func migrateLevel(_ old: String) -> Level { old == "high" ? .high : .low }
  static func migrateRatio(_ old: Float) -> Double { Double(old) }
  static func migrateIsOpen(_ old: Int8) -> Bool { old != 0 }
  static func migrateScores(_ old: [Int32]?) -> [Float] { (old ?? []).map { Float($0) / 2 } }
  static func migratePrice(_ old: Double?) -> Decimal? { old.map { Decimal($0) } }
  static func migrateMade(_ old: Date?) -> Date? { old }
}

extension Moved {
  static func migrateToken(_ old: String?) -> UUID? { old.flatMap(UUID.init(uuidString:)) }
  static func migratePlace(_ old: String?) -> Place? { old.map(Place.init(city:)) }
  static func migrateFirst(_ old: String) -> String { String(old.prefix { $0 != " " }) }
  static func migrateLast(_ old: String?) -> String? {
    old?.split(separator: " ").last.map(String.init)
  }
}
