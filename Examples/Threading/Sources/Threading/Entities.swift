import ObjectBox

// objectbox: entity
final class Person {
  var id: Id = 0
  var name: String = ""
  // objectbox: index
  var age: Int = 0

  init() {}
  init(_ name: String, age: Int) {
    self.name = name
    self.age = age
  }
}

// objectbox: entity
struct Account: Sendable {
  var id: EntityId<Account> = 0
  var owner: String = ""
  var balance: Int = 0
}

enum Refusal: Error {
  case tooLittle
}
