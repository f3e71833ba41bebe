import Foundation
import ObjectBoxTestSupport
import Testing

/// SwiftPM runs with the real plugins on targets of one package that share a model.
@Suite(.serialized, .onePackageFolder, .tags(.slow))
struct SharedModelTests {
  private static let title = PluginPackage.note("var title: String = \"\"")
  private static let rated = PluginPackage.note(
    "var title: String = \"\"",
    "var rating: Int32 = 0"
  )
  private static let shared =
    "{\n  \"targets\": {\n    \"Cluster\": { \"entitiesOf\": \"Notes\" }\n  }\n}\n"

  private func package(_ configuration: String? = shared) throws -> PluginPackage {
    try PluginPackage(
      ["Cluster": Self.title, "Notes": Self.title, "Plain": "struct Plain {}\n"],
      configuration: configuration
    )
  }

  @Test func `a target with another one's entities builds by the model of its owner`() throws {
    let package = try package()
    let update = try package.command()
    #expect(update.status == 0, "\(update)")
    #expect(update.text.contains("target 'Cluster' has the entities of 'Notes'"))
    #expect(update.text.contains("agree: 1 entity"))
    #expect(package.exists("model-Notes.json"))
    #expect(!package.exists("model-Cluster.json"))
    #expect(!package.exists("model.json"))
    let build = try package.build()
    #expect(build.status == 0, "\(build)")
  }

  @Test func `the verbs of models need no target where one owns the entities of another`() throws {
    let package = try package()
    #expect(try package.command("--target Notes").status == 0)
    let model = try package.read("model-Notes.json")

    let check = try package.command("model check")
    #expect(check.status == 0, "\(check)")
    #expect(check.text.components(separatedBy: "agree: 1 entity").count == 3)
    let named = try package.command("model check --target Cluster")
    #expect(named.status == 0, "\(named)")
    #expect(named.text.components(separatedBy: "agree: 1 entity").count == 2)

    let diagram = try package.command("model diagram --output notes.mmd")
    #expect(diagram.status == 0, "\(diagram)")
    #expect(try package.read("notes.mmd").contains("Note"))
    let schema = try package.command("model schema --format fbs --target Cluster")
    #expect(schema.status == 0, "\(schema)")
    #expect(schema.text.contains("table Note"))

    // The note names the owner, and options such as --new-model do not write the model.
    try package.write(Self.rated, to: "Sources/Notes/Entities.swift")
    try package.write(Self.rated, to: "Sources/Cluster/Entities.swift")
    let update = try package.command("--target Cluster --fix --new-model -DX")
    #expect(update.status == 1, "\(update)")
    #expect(update.text.contains("target 'Cluster' has the entities of 'Notes', which writes"))
    #expect(update.text.contains("Cluster/Entities.swift:7:7: error: property 'rating'"))
    #expect(try package.read("model-Notes.json") == model)
  }

  @Test func `a difference from the owner is found at its place, and its command mends it`() throws
  {
    let package = try package()
    #expect(try package.command().status == 0)
    let model = try package.read("model-Notes.json")
    try package.write(Self.rated, to: "Sources/Cluster/Entities.swift")
    let place = "\(package.path)/Sources/Cluster/Entities.swift:7:7"
    let build = try package.build()
    #expect(build.status != 0)
    let expected =
      "error: property 'rating' of entity 'Note' is new, of type int, and the model "
      + "'\(package.path)/model-Notes.json' of target 'Notes' does not say so; declare the same as 'Notes' "
      + "does, or change the sources of 'Notes' as well and run: "
    let command = try build.line(after: "\(place): \(expected)")
    #expect(
      command
        == "swift package --allow-writing-to-package-directory objectbox-generator --target Notes"
    )
    for words in ["", "model check", "model check --target Cluster"] {
      let check = try package.command(words)
      #expect(check.status != 0)
      #expect(check.text.contains("\(place): \(expected)"), "\(check)")
    }
    #expect(try package.read("model-Notes.json") == model)

    try package.write(Self.rated, to: "Sources/Notes/Entities.swift")
    #expect(try package.shell(command).status == 0)
    let mended = try package.build()
    #expect(mended.status == 0, "\(mended)")

