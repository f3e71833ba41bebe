import Foundation
import ObjectBox

/// An entity whose properties had narrower or other types in an earlier model.
// objectbox: entity
final class Widened {
  var id: Id = 0
  // objectbox: migratedFrom = "int8", index
  var int8: Int16 = 0
  // objectbox: migratedFrom = "maybeInt8"
  var maybeInt8: Int16?
  // objectbox: migratedFrom = "int16"
  var int16: Int32 = 0
  // objectbox: migratedFrom = "maybeInt16", index
  var maybeInt16: Int32?
  // objectbox: migratedFrom = "int32"
  var int32: Int64 = 0
  // objectbox: migratedFrom = "maybeInt32"
  var maybeInt32: Int = 0
  // objectbox: migratedFrom = "uint8", index
  var uint8: UInt16 = 0
  // objectbox: migratedFrom = "maybeUint8"
  var maybeUint8: UInt16?
  // objectbox: migratedFrom = "uint16"
  var uint16: UInt32 = 0
  // objectbox: migratedFrom = "maybeUint16", index
  var maybeUint16: Int64?
  // objectbox: migratedFrom = "uint32"
  var uint32: UInt64 = 0
  // objectbox: migratedFrom = "maybeUint32"
  var maybeUint32: Int64?
  // objectbox: migratedFrom = "int64"
  var int64: Decimal = 0
  // objectbox: migratedFrom = "maybeUint64"
  var maybeUint64: Decimal?
  // objectbox: migratedFrom = "bool"
  var bool: Int8 = 0
  // objectbox: migratedFrom = "maybeBool"
  var maybeBool: Int32?
  // objectbox: migratedFrom = "float"
  var float: Double = 0
  // objectbox: migratedFrom = "maybeFloat"
  var maybeFloat: Double?
  // objectbox: migratedFrom = "maybePrecise"
  var maybePrecise: Date?
  // objectbox: migratedFrom = "uuid"
  var uuid: String = ""
  // objectbox: migratedFrom = "maybeWord"
  var maybeWord: [String]?

  init() {}

  static func migrateInt8(_ old: Int8) -> Int16 { Int16(old) }
  static func migrateMaybeInt8(_ old: Int8?) -> Int16? { old.map(Int16.init) }
  static func migrateInt16(_ old: Int16) -> Int32 { Int32(old) }
  static func migrateMaybeInt16(_ old: Int16?) -> Int32? { old.map(Int32.init) }
  static func migrateInt32(_ old: Int32) -> Int64 { Int64(old) }
  static func migrateMaybeInt32(_ old: Int32?) -> Int { old.map(Int.init) ?? -7 }
  static func migrateUint8(_ old: UInt8) -> UInt16 { UInt16(old) }
  static func migrateMaybeUint8(_ old: UInt8?) -> UInt16? { old.map(UInt16.init) }
  static func migrateUint16(_ old: UInt16) -> UInt32 { UInt32(old) }
  static func migrateMaybeUint16(_ old: UInt16?) -> Int64? { old.map(Int64.init) }
  static func migrateUint32(_ old: UInt32) -> UInt64 { UInt64(old) }
  static func migrateMaybeUint32(_ old: UInt32?) -> Int64? { old.map(Int64.init) }
  static func migrateInt64(_ old: Int64) -> Decimal { Decimal(old) }
  static func migrateMaybeUint64(_ old: UInt64?) -> Decimal? { old.map { Decimal($0) } }
  static func migrateBool(_ old: Bool) -> Int8 { old ? 1 : 0 }
  static func migrateMaybeBool(_ old: Bool?) -> Int32? { old.map { $0 ? 1 : 0 } }
  static func migrateFloat(_ old: Float) -> Double { Double(old) }
  static func migrateMaybeFloat(_ old: Float?) -> Double? { old.map(Double.init) }
  static func migrateMaybePrecise(_ old: Date?) -> Date? { old }
  static func migrateUuid(_ old: UUID) -> String { old.uuidString }
  static func migrateMaybeWord(_ old: String?) -> [String]? { old.map { [$0] } }
}
