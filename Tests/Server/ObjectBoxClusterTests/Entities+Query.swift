import Foundation
import ObjectBox
import ObjectBoxCluster

/// A property for each kind of value in conditions and orders, and relations.
// objectbox: entity
final class QueryRow {
  var id: Id = 0
  var flag: Bool?
  var tiny: Int8?
  var tinyUnsigned: UInt8?
  var short: Int16?
  var shortUnsigned: UInt16?
  var number: Int32?
  var numberUnsigned: UInt32?
  var large: Int64?
  var largeUnsigned: UInt64?
  var real: Float?
  var double: Double?
  var text: String?
  var name: String = ""
  var bytes: Data?
  var date: Date?
  // objectbox: date-nano
  var exactDate: Date?
  var uuid: UUID?
  var link: URL?
  var price: Decimal?
  var numbers: [Int32]?
  var larges: [Int64]?
  var reals: [Float]?
  var texts: [String]?
  var owner: ToOne<QueryOwner> = nil
  // ObjectBox's flag for unsigned numbers is on these; optional ones have a key of their own.
  var plainTiny: UInt8 = 0
  var plainShort: UInt16 = 0
  var plainNumber: UInt32 = 0
  var plainLarge: UInt64 = 0

  init() {}
}

// objectbox: entity
final class QueryOwner {
  var id: Id = 0
  var name: String = ""
  var rank: Int32?
  var superior: ToOne<QueryOwner> = nil
  // objectbox: backlink = "owner"
  var rows: ToMany<QueryRow> = nil
  var friends: ToMany<QueryOwner> = nil
  // objectbox: backlink = "friends"
  var admirers: ToMany<QueryOwner> = nil

  init() {}

  init(_ name: String, rank: Int32? = nil) {
    self.name = name
    self.rank = rank
  }
}

// objectbox: entity
final class QuerySpot {
  var id: Id = 0
  var name: String = ""
  // objectbox: hnswIndex: dimensions=2
  var position: [Float]?
  // objectbox: hnswIndex: dimensions=3, distanceType="cosine"
  var taste: [Float]?

  init() {}

  init(_ name: String, _ position: [Float]?, taste: [Float]? = nil) {
    self.name = name
    self.position = position
    self.taste = taste
  }
}

/// The properties for the contract of conditions, parameters and property queries.
// objectbox: entity
final class QueryReading {
  var id: Id = 0
  var aBool = false
  var aByte: Int8 = 0
  var anInt32: Int32 = 0
  var aLong: Int64 = 0
  var unsigned: UInt32 = 0
  var big: UInt64 = 0
  var aDouble = 0.0
  var aFloat: Float = 0
  var text = ""
  var date = Date(timeIntervalSince1970: 0)
  var data = Data()
  var maybeBool: Bool?
  var maybeInt32: Int32?
  var maybeLong: Int64?
  var maybeDouble: Double?
  var maybeFloat: Float?
  var maybeText: String?
  var maybeDate: Date?
  var maybeData: Data?
  var int32s: [Int32]?
  var int64s: [Int64]?
  var floats: [Float]?
  var strings: [String]?

  init() {}

  init(_ change: (QueryReading) -> Void) {
    change(self)
  }
}
