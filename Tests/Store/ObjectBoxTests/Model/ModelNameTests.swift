import Testing

@testable import ObjectBox

struct ModelNameTests {
  /// Builds a model of two entities with names, and of one with two such properties.
  private func builds(_ a: String, _ b: String) throws -> (entities: Bool, properties: Bool) {
    let model = try ModelBuilder()
    func add(_ name: String, _ id: UInt32) throws -> EntityBuilder<Never> {
      try model.entityBuilder(named: name, id: id, uid: 10 + UInt64(id))
    }
    let entity = try add(a, 1)
    try entity.addProperty(name: a, type: .long, id: 1, uid: 21)
    func isAccepted(_ add: () throws -> Void) throws -> Bool {
      do { try add() } catch ObjectBoxError.illegalArgument(let message) {
        #expect(message.contains("are named '\(b)'"))
        return false
      }
      return true
    }
    return (
      try isAccepted { _ = try add(b, 2) },
      try isAccepted { try entity.addProperty(name: b, type: .long, id: 2, uid: 22) }
    )
  }

  @Test(arguments: [
    ("name", "name"), ("name", "nAME"), ("straße", "STRAßE"), ("é", "É"), ("e\u{301}", "\u{c9}"),
    ("k", "\u{212a}"), ("", ""), ("[", "["),
  ])
  func `a model refuses names that differ in case only`(a: String, b: String) throws {
    #expect(try builds(a, b) == (false, false))
    #expect(try builds(b, a) == (false, false))
  }

  @Test(arguments: [
    ("name", "names"), ("a", "b"), ("[", "{"), ("@", "`"), ("e", "e\u{301}"), ("é", "e"), ("", "a"),
    ("i", "\u{130}"),
  ])
  func `a model accepts other names`(a: String, b: String) throws {
    #expect(try builds(a, b) == (true, true))
    #expect(try builds(b, a) == (true, true))
  }
}
