import ObjectBoxGenerator
import ObjectBoxModelTools
import Testing

/// Numbers at the limits of their ranges, in models and annotations.
struct HostileModelTests {
  private static let maximum = "4294967295"

  private static func model(
    lastEntity: String = "1:1000",
    lastProperty: String = "2:1002",
    lastIndex: String = "0:0",
    lastRelation: String = "0:0",
    property: String = "2:1002"
  ) -> String {
    """
    { "entities": [{ "id": "1:1000", "name": "A", "lastPropertyId": "\(lastProperty)", "properties": [
      { "id": "1:1001", "name": "id", "type": 6, "flags": 1 },
      { "id": "\(property)", "name": "x", "type": 6 }] }],
      "lastEntityId": "\(lastEntity)", "lastIndexId": "\(lastIndex)",
      "lastRelationId": "\(lastRelation)", "lastSequenceId": "\(maximum):1" }
    """
  }

  private func synchronize(_ model: String, _ source: String) throws -> ModelSynchronizer.Result {
    let (document, diagnostics) = ModelDocument.parse(model, path: "m.json")
    let old = try #require(document, "\(diagnostics.map(\.description))")
    let built = SchemaBuilder.build([SourceFile(path: "A.swift", text: source)])
    #expect(built.diagnostics.map(\.description) == [])
    var uids = UIDGenerator(isDeterministic: true)
    return ModelSynchronizer.synchronize(
      built.schema,
      with: old,
      uids: &uids
    )
  }

  private static func a(_ members: String = "") -> String {
    "class A: Entity {\nvar id: Id = 0\nvar x = 0\n\(members)\n}\n"
  }

  @Test(arguments: [
    (
      model(lastEntity: "\(maximum):5000"), a() + "class B: Entity { var id: Id = 0 }",
      "A.swift:6:7"
    ),
    (model(lastProperty: "\(maximum):5000"), a("var y = 0"), "A.swift:4:5"),
    (model(lastProperty: "32765:5000"), a("var y = 0"), "A.swift:4:5"),
    (model(lastIndex: "\(maximum):5000"), a("// objectbox: index\nvar y = 0"), "A.swift:5:5"),
    (
      model(lastIndex: "\(maximum):5000"),
      "// objectbox: indexTogether = [\"x\", \"y\"]\n" + a("var y = 0"), "A.swift:1:"
    ),
    (model(lastRelation: "\(maximum):5000"), a("var all: ToMany<A> = nil"), "A.swift:4:5"),
  ])
  func `an ID at its end is an error with the place of what needs the next one`(
    model: String,
    source: String,
    place: String
  ) throws {
    let result = try synchronize(model, source)
    #expect(result.diagnostics.count == 1, "\(result.diagnostics.map(\.description))")
    let text = try #require(result.diagnostics.first?.description)
    #expect(text.hasPrefix(place) && text.contains("there is no ID for it"), "\(text)")
    #expect(result.model == ModelDocument.parse(model, path: "m").model)
    // If no element is new, the numbers do no harm.
    #expect(try synchronize(model, Self.a()).diagnostics == [])
  }

