import Testing

@testable import ObjectBoxGenerator
@testable import ObjectBoxModelTools

/// The annotations `fulltext` and `fulltextTogether`, from the sources to the model.
struct FullTextRuleTests {
  private struct History {
    var model = ModelDocument()
    var uids = UIDGenerator(isDeterministic: true)

    @discardableResult
    mutating func run(
      _ members: String,
      _ annotation: String = "name = \"Note\""
    ) -> ModelSynchronizer.Result {
      let text =
        "// objectbox: entity, \(annotation)\npublic struct Note { var id: Id\n\(members) }"
      let built = SchemaBuilder.build([SourceFile(path: "A.swift", text: text)])
      #expect(built.diagnostics.map(\.description) == [])
      let result = ModelSynchronizer.synchronize(built.schema, with: model, uids: &uids)
      model = result.model
      #expect(ModelDocument.parse(model.text, path: "m").model == model)
      return result
    }

    var indexes: [ModelDocument.FullTextIndex] { model.entities[0].fullTextIndexes }
  }

  private static let plain = "// objectbox: fulltext\nvar text: String; var title: String?"
  private static let rich = """
    // objectbox: fulltext = { "language": "de", "prefix": [3, 2], "diacritics": "keep", "k1": 1.5, "b": 0 }
    var text: String; var title: String?
    """
  private static let together =
    "fulltextTogether = { \"name\": \"words\", \"properties\": { \"title\": 3, \"text\": 1 } }"

  @Test func `a text gets an index with settings`() {
    var history = History()
    history.run(Self.rich)
    let index = history.indexes[0]
    #expect(index.propertyIDs.map(\.id) == [2])
    #expect(index.language == "de" && index.prefixLengths == [2, 3])
    #expect(index.diacritics == .keep && index.k1 == 1.5 && index.b == 0)
    #expect(index.givenName == nil && index.weights == [])
    #expect(history.model.lastIndexID == index.id)
  }

  @Test func `settings with their usual values are not written`() {
    var history = History()
    history.run(
      "// objectbox: fulltext = { \"diacritics\": \"fold\", \"k1\": 1.2, \"b\": 0.75 }\nvar text: String"
    )
    let index = history.indexes[0]
    let expected = """
              {
                "id": "\(index.id)",
                "properties": [
                  "\(index.propertyIDs[0])"
                ]
              }
      """
    #expect(history.model.text.contains(expected))
  }

  @Test func `an index stands beside an index of values`() {
    var history = History()
    history.run("// objectbox: fulltext, index = value\nvar text: String")
    #expect(history.model.entities[0].properties[1].indexID?.id == 1)
    #expect(history.indexes[0].id.id == 2)
  }

  @Test func `several properties have weights in the order of their IDs`() {
    var history = History()
    history.run("var text: String; var title: String?", Self.together)
    let index = history.indexes[0]
    #expect(index.givenName == "words")
    #expect(index.propertyIDs.map(\.id) == [2, 3] && index.weights == [1, 3])
    let id = index.id
    #expect(history.run("var title: String?; var text: String", Self.together).changes == [])
    #expect(history.indexes[0].weights == [1, 3] && history.indexes[0].id == id)
  }

