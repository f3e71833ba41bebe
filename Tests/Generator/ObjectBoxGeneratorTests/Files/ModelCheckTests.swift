import ObjectBoxGenerator
import ObjectBoxModelTools
import ObjectBoxTestSupport
import Testing

struct ModelCheckTests {
  private let folder: TemporaryDirectory
  private var options: Generator.Options {
    var options = Generator.Options()
    options.sources = [folder.path + "/src"]
    options.modelPath = folder.path + "/model.json"
    options.updateCommand = "do this"
    return options
  }

  init() throws {
    folder = try TemporaryDirectory()
    try folder.write(
      "struct Note: Entity {\n  var id: Id\n  var title: String\n}\n",
      to: "src/Note.swift"
    )
  }

  private func generate() throws {
    var options = options
    options.outputPath = folder.path + "/out/Code.swift"
    #expect(try Generator(options).run().hasErrors == false)
  }

  @Test func `sources without a model disagree for each entity`() throws {
    let outcome = try ModelCheck.run(options)
    #expect(outcome.isDisagreement)
    #expect(outcome.diagnostics.map(\.isError) == [true])
    let text = try #require(outcome.diagnostics.first?.description)
    #expect(text.contains("src/Note.swift:1:8: error: entity 'Note' is new"))
    #expect(text.contains("run: do this"))
  }

  @Test func `what the generator wrote agrees, and every difference is told`() throws {
    try generate()
    let agreed = try ModelCheck.run(options)
    #expect(agreed.diagnostics == [] && !agreed.isDisagreement)
    #expect(agreed.entityCount == 1)
    try folder.write(
      "struct Note: Entity {\n  var id: Id\n  var title: Int\n  // objectbox: index\n  var x: Int\n}\n"
        + "struct Tag: Entity { var id: Id }\n",
      to: "src/Note.swift"
    )
    let found = try ModelCheck.run(options)
    #expect(found.isDisagreement)
    let texts = found.diagnostics.map(\.description)
    #expect(texts.count == 3)
    #expect(texts.contains { $0.contains("Note.swift:3:7: error: the type of property 'title'") })
    #expect(texts.contains { $0.contains("property 'x' of entity 'Note' is new") })
    #expect(texts.contains { $0.contains("entity 'Tag' is new") })
  }

  @Test func `sources that lost all entities disagree with a model that has some`() throws {
    try generate()
    try folder.write("struct Plain {}", to: "src/Note.swift")
    let found = try ModelCheck.run(options)
    #expect(found.isDisagreement)
    #expect(found.diagnostics[0].description.contains("model.json:1:1: error: entity 'Note'"))
  }

  @Test func `sources without entities and without a model agree`() throws {
    try folder.write("struct Plain {}", to: "src/Note.swift")
    let outcome = try ModelCheck.run(options)
    #expect(outcome.diagnostics == [] && !outcome.isDisagreement)
  }

  @Test func `errors of sources and model are no disagreement`() throws {
    try folder.write("struct Bad: Entity {}", to: "src/Bad.swift")
    let sources = try ModelCheck.run(options)
    #expect(sources.hasErrors && !sources.isDisagreement)
    try folder.write("struct Fine {}", to: "src/Bad.swift")
    try folder.write("{", to: "model.json")
    let model = try ModelCheck.run(options)
    #expect(model.hasErrors && !model.isDisagreement)
    #expect(try folder.read("model.json") == "{")
  }

  @Test func `a bare uid is told with the command that answers it, and answers nothing`() throws {
    try generate()
    let before = try folder.read("model.json")
    try folder.write(
      "// objectbox: uid\nstruct Note: Entity {\n  var id: Id\n  var title: String\n}\n",
      to: "src/Note.swift"
    )
    let outcome = try ModelCheck.run(options)
    #expect(outcome.hasErrors && !outcome.isDisagreement)
    #expect(outcome.diagnostics[0].description.contains("run: do this"))
    #expect(try folder.read("model.json") == before)
  }
}
