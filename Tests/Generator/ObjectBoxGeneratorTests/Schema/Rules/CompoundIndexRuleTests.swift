import ObjectBoxGenerator
import ObjectBoxModelTools
import Testing

/// The annotations `uniqueTogether` and `indexTogether`, from the sources to the model.
struct CompoundIndexRuleTests {
  private struct History {
    var model = ModelDocument()
    var uids = UIDGenerator(isDeterministic: true)

    @discardableResult
    mutating func run(
      _ annotation: String,
      _ members: String = "var a: String, b: Int, c: Int"
    ) -> ModelSynchronizer.Result {
      let text = "// objectbox: entity, \(annotation)\nstruct Note { var id: Id\n\(members) }"
      let built = SchemaBuilder.build([SourceFile(path: "A.swift", text: text)])
      #expect(built.diagnostics.map(\.description) == [])
      let result = ModelSynchronizer.synchronize(
        built.schema,
        with: model,
        uids: &uids
      )
      model = result.model
      #expect(ModelDocument.parse(model.text, path: "m").model == model)
      return result
    }

    var lists: [[UInt32]] { model.entities[0].compoundIndexes.map { $0.propertyIDs.map(\.id) } }
  }

  @Test func `one list or several make indexes with IDs of their own`() {
    var history = History()
    history.run("uniqueTogether = [\"b\", \"a\"], indexTogether = [[\"a\", \"b\"], [\"b\", \"c\"]]")
    let indexes = history.model.entities[0].compoundIndexes
    #expect(history.lists == [[2, 3], [3, 4], [3, 2]])
    #expect(indexes.map(\.isUnique) == [false, false, true])
    #expect(indexes.map(\.id.id) == [1, 2, 3])
    #expect(history.model.lastIndexID == indexes[2].id)
    #expect(history.run("name = \"Note\"").changes.count == 3)
    #expect(history.model.retiredIndexUIDs == indexes.map(\.id.uid).sorted())
    #expect(history.model.text.contains("compoundIndexes") == false)
  }

  @Test(arguments: [
    "uniqueTogether = [\"b\", \"a\"], uniqueTogether = [\"b\", \"c\"]\n// objectbox: "
      + "uniqueTogether = [\"a\", \"c\"]",
    "uniqueTogether = [[\"b\", \"a\"], [\"b\", \"c\"]]\n// objectbox: uniqueTogether = [\"a\", \"c\"]",
    "uniqueTogether = [\"b\", \"a\"]\n// objectbox: uniqueTogether = [[\"b\", \"c\"], [\"a\", \"c\"]]",
    "uniqueTogether = [[\"b\", \"a\"], [\"b\", \"c\"], [\"a\", \"c\"]]",
  ])
  func `each annotation of several adds its lists`(annotation: String) {
    var history = History()
    history.run(annotation)
    #expect(history.lists == [[3, 2], [3, 4], [2, 4]])
    #expect(history.model.entities[0].compoundIndexes.map(\.isUnique) == [true, true, true])
  }

  @Test func `an extension adds lists, and the same annotation again adds none`() {
    let built = SchemaBuilder.build([
      SourceFile(
        path: "A.swift",
        text: """
          // objectbox: entity, indexTogether = ["a", "b"]
          // objectbox: indexTogether = ["a", "b"]
          struct Note { var id: Id; var a: Int; var b: Int }
          // objectbox: indexTogether = ["b", "a"]
          extension Note {}
          """
      )
    ])
    #expect(built.diagnostics.map(\.description) == [])
    let indexes = built.schema.entities[0].compoundIndexes
    #expect(indexes.map(\.properties) == [["a", "b"], ["b", "a"]])
  }

  @Test func `findings stand at the annotation that they are about`() {
    expectFindings(
      """
      // objectbox: entity, indexTogether = ["a", "b"]
      // objectbox: indexTogether = 1️⃣["a", "c"]
      // objectbox: uniqueTogether = 2️⃣["a", "b"]
      struct Note { var id: Id; var a: Int; var b: Int }
      """,
      ["1️⃣ error: names 'c', which is no property", "2️⃣ error: two indexes over 'a', 'b'"]
    )
  }