  @Test func `an index keeps its identity when its settings change, and tells of the change`() {
    var history = History()
    history.run(Self.plain)
    let id = history.indexes[0].id
    let result = history.run(Self.rich)
    #expect(
      result.changes.map(\.text) == [
        "the full-text index of entity 'Note' was 'text', and is 'text', language de, "
          + "prefixes of 2 3, with diacritics, k1 1.5, b 0.0"
      ]
    )
    #expect(result.changes.map(\.effect) == [DataEffect.indexRebuilt])
    #expect(history.indexes.map(\.id) == [id])
    #expect(history.run(Self.rich).changes == [])
  }

  @Test func `an index with other properties or another name is another index`() {
    var history = History()
    history.run("var text: String; var title: String; var more: String", Self.together)
    let first = history.indexes[0].id
    history.run(
      "var text: String; var title: String; var more: String",
      "fulltextTogether = { \"name\": \"words\", \"properties\": { \"title\": 1, \"more\": 1 } }"
    )
    #expect(history.indexes.map(\.id.id) == [2])
    #expect(history.indexes[0].weights == [])
    #expect(history.model.retiredIndexUIDs == [first.uid])
    history.run("var text: String; var title: String; var more: String")
    #expect(history.model.retiredIndexUIDs.count == 2)
    #expect(history.model.text.contains("fullTextIndexes") == false)
  }

  @Test(arguments: [
    ("fulltext = { \"1️⃣languages\": \"en\" }", "'languages' is unknown; did you mean 'language'?"),
    ("fulltext = { \"language\": \"1️⃣english\" }", "'english' of 'language' is none of ar, ca, da"),
    ("fulltext = { \"diacritics\": \"1️⃣drop\" }", "'drop' of 'diacritics' is none of fold, keep"),
    ("fulltext = { \"prefix\": 1️⃣[0] }", "'prefix' is no list of whole numbers from 1 to 16"),
    ("fulltext = { \"prefix\": \"1️⃣2\" }", "'prefix' is no list of whole numbers from 1 to 16"),
    ("fulltext = { \"k1\": 1️⃣-1 }", "'k1' is no number from 0 to 100"),
    ("fulltext = { \"b\": \"1️⃣1\" }", "'b' is no number from 0 to 1"),
    ("1️⃣fulltext = en", "its value is no object"),
  ])
  func `each wrong setting has its own finding`(_ annotation: String, _ reason: String) {
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox: \(annotation)\nvar it: String }",
      ["1️⃣ error: \(reason)"]
    )
  }

  @Test(arguments: ["Int", "Data", "URL", "Decimal?", "[String]", "Date"])
  func `only texts can have one`(_ type: String) {
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox: 1️⃣fulltext\nvar it: \(type) }",
      [
        "1️⃣ error: the annotation 'fulltext' of 'it: \(type)' in entity 'Note' cannot be used: only texts"
      ]
    )
  }

  @Test(arguments: [
    ("5", "its value is no object"), ("{ \"properties\": {} }", "it says no name"),
    ("{ \"name\": \"a b\" }", "'name' is no name in Swift"),
    ("{ \"name\": \"\" }", "'name' is no name in Swift"),
    ("{ \"name\": \"text\" }", "the name 'text' stands for another member"),
    ("{ \"name\": \"w\" }", "it says no properties"),
    ("{ \"name\": \"w\", \"properties\": [\"text\"] }", "no object of property names and weights"),
    ("{ \"name\": \"w\", \"properties\": { \"text\": 1 } }", "fewer than two properties"),
    (
      "{ \"name\": \"w\", \"properties\": { \"texd\": 1 } }", "is no property; did you mean 'text'?"
    ),
    ("{ \"name\": \"w\", \"properties\": { \"n\": 1 } }", "'n' has type 'Int', and only texts"),
    (
      "{ \"name\": \"w\", \"properties\": { \"text\": 0 } }",
      "the weight of 'text' is no whole number"
    ),
    ("{ \"name\": \"w\", \"properties\": { \"text\": 256 } }", "the weight of 'text' is no whole"),
    (
      "{ \"name\": \"w\", \"properties\": { \"text\": 1, \"title\": 1 }, \"lang\": \"en\" }",
      "the key 'lang' is unknown"
    ),
  ])
  func `each fault of several properties has its own finding`(_ value: String, _ reason: String) {
    let source = MarkedSource(
      """
      // objectbox: entity, fulltextTogether = \(value)
      struct Note { var id: Id; var n: Int; var text: String; var title: String }
      """
    )
    let found = SchemaBuilder.build([source.file]).diagnostics.map(source.describe)
    #expect(found.count == 1)
    #expect(
      found.contains { $0.contains("'fulltextTogether' of entity 'Note'") && $0.contains(reason) }
    )
  }

  @Test func `two indexes of one name are a fault`() {
    expectFindings(
      """
      // objectbox: entity, \(Self.together)
      // objectbox: fulltextTogether = { "name": "1️⃣words", "properties": { "a": 1, "text": 1 } }
      struct Note { var id: Id; var a: String; var text: String; var title: String }
      """,
      ["1️⃣ error: the name 'words' stands for another member"]
    )
  }

  @Test func `a merge takes the settings of the side that changed them`() throws {
    var base = History()
    base.run(Self.plain)
    var (ours, theirs) = (base, base)
    ours.run(Self.rich)
    theirs.run(
      "// objectbox: fulltext = { \"language\": \"en\" }\nvar text: String; var title: String?"
    )
    func merge(_ ours: ModelDocument, _ theirs: ModelDocument) -> ModelMerge.Result {
      ModelMerge.merge(
        base: base.model,
        ours: ours,
        theirs: theirs,
        places: ElementPlaces(text: ours.text, path: "model.json")
      )
    }
    #expect(merge(ours.model, base.model).model == ours.model)
    #expect(merge(base.model, theirs.model).model == theirs.model)
    let conflict = merge(ours.model, theirs.model)
    #expect(conflict.model == nil)
    #expect(
      conflict.diagnostics.contains { $0.message.text.contains("the full-text index of entity") }
    )
    theirs = base
    theirs.run("var text: String; var title: String?")
    #expect(merge(base.model, theirs.model).model?.entities[0].fullTextIndexes == [])
  }

  @Test func `a model file with a fault in an index is refused`() {
    var history = History()
    history.run("var text: String; var title: String?", Self.together)
    let text = history.model.text
    let id = history.indexes[0].propertyIDs[1]
    for (part, replacement) in [
      ("\"\(id)\"\n", "\"9:999\"\n"), ("1,\n            3", "1"),
      ("1,\n            3", "1,\n            0"),
    ] {
      let other = text.replacing(part, with: replacement)
      #expect(other != text)
      #expect(ModelDocument.parse(other, path: "model.json").model == nil)
    }
  }

  @Test func `generated code adds the indexes, and a member for each name`() throws {
    var history = History()
    let result = history.run(Self.rich + "\nvar note: String", Self.together)
    let code = try CodeRenderer.render(result.schema, result.model, visibility: "public")
    let uids = history.indexes.map(\.id.uid)
    #expect(
      code.contains(
        """
            try entityBuilder.addFullTextIndex(id: 1, uid: \(uids[0]), propertyIds: [2], \
        language: "de", prefixLengths: [2, 3], keepsDiacritics: true, k1: 1.5, b: 0.0)
            try entityBuilder.addFullTextIndex(id: 2, uid: \(uids[1]), name: "words", \
        propertyIds: [2, 3], weights: [1, 3])
            try entityBuilder.lastProperty
        """
      )
    )
    let member = """
        public static var words: ObjectBoxSearch.FullTextIndex<Note> {
          ObjectBoxSearch.FullTextIndex<Note>(indexId: 2)
        }
      """
    #expect(code.ranges(of: member).count == 1)
  }

  @Test func `generated code imports the engine when an entity has a full-text index`() throws {
    func imports(
      _ members: String,
      _ annotation: String = "name = \"Note\""
    ) throws -> [Substring] {
      var history = History()
      let result = history.run(members, annotation)
      return try CodeRenderer.render(result.schema, result.model, visibility: "public")
        .split(separator: "\n").filter { $0.contains("import ObjectBox") }
    }
    let core = "public import ObjectBox"
    #expect(try imports("var note: String") == [core[...]])
    #expect(try imports(Self.rich) == [core[...], "import ObjectBoxSearch"])
    #expect(try imports(Self.rich, Self.together) == [core[...], "public import ObjectBoxSearch"])
  }
}
