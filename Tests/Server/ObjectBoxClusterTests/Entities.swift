import Foundation
import ObjectBox
import ObjectBoxCluster

/// One property of each type.
// objectbox: entity
final class Everything {
  var id: Id = 0
  var flag: Bool?
  var small: Int8?
  var smallUnsigned: UInt8?
  var short: Int16?
  var shortUnsigned: UInt16?
  var number: Int32?
  var numberUnsigned: UInt32?
  var large: Int?
  var largeUnsigned: UInt64?
  var real: Float?
  var double: Double?
  var text: String?
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

  init() {}
}

// objectbox: entity
final class Person {
  var id: Id = 0
  // objectbox: index
  var name: String = ""
  // objectbox: unique
  var email: String?
  var born: Date?
  // objectbox: index
  var age: Int?
  var employer: ToOne<Company> = nil
  var friends: ToMany<Person> = nil

  init() {}

  init(name: String, age: Int? = nil, email: String? = nil) {
    self.name = name
    self.age = age
    self.email = email
  }
}

// objectbox: entity
final class Company {
  var id: Id = 0
  var name: String = ""
  // objectbox: backlink = "employer"
  var staff: ToMany<Person> = nil

  init() {}

  init(name: String) {
    self.name = name
  }
}

// objectbox: entity
struct Account {
  var id: Id
  var balance: Int
}
