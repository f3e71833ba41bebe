import Foundation
import ObjectBox
import ObjectBoxGenerator
import ObjectBoxSwiftReader
import ObjectBoxTestSupport
import Testing

/// Checks that generator and runtime agree: neither imports the other.
struct ContractTests {
  @Test(arguments: SchemaPropertyType.allCases)
  func `property types have the same names and numbers in generator and runtime`(
    type: SchemaPropertyType
  ) {
    let runtime = ObjectBox.PropertyType(rawValue: type.rawValue)
    #expect(runtime.map { "\($0)" } == "\(type)")
  }

  @Test(
    arguments: [
      (ObjectBoxGenerator.PropertyFlags.id, ObjectBox.PropertyFlags.id), (.indexed, .indexed),
      (.unique, .unique), (.idSelfAssignable, .idSelfAssignable),
      (.indexPartialSkipZero, .indexPartialSkipZero), (.indexHash, .indexHash),
      (.indexHash64, .indexHash64), (.unsigned, .unsigned), (.idCompanion, .idCompanion),
      (.uniqueOnConflictReplace, .uniqueOnConflictReplace), (.syncClock, .syncClock),
      (.syncPrecedence, .syncPrecedence), (.syncCounter, .syncCounter),
      (.uniqueOnConflictMerge, .uniqueOnConflictMerge),
    ] as [(ObjectBoxGenerator.PropertyFlags, ObjectBox.PropertyFlags)]
  )
  func `property flags have the same numbers in generator and runtime`(
    generator: ObjectBoxGenerator.PropertyFlags,
    runtime: ObjectBox.PropertyFlags
  ) {
    #expect(generator.rawValue == runtime.rawValue)
  }

  @Test func `a UUID is the same type in generator and runtime`() throws {
    let text = "struct Note: Entity { var id: Id\nvar key: UUID }"
    let built = SchemaBuilder.build([SourceParser().parse(SourceFile(path: "A.swift", text: text))])
    let key = try #require(built.schema.entities.first?.properties.last)
    #expect(key.type?.rawValue == UUID.entityPropertyType.rawValue)
    #expect(key.type?.rawValue == UUID?.entityPropertyType.rawValue)
    #expect(key.externalType == ExternalPropertyType.uuid.rawValue)
  }

  @Test func `model.json is the model of the entities that tests and example share`() throws {
    let source = Repository.root.appendingPathComponent(
      "Examples/Notebook/Sources/Notebook/Entities.swift"
    )
    let text = try String(contentsOf: source, encoding: .utf8)
    let built = SchemaBuilder.build([
      SourceParser().parse(SourceFile(path: "Entities.swift", text: text))
    ])
    #expect(built.diagnostics.isEmpty)
    let json = try String(
      contentsOf: Repository.root.appendingPathComponent("model.json"),
      encoding: .utf8
    )
    let model = try #require(ModelDocument.parse(json, path: "model.json").model)
    #expect(model.text == json)
    var uids = UIDGenerator(isDeterministic: false)
    let result = ModelSynchronizer.synchronize(
      built.schema,
      with: model,
      uids: &uids
    )
    #expect(result.changes == [])
    #expect(result.model == model)
  }

  @Test func `the program of the first steps is the one that is compiled`() throws {
    let document = try String(
      contentsOf: Repository.root.appendingPathComponent("Documentation/GettingStarted.md"),
      encoding: .utf8
    )
    let example = try String(
      contentsOf: Repository.root.appendingPathComponent(
        "Examples/FirstSteps/Sources/FirstSteps/main.swift"
      ),
      encoding: .utf8
    )
    #expect(document.contains("```swift\n" + example + "```"))
  }

  @Test func `the program of the tutorial is the example that is run`() throws {
    let paths = [
      "Sources/Store/ObjectBox/ObjectBox.docc/Tutorials/Resources/ReadingList-8-main.swift",
      "Examples/ReadingList/Sources/ReadingList/main.swift",
    ]
    let texts = try paths.map {
      try String(contentsOf: Repository.root.appendingPathComponent($0), encoding: .utf8)
    }
    #expect(texts[0] == texts[1])
  }

  @Test func `every annotation is in the document of annotations`() throws {
    let document = try String(
      contentsOf: Repository.root.appendingPathComponent("Documentation/Annotations.md"),
      encoding: .utf8
    )
    for name in Annotation.ofTypes.union(Annotation.ofVariables).sorted() {
      #expect([" ", "`", ":"].contains { document.contains("`\(name)\($0)") }, "\(name)")
    }
  }

  @Test(arguments: [
    "Threading.md", "Transactions.md", "Observing.md", "ComingFromRealm.md",
    "ComingFromObjectBox.md",
  ])
  func `the Swift code of the documentation is code of the example that is compiled`(
    _ name: String
  ) throws {
    let sources = Repository.root.appendingPathComponent("Examples/Threading/Sources/Threading")
    let files = try FileManager.default.contentsOfDirectory(atPath: sources.path)
      .filter { $0.hasSuffix(".swift") }
    let example = try files.map {
      try String(contentsOf: sources.appendingPathComponent($0), encoding: .utf8)
    }
    let document = try String(
      contentsOf: Repository.root.appendingPathComponent("Documentation/" + name),
      encoding: .utf8
    )
    // Programs that a document writes to files are compiled and run with it.
    let blocks = /(<!-- (?:not compiled|file:)[^\n]*\n)?```swift\n(.*?)```/.dotMatchesNewlines()
    for block in document.matches(of: blocks) where block.1 == nil {
      #expect(example.contains { $0.contains(block.2) }, "\(block.2)")
    }
  }
}
