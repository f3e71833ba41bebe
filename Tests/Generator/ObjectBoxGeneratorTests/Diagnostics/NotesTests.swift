import Testing

@testable import ObjectBoxGenerator

/// Findings about two contradicting places point at both.
struct NotesTests {
  /// Returns the marks of a source's finding (1️⃣) and of its notes (2️⃣ and so on).
  private func places(_ marked: String) -> [String] {
    let source = MarkedSource(marked)
    return SchemaBuilder.build([source.file]).diagnostics.flatMap { finding in
      ([finding] + finding.notes).map { source.mark(at: $0.position) }
    }
  }

  @Test(arguments: [
    "struct Note: Entity { var 2️⃣id: Id\nvar a: Int\nvar 1️⃣ID: Id }",
    "struct Note: Entity {\n// objectbox: id\nvar 2️⃣a: Id\n// objectbox: 1️⃣id\nvar b: Id }",
    "struct 2️⃣Note: Entity { var id: Id }\nextension A { struct 1️⃣NOTE: Entity { var id: Id } }",
    "struct Note: Entity { var id: Id\n// objectbox: 2️⃣name = \"a\"\n// objectbox: 1️⃣name = \"b\"\nvar x: Int }",
    "struct Note: Entity { var id: Id\n// objectbox: 2️⃣date-nano, type = \"1️⃣date-nano\"\nvar x: Date }",
  ])
  func `two declarations or annotations`(_ marked: String) {
    #expect(places(marked) == ["1️⃣", "2️⃣"])
  }

  @Test func `several candidates for the ID`() {
    #expect(
      places("struct 1️⃣Note: Entity { var 2️⃣a: Id\nvar x: Int\nvar 3️⃣b: Id }") == ["1️⃣", "2️⃣", "3️⃣"]
    )
  }

  /// Returns the marks of the findings of a source with another source's model.
  private func places(_ marked: String, modelOf earlier: String) -> [String] {
    func run(_ file: SourceFile, _ model: ModelDocument) -> ModelSynchronizer.Result {
      let built = SchemaBuilder.build([file])
      #expect(built.diagnostics == [])
      var uids = UIDGenerator(isDeterministic: true)
      return ModelSynchronizer.synchronize(
        built.schema,
        with: model,
        uids: &uids
      )
    }
    let source = MarkedSource(marked)
    let model = run(SourceFile(path: "A.swift", text: earlier), ModelDocument()).model
    return run(source.file, model).diagnostics.flatMap { finding in
      #expect(!finding.message.text.isEmpty)
      return ([finding] + finding.notes).map { source.mark(at: $0.position) }
    }
  }

  private static let earlier = "class A: Entity { var id: Id = 0; var x: Int = 0 }"

  @Test(arguments: [
    // UIDs: 14592 of `id`, 15616 of `x`, 16640 of `A`.
    "class A: Entity { var id: Id = 0\n// objectbox: 2️⃣uid = 15616\nvar a: Int = 0\n// objectbox: 1️⃣uid = 15616\nvar b: Int = 0 }",
    "class A: Entity { var id: Id = 0\nvar 2️⃣x: Int = 0\n// objectbox: uid = 15616\nvar 1️⃣y: Int = 0 }",
    "// objectbox: 2️⃣uid = 16640\nclass A: Entity { var id: Id = 0 }\n// objectbox: 1️⃣uid = 16640\nclass B: Entity { var id: Id = 0 }",
    "class 2️⃣A: Entity { var id: Id = 0 }\n// objectbox: uid = 16640\nclass 1️⃣B: Entity { var id: Id = 0 }",
  ])
  func `two declarations that want one element of the model`(_ marked: String) {
    #expect(places(marked, modelOf: Self.earlier) == ["1️⃣", "2️⃣"])
  }

  @Test(arguments: [
    "// objectbox: 1️⃣uid = 999\nclass A: Entity { var id: Id = 0 }",
    "class A: Entity { var id: Id = 0\n// objectbox: 1️⃣uid\nvar new: Int = 0 }",
    "class B: Entity { var id: Id = 0\n// objectbox: 1️⃣uid = 15616\nvar x: Int = 0 }",
  ])
  func `a UID that cannot be found is told at its annotation`(_ marked: String) {
    #expect(places(marked, modelOf: Self.earlier) == ["1️⃣"])
  }

  /// Returns the line numbers of a model's findings.
  private func lines(_ model: String) -> [[Int]] {
    ModelDocument.parse(model, path: "m").diagnostics.map { finding in
      ([finding] + finding.notes).compactMap { $0.position?.line }
    }
  }

  private func model(_ ids: [String], properties: [String], last: String, lastProperty: String)
    -> String
  {
    let inner = properties.enumerated().map {
      "{\"name\":\"p\($0.offset)\",\"id\":\"\($0.element)\"}"
    }
    let entities = ids.enumerated().map { place, id in
      let own = place == 0 ? inner : []
      return "{\"name\":\"E\(place)\",\"lastPropertyId\":\n\"\(lastProperty)\",\"properties\":[\n"
        + own.joined(separator: ",\n") + "],\n\"id\":\"\(id)\"}"
    }
    return "{\"entities\":[" + entities.joined(separator: ",\n")
      + "],\n\"lastEntityId\":\"\(last)\"}"
  }

  @Test func `two elements of the model`() {
    // Equal entity IDs.
    #expect(
      lines(model(["1:300", "1:400"], properties: [], last: "2:900", lastProperty: "0:0")) == [
        [8, 4]
      ]
    )
    // Equal UIDs.
    #expect(
      lines(model(["1:300", "2:300"], properties: [], last: "3:900", lastProperty: "0:0")) == [
        [8, 4]
      ]
    )
    // Equal property IDs.
    #expect(
      lines(
        model(["1:300"], properties: ["1:400", "1:500"], last: "2:900", lastProperty: "2:500")
      ) == [[4, 3]]
    )
  }

  @Test func `an ID and the last one`() {
    #expect(
      lines(model(["2:300"], properties: [], last: "1:900", lastProperty: "0:0")) == [[4, 5]]
    )
    #expect(
      lines(model(["1:300"], properties: [], last: "1:900", lastProperty: "0:0")) == [[4, 5]]
    )
    #expect(
      lines(model(["1:300"], properties: ["2:400"], last: "2:900", lastProperty: "1:400")) == [
        [3, 2]
      ]
    )
    #expect(
      lines(model(["1:300"], properties: ["1:400"], last: "2:900", lastProperty: "1:500")) == [
        [3, 2]
      ]
    )
  }

  @Test func `a key that stands in the model twice`() {
    #expect(lines("{\"a\": 1,\n\"b\": 2,\n\"a\": 3}") == [[3, 1]])
  }
}