  @Test(arguments: ["0", "32766", "65536", "2147483648", maximum])
  func `a property whose ID no record can hold is an error`(id: String) throws {
    let model = Self.model(
      lastProperty: id == "0" ? "2:1003" : "\(id):1002",
      property: "\(id):1002"
    )
    let result = try synchronize(model, Self.a())
    #expect(result.diagnostics.count == 1)
    let text = try #require(result.diagnostics.first?.description)
    #expect(
      text.hasPrefix("A.swift:3:5: error: property 'x' of entity 'A' has ID \(id)"),
      "\(text)"
    )
  }

  @Test(arguments: [
    "4294967296:1000", "-1:1000", "0x10:1000", "1e3:1000", "1:18446744073709551616", "1:-1", ":",
    "",
    "1:", ":1", "1:1000:1", "99999999999999999999:1", "1.5:1000", "٣:1000",
  ])
  func `an ID that is no number of its range is an error of the model file`(id: String) {
    let (model, diagnostics) = ModelDocument.parse(Self.model(lastEntity: id), path: "m.json")
    #expect(model == nil)
    #expect(diagnostics.first?.position?.path == "m.json")
  }

  @Test(arguments: [
    (#"{ "entities": [{ "id": "0:1000", "name": "A", "properties": [] }] }"#, 24),
    (
      #"{ "entities": [{ "id": "1:1000", "name": "A", "properties": [{ "id": "1:1001", "name": "x", "type": 6, "#
        + #""indexId": "0:1002" }] }] }"#, 115
    ),
    (
      #"{ "entities": [{ "id": "1:1000", "name": "A", "properties": [], "relations": [{ "id": "0:1001", "#
        + #""name": "r", "targetId": "1:1000" }] }] }"#, 87
    ),
  ])
  func `an entity, an index or a relation with ID 0 is an error with its place`(
    text: String,
    column: Int
  ) throws {
    let (model, diagnostics) = ModelDocument.parse(text, path: "m.json")
    #expect(model == nil)
    let found = try #require(
      diagnostics.first { $0.message.text.contains("with an ID from 1 is expected") },
      "\(diagnostics.map(\.description))"
    )
    #expect(found.position?.path == "m.json")
    #expect(found.position?.line == 1)
    #expect(found.position?.column == column)
  }

  @Test(arguments: [
    "18446744073709551615", "9223372036854775808", "-1", "0", "0x1000", "1e10",
    "-9223372036854775808",
    "99999999999999999999999999", "1.5", "four",
  ])
  func `a uid that is no positive 63-bit number is an error of its annotation`(uid: String) {
    expectFindings(
      "// objectbox: uid = 1️⃣\(uid)\nclass A: Entity { var id: Id = 0 }",
      ["1️⃣ error: the uid of 'A' is no positive number"]
    )
    expectFindings(
      "class A: Entity {\nvar id: Id = 0\n// objectbox: uid = 1️⃣\(uid)\nvar x = 0\n}",
      ["1️⃣ error: the uid of 'A.x' is no positive number"]
    )
  }

  @Test func `the highest UID of all is looked for and not found`() throws {
    let result = try synchronize(
      Self.model(),
      "// objectbox: uid = 9223372036854775807\n" + Self.a()
    )
    #expect(result.diagnostics.map(\.message.text).first?.contains("not in the model") == true)
  }

  @Test(arguments: [
    model(lastEntity: "\(maximum):5000", lastProperty: "\(maximum):5000"),
    model(lastIndex: "\(maximum):5000", lastRelation: "\(maximum):5000"),
    model(lastProperty: "\(maximum):1002", property: "\(maximum):1002"),
    model(lastProperty: "2:1002", property: "0:1002"),
  ])
  func `no verb of model ends the process`(text: String) throws {
    let model = try #require(ModelDocument.parse(text, path: "m").model)
    let usual = try #require(ModelDocument.parse(Self.model(), path: "m").model)
    let places = ElementPlaces(text: text, path: "m")
    for (ours, theirs) in [(model, usual), (usual, model), (model, model)] {
      _ = ModelComparison.differences(from: ours, to: theirs)
      _ = ModelMerge.merge(base: ModelDocument(), ours: ours, theirs: theirs, places: places)
      _ = ModelMerge.merge(base: usual, ours: ours, theirs: theirs, places: places)
    }
    for format in ModelSchema.Format.allCases {
      _ = try? ModelSchema.text(of: model, title: "m", as: format)
    }
    _ = try ModelDiagram.text(of: model, as: .mermaid)
  }

  @Test(arguments: [
    "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> b\n",
    "{ \"entities\": [\n<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> b\n]}",
    "{ \"entities\": [],\n<<<<<<< HEAD\n\"lastEntityId\": \"1:300\"\n=======\n>>>>>>> b\n}",
    "{ \"retiredEntityUids\": [\n300\n<<<<<<< HEAD\n,\n400\n=======\n>>>>>>> b\n]}",
    "{ \"lastEntityId\":\n<<<<<<< HEAD\n\"1:300\"\n=======\n\"1:400\"\n>>>>>>> b\n}",
    "{ \"modelVersion\": 5\n<<<<<<< HEAD\n, \"a\": 1\n||||||| base\n=======\n>>>>>>> b\n}",
  ])
  func `marks of a merge conflict are told as such, with what to run`(text: String) throws {
    let (model, diagnostics) = ModelDocument.parse(text, path: "m.json")
    #expect(model == nil && diagnostics.count == 1)
    let finding = try #require(diagnostics.first)
    #expect(finding.message.text.contains("has a merge conflict"))
    #expect(finding.message.text.contains("`objectbox-generator model merge`"))
    #expect(finding.message.text.contains("install-merge-driver"))
    let line = text.split(separator: "\n", omittingEmptySubsequences: false)
      .firstIndex { $0.hasPrefix("<<<<<<<") }
    #expect(finding.position?.line == line.map { $0 + 1 })
  }
}
