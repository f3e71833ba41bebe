@testable import ObjectBoxGenerator
import Testing

/// `sync = counter`, `unique` with `merge`, `propertyClocks`, and `resolve`.
struct SyncConflictRuleTests {
  private static let counter = "// objectbox: sync = counter\n"
  private static let merge = "unique = { \"onConflict\": \"merge\" }"
  private static let clocks = "entity, sync = { \"propertyClocks\": true }"

  private func source(_ members: String, entity: String = "entity, sync") -> String {
    "// objectbox: \(entity)\nstruct Note { var id: Id\n\(members) }"
  }

  // MARK: Counters

  @Test(arguments: [
    ("Int", UInt32(1_073_741_824)), ("Int64", 1_073_741_824), ("UInt", 1_073_750_016),
    ("UInt64", 1_073_750_016),
  ])
  func `a counter is an integer of 64 bits`(_ type: String, _ flags: UInt32) throws {
    let entity = try entity(source(Self.counter + "var it: \(type)"))
    #expect(entity.properties.last?.flags.rawValue == flags)
  }

  @Test(arguments: ["Int?", "Int32", "UInt8", "Bool", "Double", "String", "Date"])
  func `a counter of another type is a fault`(_ type: String) {
    expectFindings(
      source("// objectbox: 1️⃣sync = counter\nvar it: \(type)"),
      [
        "1️⃣ error: the annotation 'sync' of 'it: \(type)' in entity 'Note' cannot be used: it is for Int, Int64, UInt and UInt64; remove it"
      ]
    )
  }

  @Test func `a counter of an entity without sync is a fault`() {
    expectFindings(
      source("// objectbox: 1️⃣sync = counter\nvar it: Int", entity: "entity"),
      [
        "1️⃣ error: 'it: Int' in entity 'Note' cannot be used: the entity is not annotated with 'sync'"
      ]
    )
  }

  @Test(arguments: ["unique", "syncClock", "syncPrecedence"])
  func `a counter beside another rule is a fault`(_ other: String) {
    expectFindings(
      source("// objectbox: 1️⃣sync = counter, \(other)\nvar it: Int64"),
      ["1️⃣ error: 'it: Int64' in entity 'Note' cannot be used: it stands beside '\(other)'"]
    )
  }

  @Test func `a counter in uniqueTogether is a fault`() {
    expectFindings(
      source(
        "// objectbox: 1️⃣sync = counter\nvar a: Int\nvar b: Int",
        entity: "entity, sync, uniqueTogether = [\"a\", \"b\"]"
      ),
      ["1️⃣ error: 'a: Int' in entity 'Note' cannot be used: the property is in 'uniqueTogether'"]
    )
  }

  @Test func `a counter that is the ID, or a relation, is a fault`() {
    expectFindings(
      """
      // objectbox: entity, sync
      class Note {
        // objectbox: 1️⃣sync = counter
        var id: Id = 0
        // objectbox: 2️⃣sync = counter
        var note: ToOne<Note> = nil
        // objectbox: 3️⃣sync = counter
        var notes: ToMany<Note> = nil
        init() {}
      }
      """,
      [
        "1️⃣ error: the annotation 'sync' cannot be used on",
        "2️⃣ error: the annotation 'sync' cannot be used on",
        "3️⃣ error: the annotation 'sync' cannot be used on",
      ]
    )
  }

  @Test(arguments: ["sync = 1️⃣count", "1️⃣sync"])
  func `a property has no other value of sync`(_ annotation: String) {
    expectFindings(
      source("// objectbox: \(annotation)\nvar it: Int"),
      ["1️⃣ error: 'it: Int' in entity 'Note' cannot be used: a property has `sync = counter` only"]
    )
  }

  // MARK: Unique values

  @Test func `merge sets its flag`() throws {
    let entity = try entity(source("// objectbox: \(Self.merge)\nvar it: String"))
    let flags: UInt32 = 536_870_912 | 2048 | 32 | 8
    #expect(entity.properties.last?.flags.rawValue == flags)
  }

  @Test func `merge on an entity without sync is a fault`() {
    expectFindings(
      source(
        "// objectbox: unique = { \"onConflict\": \"1️⃣merge\" }\nvar it: Int",
        entity: "entity"
      ),
      ["1️⃣ error: 'it: Int' in entity 'Note' cannot be used: 'merge' is for entities annotated"]
    )
  }

  // MARK: Clocks

  @Test func `propertyClocks sets its flag`() throws {
    #expect(try entity(source("", entity: Self.clocks)).flags.rawValue == 1_073_741_826)
  }

  @Test(arguments: ["syncClock", "syncPrecedence"])
  func `an entity with propertyClocks has no other clock`(_ name: String) {
    expectFindings(
      source("// objectbox: 1️⃣\(name)\nvar it: Int64", entity: Self.clocks),
      ["1️⃣ error: 'it: Int64' in entity 'Note' cannot be used: the entity has 'propertyClocks'"]
    )
  }

  // MARK: Functions

  @Test(arguments: [
    ("{ \"resolve\": true }", UInt32(536_870_914)), ("{ \"resolve\": false }", 2),
    ("{ \"resolve\": true, \"propertyClocks\": true }", 1_610_612_738),
  ])
  func `resolve sets its flag, also beside propertyClocks`(_ value: String, _ flags: UInt32) throws
  {
    #expect(try entity(source("", entity: "entity, sync = \(value)")).flags.rawValue == flags)
  }

  @Test func `resolve may stand beside the clock of the entity`() throws {
    let text = source(
      "// objectbox: syncClock\nvar it: Int64",
      entity: "entity, sync = { \"resolve\": true }"
    )
    #expect(try entity(text).flags.rawValue == 536_870_914)
  }

  @Test(arguments: ["1", "\"true\"", "\"merge\""])
  func `resolve is a Boolean`(_ value: String) {
    expectFindings(
      source("", entity: "entity, sync = { \"1️⃣resolve\": \(value) }"),
      [
        "1️⃣ error: the sync annotation of entity 'Note' has 'resolve', which is unknown or no Boolean"
      ]
    )
  }

  // MARK: Words

  @Test(arguments: ["counter", "propertyClocks", "resolve"])
  func `the words of other forms are no values of an entity's sync`(_ word: String) {
    expectFindings(
      source("", entity: "entity, sync = 1️⃣\(word)"),
      ["1️⃣ error: the sync annotation of entity 'Note' has '\(word)'"]
    )
  }

  // MARK: Model and code

  @Test func `the flags are in the model and in the generated code`() throws {
    let text = source(
      Self.counter + "var it: Int\n// objectbox: \(Self.merge)\nvar code: Int",
      entity: Self.clocks
    )
    let entity = try entity(text)
    #expect(FlagNames.list(of: entity.flags) == "[.syncEnabled, .syncPropertyClocks]")
    #expect(
      entity.properties.dropFirst().map { FlagNames.list(of: $0.flags) } == [
        ".syncCounter", "[.unique, .indexed, .uniqueOnConflictMerge]",
      ]
    )
    let resolved = try ObjectBoxGeneratorTests.entity(
      source("", entity: "entity, sync = { \"resolve\": true }")
    )
    #expect(FlagNames.list(of: resolved.flags) == "[.syncEnabled, .syncResolve]")
  }
}
