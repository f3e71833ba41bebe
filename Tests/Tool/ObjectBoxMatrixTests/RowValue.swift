import Foundation
import ObjectBox

/// The properties of ``Row`` as a struct.
// objectbox: entity
struct RowValue {
  var id: Id = 0
  var int8: Int8 = 0
  var maybeInt8: Int8?
  // objectbox: index
  var indexedInt8: Int8 = 0
  // objectbox: index
  var maybeIndexedInt8: Int8?
  var int16: Int16 = 0
  var maybeInt16: Int16?
  // objectbox: index
  var indexedInt16: Int16 = 0
  // objectbox: index
  var maybeIndexedInt16: Int16?
  var int32: Int32 = 0
  var maybeInt32: Int32?
  // objectbox: index
  var indexedInt32: Int32 = 0
  // objectbox: index
  var maybeIndexedInt32: Int32?
  var int64: Int64 = 0
  var maybeInt64: Int64?
  // objectbox: index
  var indexedInt64: Int64 = 0
  // objectbox: index
  var maybeIndexedInt64: Int64?
  var int: Int = 0
  var maybeInt: Int?
  // objectbox: index
  var indexedInt: Int = 0
  // objectbox: index
  var maybeIndexedInt: Int?
  var uint8: UInt8 = 0
  var maybeUint8: UInt8?
  // objectbox: index
  var indexedUint8: UInt8 = 0
  // objectbox: index
  var maybeIndexedUint8: UInt8?
  var uint16: UInt16 = 0
  var maybeUint16: UInt16?
  // objectbox: index
  var indexedUint16: UInt16 = 0
  // objectbox: index
  var maybeIndexedUint16: UInt16?
  var uint32: UInt32 = 0
  var maybeUint32: UInt32?
  // objectbox: index
  var indexedUint32: UInt32 = 0
  // objectbox: index
  var maybeIndexedUint32: UInt32?
  var uint64: UInt64 = 0
  var maybeUint64: UInt64?
  // objectbox: index
  var indexedUint64: UInt64 = 0
  // objectbox: index
  var maybeIndexedUint64: UInt64?
  var uint: UInt = 0
  var maybeUint: UInt?
  // objectbox: index
  var indexedUint: UInt = 0
  // objectbox: index
  var maybeIndexedUint: UInt?
  var bool: Bool = false
  var maybeBool: Bool?
  // objectbox: index
  var indexedBool: Bool = false
  // objectbox: index
  var maybeIndexedBool: Bool?
  var float: Float = 0
  var maybeFloat: Float?
  var double: Double = 0
  var maybeDouble: Double?
  var string: String = ""
  var maybeString: String?
  // objectbox: index = value
  var indexedString: String = ""
  // objectbox: index = value
  var maybeIndexedString: String?
  // objectbox: index = hash
  var hashed: String = ""
  // objectbox: index = hash
  var maybeHashed: String?
  // objectbox: index = hash64
  var long64: String = ""
  // objectbox: index = hash64
  var maybeLong64: String?
  // objectbox: index = value, collation = "nocase"
  var nocase: String = ""
  // objectbox: index = value, collation = "nocase"
  var maybeNocase: String?
  var date: Date = Date(timeIntervalSince1970: 0)
  var maybeDate: Date?
  // objectbox: index
  var indexedDate: Date = Date(timeIntervalSince1970: 0)
  // objectbox: index
  var maybeIndexedDate: Date?
  // objectbox: date-nano
  var precise: Date = Date(timeIntervalSince1970: 0)
  // objectbox: date-nano
  var maybePrecise: Date?
  // objectbox: date-nano, index
  var indexedPrecise: Date = Date(timeIntervalSince1970: 0)
  // objectbox: date-nano, index
  var maybeIndexedPrecise: Date?
  var data: Data = Data()
  var maybeData: Data?
  var bytes: [UInt8] = []
  var maybeBytes: [UInt8]?
  var int32s: [Int32] = []
  var maybeInt32s: [Int32]?
  var int64s: [Int64] = []
  var maybeInt64s: [Int64]?
  var floats: [Float] = []
  var maybeFloats: [Float]?
  var strings: [String] = []
  var maybeStrings: [String]?
  var uuid: UUID = Row.noUUID
  var maybeUuid: UUID?
  // objectbox: index
  var indexedUuid: UUID = Row.noUUID
  // objectbox: index
  var maybeIndexedUuid: UUID?
  var decimal: Decimal = 0
  var maybeDecimal: Decimal?
  // objectbox: index
  var indexedDecimal: Decimal = 0
  // objectbox: index
  var maybeIndexedDecimal: Decimal?
  var url: URL = Row.noURL
  var maybeUrl: URL?
  // objectbox: index
  var indexedUrl: URL = Row.noURL
  // objectbox: index
  var maybeIndexedUrl: URL?
  // objectbox: convert = { "default": ".red" }
  var color: Color = .red
  // objectbox: convert = { "default": ".red" }
  var maybeColor: Color?
  // objectbox: convert = { "default": ".red" }, index
  var indexedColor: Color = .red
  // objectbox: convert = { "default": ".red" }, index
  var maybeIndexedColor: Color?
  // objectbox: convert = { "default": ".a" }
  var word: Word = .a
  // objectbox: convert = { "default": ".a" }
  var maybeWord: Word?
  // objectbox: convert = { "default": ".a" }, index
  var indexedWord: Word = .a
  // objectbox: convert = { "default": ".a" }, index
  var maybeIndexedWord: Word?

  /// The same in all rows.
  var single = 0
}