    // A target without entities differs from the model too.
    try package.write("struct Plain {}\n", to: "Sources/Cluster/Entities.swift")
    for run in [try package.build(), try package.command()] {
      #expect(run.status != 0)
      #expect(run.text.contains("model-Notes.json:1:1: error: entity 'Note' is gone"), "\(run)")
    }
  }

  @Test func `a model that the configuration names for a target is no other one's by default`()
    throws
  {
    let package = try package("{ \"targets\": { \"Notes\": { \"model\": \"model.json\" } } }")
    #expect(try package.command("--target Notes").status == 0)
    let model = try package.read("model.json")
    let update = try package.command()
    #expect(update.status == 0, "\(update)")
    #expect(package.exists("model-Cluster.json"))
    #expect(try package.read("model.json") == model)
  }

  private static let configurations = [
    // By default, both targets use the `model.json` in the root.
    nil,
    "{ \"targets\": { \"Notes\": { \"model\": \"a.json\" }, \"Cluster\": { \"model\": \"./a.json\" } } }",
  ]

  @Test(arguments: configurations, ["both declare the same entities: ", "of its own: "])
  func `targets that meet on a model by accident are told two ways out, and each works`(
    _ configuration: String?,
    _ way: String
  ) throws {
    let package = try package(
      configuration ?? "{ \"targets\": { \"Notes\": { \"model\": \"model.json\" } } }"
    )
    if let configuration {
      try package.write(
        "{ \"targets\": { \"Notes\": { \"model\": \"a.json\" } } }",
        to: "objectbox-generator.json"
      )
      #expect(try package.command("--target Notes").status == 0)
      try package.write(configuration, to: "objectbox-generator.json")
      let build = try package.build()
      #expect(build.status != 0)
      #expect(build.text.contains("would both use the model '\(package.path)/a.json'"), "\(build)")
    } else {
      #expect(try package.command("--target Notes").status == 0)
      try package.remove("objectbox-generator.json")
      try package.write(Self.rated, to: "Sources/Notes/Entities.swift")
      try package.write(Self.rated, to: "Sources/Cluster/Entities.swift")
      let build = try package.build()
      #expect(build.status != 0)
      #expect(build.text.contains("property 'rating' of entity 'Note' is new"), "\(build)")
    }
    let file = configuration == nil ? "model.json" : "a.json"
    let model = try package.read(file)
    for words in ["", "--target Cluster", "model check"] {
      let refusal = try package.command(words)
      #expect(refusal.status != 0)
      #expect(refusal.text.contains("'Cluster' and 'Notes' would both use"), "\(refusal)")
      #expect(try package.read(file) == model)
    }
    let refusal = try package.command()
    try package.write(refusal.line(after: way), to: "objectbox-generator.json")
    if way.hasPrefix("of its own") {
      let copy = try package.shell(refusal.line(after: "for the UIDs of its stored data: "))
      #expect(copy.status == 0, "\(copy)")
    }
    let update = try package.command()
    #expect(update.status == 0, "\(update)")
    let build = try package.build()
    #expect(build.status == 0, "\(build)")
    #expect(package.exists("model-Notes.json") == way.hasPrefix("of its own"))
    if package.exists("model-Notes.json") {
      let entity = try #require(model.components(separatedBy: "\n").first { $0.contains("\"id\"") })
      #expect(try package.read("model-Notes.json").contains(entity))
    }
  }

  @Test func `what the configuration cannot mean is refused at its place`() throws {
    let package = try package()
    for (text, finding) in [
      (
        #"{"targets": {"Cluster": {"entitiesOf": "Nots"}}}"#,
        "1:26: error: target 'Cluster' names 'Nots' as the owner of its entities, and there is no such "
          + "target with sources; use one of: 'Notes', 'Plain'"
      ),
      (
        "{\"targets\": {\n\"Notes\": {\"entitiesOf\": \"Plain\"},\n"
          + " \"Cluster\": {\"entitiesOf\": \"Notes\"}}}",
        "3:14: error: target 'Cluster' names 'Notes' as the owner of its entities, which itself has the "
          + "entities of 'Plain'; name the owner, 'Plain'"
      ),
      (
        #"{"targets": {"Notes": {"entitiesOf": "Cluster"}, "Cluster": {"entitiesOf": "Notes"}}}"#,
        "1:62: error: target 'Cluster' names 'Notes' as the owner of its entities, which itself has the "
          + "entities of 'Cluster'; remove 'entitiesOf' of the one that writes the model"
      ),
      (
        #"{"targets": {"Cluster": {"entitiesOf": "Cluster"}}}"#,
        "1:26: error: target 'Cluster' names itself as the owner of its entities; remove 'entitiesOf', or "
          + "name the target whose entities it has"
      ),
      (
        #"{"targets": {"Cluster": {"entitiesOf": "Notes", "model": "a.json"}}}"#,
        "1:26: error: target 'Cluster' has 'entitiesOf' and 'model'; remove 'model', since it uses the "
          + "model of 'Notes'"
      ),
      (
        #"{"targets": {"Cluster": {"entitesOf": "Notes"}}}"#,
        "1:26: error: there is no key 'entitesOf'; use one of: 'model', 'visibility', 'entitiesOf'"
      ),
      (
        #"{"targets": {"Cluster": {"entitiesOf": "Notes", "visibility": ""}, "Notes": {"model": ""}}}"#,
        "1:49: error: 'visibility' of target 'Cluster' is empty; give it a value, or remove it"
      ),
      (
        #"{"targets": {"Notes": {"model": ""}}}"#,
        "1:24: error: 'model' of target 'Notes' is empty; give it a value, or remove it"
      ),
      (
        #"{"target": {}}"#,
        "1:2: error: there is no key 'target'; use one of: 'targets'"
      ),
      (#"{"targets": 1}"#, "1:1: error: the file cannot be read: "),
    ] {
      try package.write(text, to: "objectbox-generator.json")
      let run = try package.command()
      #expect(run.status != 0)
      #expect(run.text.contains("/objectbox-generator.json:\(finding)"), "\(run)")
    }
    for run in [try package.command("model check"), try package.build()] {
      #expect(run.status != 0)
      #expect(run.text.contains("/objectbox-generator.json:1:1: error: the file"), "\(run)")
    }
  }
}
