import Foundation
import ObjectBox

enum Color: String {
  case red, green, unknown
}

struct Money: Equatable {
  var cents: Int
}

enum MoneyConverter {
  static func convert(_ money: Money) -> Int64 { Int64(money.cents) }
  static func convert(_ stored: Int64) -> Money { Money(cents: Int(stored)) }
}

/// A class with a property of every type.
// objectbox: entity
final class Everything {
  var id: Id = 0
  var bool = false
  var int8: Int8 = 0
  var uint8: UInt8 = 0
  var int16: Int16 = 0
  var uint16: UInt16 = 0
  var int32: Int32 = 0
  var uint32: UInt32 = 0
  var int64: Int64 = 0
  var uint64: UInt64 = 0
  var int: Int = 0
  var uint: UInt = 0
  var float: Float = 0
  var double = 0.0
  var string = ""
  var data = Data()
  var bytes: [UInt8] = []
  var date = Date(timeIntervalSince1970: 0)
  // objectbox: date-nano
  var precise = Date(timeIntervalSince1970: 0)
  // objectbox: flex
  var flex = Data()
  var int32s: [Int32] = []
  var int64s: [Int64] = []
  var floats: [Float] = []
  var strings: [String] = []
  // objectbox: convert = { "default": ".unknown" }
  var color: Color = .unknown
  // objectbox: convert = { "dbType": "Int64", "converter": "MoneyConverter" }
  var price = Money(cents: 0)
  // objectbox: name = "renamed"
  var `default`: String = ""

  init() {}
}

/// A struct in which every property may be null.
struct Nothing: Entity, Equatable {
  // objectbox: id = { "assignable": true }
  var key: EntityId<Nothing>
  let bool: Bool?
  let int8: Int8?
  let uint8: UInt8?
  let int16: Int16?
  let uint16: UInt16?
  let int32: Int32?
  let uint32: UInt32?
  let int64: Int64?
  let uint64: UInt64?
  let int: Int?
  let uint: UInt?
  let float: Float?
  let double: Double?
  // objectbox: index = hash64
  let string: String?
  let data: Data?
  let date: Date?
  // objectbox: date-nano
  let precise: Date?
  let strings: [String]?
  // objectbox: convert = { "dbType": "String?" }
  let color: Color?

  static func empty(key: EntityId<Nothing> = 0) -> Nothing {
    Nothing(
      key: key,
      bool: nil,
      int8: nil,
      uint8: nil,
      int16: nil,
      uint16: nil,
      int32: nil,
      uint32: nil,
      int64: nil,
      uint64: nil,
      int: nil,
      uint: nil,
      float: nil,
      double: nil,
      string: nil,
      data: nil,
      date: nil,
      precise: nil,
      strings: nil,
      color: nil
    )
  }
}

enum Library {
  /// A nested entity with an ID of a signed type.
  struct Shelf: Entity {
    // objectbox: id
    var number: Int64
    var label: String
  }
}
