import Testing

@testable import ObjectBoxGenerator

/// One run reports every finding that does not follow from another.
struct AllFindingsTests {
  @Test func `a file that cannot be read hides no misspelt annotation in another`() {
    let result = SchemaBuilder.build([
      SourceFile(path: "A.swift", text: "// objectbox: entitty\nclass A {}\n"),
      SourceFile(path: "B.swift", text: "class B: Entity { var kind: Kind }\n"),
      SourceFile(path: "C.swift", text: "enum Kind: Int { case a\n"),
      SourceFile(path: "D.swift", text: "// objectbox: entity\n\nclass D {}\n"),
    ])
    // C, which has a syntax error, may declare the ID of B, or Kind.
    #expect(result.diagnostics.map(\.position?.path) == ["A.swift", "C.swift", "D.swift"])
    #expect(result.diagnostics.map(\.isError) == [true, true, false])
  }

  @Test func `a type that is not known hides no annotation that does not depend on it`() {
    expectFindings(
      """
      struct Note: Entity {
        var id: Id
        // objectbox: uid = 1️⃣0, externalType = 2️⃣foo
        private var 3️⃣it = make()
      }
      """,
      [
        "1️⃣ error: the uid of 'Note.it'", "2️⃣ error: the externalType of 'Note.it'",
        "3️⃣ error: property 'it' of entity 'Note' is private", "3️⃣ error: the type of property 'it'",
      ]
    )
  }

  @Test func `a faulty conversion hides no annotation that does not depend on it`() {
    expectFindings(
      """
      struct Note: Entity {
        var id: Id
        // objectbox: convert = { "1️⃣a": 1, "2️⃣b": 2 }, uid = 3️⃣0
        var it: Int
      }
      """,
      ["1️⃣ error: has 'a'", "2️⃣ error: has 'b'", "3️⃣ error: the uid of 'Note.it'"]
    )
  }

  @Test func `all faults of two entities are told`() {
    expectFindings(
      """
      // objectbox: uid = 1️⃣0, sync = { "2️⃣a": 1, "3️⃣b": 1 }
      private class 4️⃣A: Entity { var x: Int }
      struct 5️⃣B<T>: Entity { var id: Id }
      """,
      [
        "1️⃣ error: the uid of 'A'", "2️⃣ error: has 'a'", "3️⃣ error: has 'b'",
        "4️⃣ error: entity 'A' has no ID", "4️⃣ error: entity 'A' is private",
        "5️⃣ error: entity 'B' is generic",
      ]
    )
  }

  @Test func `a UID that is asked for hides nothing, and none is offered that would not be kept`() {
    func run(_ text: String, _ model: ModelDocument) -> ModelSynchronizer.Result {
      var uids = UIDGenerator(isDeterministic: true)
      return ModelSynchronizer.synchronize(
        SchemaBuilder.build([SourceFile(path: "A.swift", text: text)]).schema,
        with: model,
        uids: &uids
      )
    }
    let model = run("class A: Entity { var id: Id = 0 }", ModelDocument()).model
    let head = "// objectbox: uid\nclass A: Entity {\n// objectbox: uid\nvar id: Id = 0\n"
    let alone = run(head + "}", model)
    #expect(alone.diagnostics.map(\.position?.line) == [1, 3])
    #expect(alone.diagnostics.allSatisfy { $0.message.text.contains("reset its stored values") })
    #expect(alone.model.newUIDPool?.count == 2)
    let mixed = run(head + "// objectbox: uid = 999\nvar x: Int = 0 }", model)
    #expect(mixed.diagnostics.map(\.position?.line) == [1, 3, 5])
    #expect(
      mixed.diagnostics.prefix(2).allSatisfy {
        $0.message.text.hasSuffix("correct the other findings first") && $0.fixIts.count == 1
      }
    )
    #expect(mixed.model == model)
  }

  // MARK: Facts

  @Test(arguments: [
    (DiagnosticMessage.duplicateID("new", earlier: "old", entity: "E"), ["E", "new", "old"]),
    (.missingID("E", "T"), ["'E'", "EntityId<T>"]),
    (.ambiguousID(["a", "b"], entity: "E"), ["E", "'a', 'b'"]),
    (.conversionWithoutType("p", entity: "E"), ["E.p"]),
    (.conversionWithoutDefault("p", entity: "E"), ["E.p"]),
    (.invalidSync("k", entity: "E"), ["E", "'k'"]),
    (.invalidUnique("p: Int", "reason", in: "entity 'E'"), ["p: Int", "reason", "E"]),
    (.modelVersion(found: "the number 3", oldest: 4), ["3", "4"]),
    (.duplicateEntityName("E"), ["'E'"]),
    (.duplicatePropertyName("a", "b", "n", entity: "E"), ["'a'", "'b'", "'n'", "'E'"]),
    (.duplicateEntityID("E", 7), ["'E'", "7"]),
    (.duplicatePropertyID("p", 7, entity: "E"), ["'p'", "7", "'E'"]),
    (.noLastPropertyID("E"), ["'E'"]),
    (
      .lastUIDMismatch("entity 'E'", ModelID(id: 7, uid: 300), key: "k", ModelID(id: 7, uid: 400)),
      ["'E'", "7", "300", "400"]
    ),
    (.aboveLast("entity 'E'", 7, key: "k", 6), ["'E'", "7", "6"]),
    (.duplicateUID(300), ["300"]), (.uidOutOfRange(3), ["3"]), (.outOfUIDs(last: 300), ["300"]),
    (.uidUsedTwice(300, "property 'p' of entity 'E'"), ["300", "'p'", "'E'"]),
    (.noSuchElement(300, "property 'p' of entity 'E'"), ["300", "'E'"]),
    (.sameElement("entities", "A", "B", uid: 300), ["'A'", "'B'", "300"]),
    (.tellUID("entity 'E'", current: 300, new: 400), ["'E'", "300", "400"]),
    (.tellCurrentUID("entity 'E'", current: 300), ["'E'", "300"]),
    (.uidNeedsValue("property 'p' of entity 'E'"), ["'p'", "'E'"]),
    (.uidNotInPool(300, "entity 'E'"), ["300", "'E'"]),
  ])
  func `errors tell the facts that people search for`(
    _ message: DiagnosticMessage,
    _ facts: [String]
  ) {
    for fact in facts { #expect(message.text.contains(fact), "\(message.text)") }
    #expect(message.text.first?.isUppercase == false)
    #expect(!message.text.hasSuffix("."))
  }

  @Test func `a draw without a free UID tells the last one`() {
    var uids = UIDGenerator(isDeterministic: true)
    let known = Set((0..<2000).map { (UInt64(13762) + 999 * ($0 + 1)) & ~0xFF })
    #expect(uids.next(excluding: known) == nil)
    #expect(uids.lastDrawn == (13762 + 999 * 1000) & ~0xFF)
  }
}
