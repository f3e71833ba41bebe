import Foundation
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

@testable import ObjectBox
@testable import ObjectBoxDynamic
@testable import ObjectBoxCare

/// Names in a schema are texts: they never name files, and any name works.
struct HostileNameTests {
  private static let names = [
    "../../etc/passwd", "/etc/passwd", "..", "a/b\\c", "a\u{0}b", "line\nfeed\r\t",
    "\u{1B}[2J\u{7}", "",
    "🧮", "e\u{301}", "\u{202E}turned", "'; DROP TABLE x; --", "\"}]", "%s%n%p", "{{name}}",
    String(repeating: "n", count: 65_536), String(repeating: "🧮", count: 16_384),
  ]

  @Test(arguments: names)
  func `an entity and a property of any name are stored, found and written as JSON`(_ name: String)
    throws
  {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/store"
    let made = try Store(model: try TemporaryStore.model(), directory: path)
    try made.box(for: Person.self).put(Person("Jane", email: "jane@example.org", age: 7))
    var schema = made.schema
    made.close()
    schema.entities[0].name = name
    schema.entities[0].properties[1].name = name + " "
    schema.entities[0].externalName = name
    try ChangedFile.changeDescription(
      path,
      key: "schema",
      to: ByteCoder.bytes(of: schema)
    )

    let store = try Store(existing: Store.Configuration(directory: path))
    let box = try store.box(named: name)
    var object = try #require(try box.get(1))
    #expect(object[name + " "] as? String == "Jane")
    object[name + " "] = "John"
    object["email"] = nil
    try box.put(object)
    let query = try box.query().ordered(by: name + " ").build()
    #expect(try query.find().map { $0[name + " "] as? String } == ["John"])
    #expect(throws: ObjectBoxError.self) {
      _ = try box.put([name + "  ": 1])
    }
    #expect(try store.verify().faults == [])
    try store.backup(to: folder.path + "/copy")
    store.close()
    #expect(
      try Set(FileManager.default.contentsOfDirectory(atPath: path)) == ["data.mdb", "lock.mdb"]
    )
    #expect(
      try Set(FileManager.default.contentsOfDirectory(atPath: folder.path)) == ["copy", "store"]
    )
  }
}
