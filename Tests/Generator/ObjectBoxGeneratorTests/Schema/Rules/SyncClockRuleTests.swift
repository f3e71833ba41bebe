import ObjectBoxGenerator
import Testing

/// `syncClock`, `syncPrecedence` and `id-companion`.
struct SyncClockRuleTests {
  private func source(_ members: String, entity: String = "entity, sync") -> String {
    "// objectbox: \(entity)\nstruct Note { var id: Id\n\(members) }"
  }

  @Test(arguments: [("syncClock", UInt32(131072)), ("syncPrecedence", 262144)])
  func `a 64-bit number of a synchronised entity takes the flag`(_ name: String, _ flag: UInt32)
    throws
  {
    let entity = try entity(source("// objectbox: \(name)\nvar it: Int64"))
    #expect(entity.properties.last?.flags.rawValue == flag)
  }

  @Test func `an entity may have one of each`() throws {
    let entity = try entity(
      source("// objectbox: syncClock\nvar a: Int64\n// objectbox: syncPrecedence\nvar b: Int64")
    )
    #expect(entity.properties.map(\.flags.rawValue) == [1, 131072, 262144])
  }

  @Test func `both on one property is told once and names both`() {
    expectFindings(
      source("// objectbox: 1️⃣syncClock, syncPrecedence\nvar it: Int64"),
      [
        "1️⃣ error: 'syncClock' of 'it: Int64' in entity 'Note' cannot be used: it stands beside 'syncPrecedence'"
      ]
    )
  }

  @Test(arguments: ["syncClock", "syncPrecedence"])
  func `the entity must be synchronised`(_ name: String) {
    expectFindings(
      source("// objectbox: 1️⃣\(name)\nvar it: Int64", entity: "entity"),
      [
        "1️⃣ error: '\(name)' of 'it: Int64' in entity 'Note' cannot be used: the entity is not annotated with 'sync'"
      ]
    )
  }

  @Test(arguments: ["String", "Int32", "Date?"], ["syncClock", "syncPrecedence"])
  func `the type must be a 64-bit number`(_ type: String, _ name: String) {
    expectFindings(
      source("// objectbox: 1️⃣\(name)\nvar it: \(type)"),
      ["1️⃣ error: '\(name)' of 'it: \(type)' in entity 'Note' cannot be used: it is for Int64"]
    )
  }

  @Test(arguments: ["syncClock", "syncPrecedence"])
  func `a second one is told with the first`(_ name: String) {
    expectFindings(
      source("// objectbox: \(name)\nvar 2️⃣a: Int64\n// objectbox: 1️⃣\(name)\nvar b: Int64"),
      [
        "1️⃣ error: '\(name)' of 'b: Int64' in entity 'Note' cannot be used: 'a' of the entity has it already; remove it -> 2️⃣ note"
      ]
    )
  }

  @Test(arguments: [
    ("id-companion", "Date", UInt32(16384)), ("id-companion, date-nano", "Date?", 16384),
  ])
  func `a date can go with the ID`(_ annotation: String, _ type: String, _ flag: UInt32) throws {
    #expect(try property("// objectbox: \(annotation)\nvar it: \(type)").flags.rawValue == flag)
  }

  @Test func `a companion of another type is an error`() {
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox: 1️⃣id-companion\nvar it: Int64 }",
      ["1️⃣ error: 'id-companion' of 'it: Int64' in entity 'Note' cannot be used: it is for Date"]
    )
  }
}