  @Test func `an index stays the same while its properties do, renamed or unique`() {
    var history = History()
    history.run("indexTogether = [\"a\", \"b\"]")
    let id = history.model.entities[0].compoundIndexes[0].id
    #expect(history.run("indexTogether = [\"a\", \"b\"]").changes == [])
    let unique = history.run("uniqueTogether = [\"a\", \"b\"]")
    #expect(
      unique.changes.map(\.text) == [
        "the index over several properties of entity 'Note' was 'a', 'b', and is 'a', 'b', unique together"
      ]
    )
    #expect(history.model.entities[0].compoundIndexes.map(\.id) == [id])
    history.run("uniqueTogether = [\"b\", \"a\"]")
    #expect(history.model.entities[0].compoundIndexes.map(\.id.id) == [2])
    #expect(history.model.retiredIndexUIDs == [id.uid])
  }

  @Test(arguments: [
    ("\"1️⃣a\"", "is no list of property names"), ("1️⃣[1, \"a\"]", "is no list"),
    ("1️⃣[]", "is no list"),
    ("1️⃣[\"a\"]", "fewer than two properties; annotate a single one with `unique`"),
    ("1️⃣[\"a\", \"a\"]", "names 'a' twice"),
    ("1️⃣[\"a\", \"title1\"]", "names 'title1', which is no property of it; did you mean 'title'?"),
    ("1️⃣[\"a\", \"zzzzzz\"]", "which is no property of it; name a stored property"),
    ("1️⃣[\"a\", \"id\"]", "names its ID 'id'"),
    ("1️⃣[\"a\", \"data\"]", "names 'data' of type 'Data', which cannot have an index"),
    ("1️⃣[[\"a\", \"title\"], [\"a\", \"title\"]]", "two indexes over 'a', 'title'"),
  ])
  func `other values are faults`(_ value: String, _ text: String) {
    expectFindings(
      """
      // objectbox: entity, uniqueTogether = \(value)
      struct Note { var id: Id; var a: Int; var title: String; var data: Data }
      """,
      ["1️⃣ error: \(text)"]
    )
  }

  @Test func `differences are told with what they do to stored data`() {
    var history = History()
    let none = history.run("name = \"Note\"").model
    let plain = history.run("indexTogether = [\"a\", \"b\"]").model
    let unique = history.run("uniqueTogether = [\"a\", \"b\"]").model
    func kinds(_ old: ModelDocument, _ new: ModelDocument) -> [ModelDifference.Kind] {
      ModelComparison.differences(from: old, to: new).map(\.kind)
    }
    #expect(kinds(none, plain) == [.indexAdded])
    #expect(kinds(none, unique) == [.uniqueAdded])
    #expect(kinds(plain, unique) == [.uniqueAdded])
    #expect(kinds(unique, plain) == [.uniqueRemoved])
    #expect(kinds(unique, unique) == [])
    let text = ModelComparison.differences(from: none, to: unique).first?.text
    #expect(text?.contains("was none, and is 'a', 'b', unique together") == true)
  }

  @Test func `a merge keeps what both sides added, under numbers of their own`() throws {
    var base = History()
    base.run("name = \"Note\"")
    var (ours, theirs) = (base, base)
    theirs.uids = UIDGenerator(isDeterministic: true)
    _ = theirs.run("indexTogether = [[\"a\", \"c\"], [\"c\", \"b\"]]")
    ours.run("uniqueTogether = [\"a\", \"b\"]")
    // Both runs drew the same UIDs; theirs get others, as they would in practice.
    var other = theirs.model
    for place in other.entities[0].compoundIndexes.indices {
      other.entities[0].compoundIndexes[place].id.uid += 7
    }
    other.lastIndexID.uid += 7
    func merge(_ ours: ModelDocument, _ theirs: ModelDocument) -> ModelDocument? {
      ModelMerge.merge(
        base: base.model,
        ours: ours,
        theirs: theirs,
        places: ElementPlaces(text: ours.text, path: "model.json")
      ).model
    }
    #expect(merge(ours.model, base.model) == ours.model)
    #expect(merge(base.model, other) == other)
    let both = try #require(merge(ours.model, other))
    let indexes = both.entities[0].compoundIndexes
    #expect(Set(indexes.map { $0.propertyIDs.map(\.id) }) == [[2, 3], [2, 4], [4, 3]])
    #expect(Set(indexes.map(\.id.id)).count == 3)
    #expect(ModelDocument.parse(both.text, path: "m").model == both)
  }

  @Test func `a model file with an index over a missing property is refused`() {
    var history = History()
    history.run("indexTogether = [\"a\", \"b\"]")
    let id = history.model.entities[0].compoundIndexes[0].propertyIDs[1]
    let text = history.model.text.replacing("\"\(id.id):\(id.uid)\"\n", with: "\"9:999\"\n")
    let read = ModelDocument.parse(text, path: "model.json")
    #expect(read.model == nil)
    #expect(read.diagnostics.contains { $0.message.text.contains("9:999, which is missing") })
  }
}
