import ObjectBoxGenerator
import ObjectBoxModelTools
import Testing

/// The annotation `collation`, from the sources to the model.
struct CollationTests {
  private func model(_ annotation: String) -> ModelDocument {
    let text = "struct Note: Entity { var id: Id\n// objectbox: \(annotation)\nvar it: String? }"
    let built = SchemaBuilder.build([SourceFile(path: "A.swift", text: text)])
    #expect(built.diagnostics.map(\.description) == [])
    var uids = UIDGenerator(isDeterministic: true)
    return ModelSynchronizer.synchronize(
      built.schema,
      with: ModelDocument(),
      uids: &uids
    ).model
  }

  @Test(arguments: [
    ("index", nil), ("index, collation = binary", nil),
    ("index, collation = \"nocase\"", SchemaCollation.nocase),
    ("collation = nocase, unique", .nocase),
    ("unique, index = value, collation = 'nocase'", .nocase),
  ])
  func `it stands in the model unless it is the usual one`(
    _ annotation: String,
    _ collation: SchemaCollation?
  ) {
    let model = model(annotation)
    #expect(model.entities[0].properties.map(\.collation) == [nil, collation])
    #expect(model.text.contains("\"collation\": \"nocase\"") == (collation != nil))
    #expect(ModelDocument.parse(model.text, path: "m").model == model)
    let damaged = ModelDocument.parse(model.text.replacing("nocase", with: "x"), path: "m").model
    #expect((damaged == nil) == (collation != nil))
  }

  @Test(arguments: [
    (
      "index, collation = \"1️⃣nocas\"", "String",
      "is 'nocas', which is unknown; did you mean 'nocase'?"
    ),
    ("index, collation = 1️⃣{}", "String", "is no word; write \"nocase\" or \"binary\""),
    ("index, 1️⃣collation = nocase", "Int", "type 'Int', and a collation is for texts"),
    ("1️⃣collation = nocase", "String", "has a collation and no index"),
  ])
  func `where it means nothing it is a fault`(
    _ annotation: String,
    _ type: String,
    _ text: String
  ) {
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox: \(annotation)\nvar it: \(type) }",
      ["1️⃣ error: \(text)"]
    )
  }

  @Test func `relations have none`() {
    expectFindings(
      """
      class Note: Entity {
        var id: Id = 0
        // objectbox: 1️⃣collation = nocase
        var one: ToOne<Note> = nil
        // objectbox: 2️⃣collation = nocase
        var all: ToMany<Note> = nil
      }
      """,
      ["1️⃣ error: cannot be used", "2️⃣ error: cannot be used"]
    )
  }

  @Test func `another collation is another index`() {
    let (old, new) = (model("unique"), model("unique, collation = nocase"))
    let differences = ModelComparison.differences(from: old, to: new)
    #expect(differences.map(\.kind) == [.indexChanged])
    #expect(differences.first?.after == "hash ignoring case")
    let merged = ModelMerge.merge(
      base: old,
      ours: old,
      theirs: new,
      places: ElementPlaces(text: old.text, path: "model.json")
    )
    #expect(merged.model == new)
  }
}
