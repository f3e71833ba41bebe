import Foundation
import ObjectBox

// objectbox: entity
final class Person {
  var id: Id = 0
  // objectbox: unique
  var email: String = ""
  var name: String = ""
  // objectbox: index
  var born: Date?

  init() {}
  init(email: String, name: String, born: Date? = nil) {
    self.email = email
    self.name = name
    self.born = born
  }
}

// A folder of its own for each run; a program keeps its store where it finds it again.
let folder = NSTemporaryDirectory() + "first-steps-\(UUID().uuidString)"
let store = try Store(directoryPath: folder)
let people = store.box(for: Person.self)

let ada = Person(email: "ada@example.org", name: "Ada", born: Date(timeIntervalSince1970: -4.8e9))
try people.put(ada)  // `ada.id` is set now
try people.put(Person(email: "alan@example.org", name: "Alan"))

let query = try people.query {
  Person.name.startsWith("A") && .born < Date(timeIntervalSince1970: 0)
}.build()
print(try query.find().map(\.name))  // ["Ada"]
print(try query.explain())  // which index is used, and about how many objects it gives

try store.runInTransaction {
  ada.name = "Ada Lovelace"
  try people.put(ada)
  try people.query { .email == "alan@example.org" }.build().remove()
}
print(try people.all().map(\.name))  // ["Ada Lovelace"]
