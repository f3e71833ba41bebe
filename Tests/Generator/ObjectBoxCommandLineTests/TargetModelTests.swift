import Foundation
import ObjectBoxTestSupport
import Testing

/// SwiftPM runs with the real plugins, which find the model of a target.
@Suite(.serialized, .onePackageFolder, .tags(.slow))
struct TargetModelTests {
  private static let note = PluginPackage.note("var title: String = \"\"")
  private static let rated = PluginPackage.note("var title: String = \"\"", "var rating: Int = 0")
  private static let own = "Sources/Notes/model-Notes.json"

  private func package(
    _ configuration: String? = nil,
    excluding excluded: [String: String] = ["Notes": "model-Notes.json"]
  ) throws -> PluginPackage {
    try PluginPackage(
      ["Notes": Self.note, "Plain": "struct Plain {}\n"],
      configuration: configuration,
      excluding: excluded
    )
  }

  @Test func `a model that the manifest excludes is made beside the sources, and found there`()
    throws
  {
    let package = try package()
    for words in ["", "--target Notes"] {
      let update = try package.command(words)
      #expect(update.status == 0, "\(update)")
      #expect(package.exists(Self.own))
      #expect(!package.exists("model-Notes.json") && !package.exists("model.json"))
    }
    let build = try package.build()
    #expect(build.status == 0, "\(build)")
  }

  @Test func `the command warns of a target with entities and without the build plugin`() throws {
    let package = try PluginPackage(
      ["Notes": Self.note, "Bare": Self.note.replacing("Note", with: "Memo")],
      withoutPlugin: ["Bare"]
    )
    let warning =
      "warning: target 'Bare' has annotated types, and does not use the build plugin 'ObjectBoxPlugin', so "
      + "its builds lack their bindings; add to the target in Package.swift: "
      + "plugins: [.plugin(name: \"ObjectBoxPlugin\", package: \"objectbox-swift-open\")]"
    for words in ["", "model check"] {
      let run = try package.command(words)
      #expect(run.status == 0)
      #expect(run.text.contains(warning), "\(run)")
      #expect(!run.text.contains("target 'Notes' has annotated"))
    }
    // Bindings that the tool wrote into the target do as well.
    let words = ["--sources", "Sources/Bare", "--model-json", "model-Bare.json"]
    #expect(try package.tool(words + ["--output", "Sources/Bare/Generated"]).status == 0)
    #expect(try !package.command("--target Bare").text.contains(warning))
  }

  @Test func `a second model in the root is told with both files, and nothing is written`() throws {
    let package = try package()
    #expect(try package.command().status == 0)
    let model = try package.read(Self.own)
    let stray = model.replacingOccurrences(of: "lastEntityId", with: "lastEntityId ")
    try package.write(stray, to: "model-Notes.json")
    try package.write(Self.rated, to: "Sources/Notes/Entities.swift")
    let told =
      "target 'Notes' has two models: '\(package.path)/\(Self.own)', which is used, and "
      + "'\(package.path)/model-Notes.json'; "
    for words in ["", "--target Notes", "model check"] {
      let refusal = try package.command(words)
      #expect(refusal.status != 0)
      #expect(refusal.text.contains("error: " + told), "\(refusal)")
    }
    #expect(try package.read(Self.own) == model)
    #expect(try package.read("model-Notes.json") == stray)
    try package.write(Self.note, to: "Sources/Notes/Entities.swift")
    let build = try package.build()
    #expect(build.status == 0 && build.text.contains("warning: " + told), "\(build)")

    // The configuration that the error shows decides.
    let choice = try package.command().line(after: "or name one in objectbox-generator.json: ")
    #expect(choice == #"{"targets":{"Notes":{"model":"Sources/Notes/model-Notes.json"}}}"#)
    try package.write(choice, to: "objectbox-generator.json")
    let update = try package.command()
    #expect(update.status == 0, "\(update)")
    #expect(try package.read(Self.own) == model)
  }

  @Test func `no model is made anew beside one that has the entities`() throws {
    let package = try package(excluding: [:])
    #expect(try package.command("--target Notes").status == 0)
    let model = try package.read("model-Notes.json")
    for other in ["Sources/Notes/Models/model.json", "model-Former.json"] {
      try package.remove("model-Notes.json")
      try package.write(model, to: other)
      let refusal = try package.command()
      #expect(refusal.status != 0)
      #expect(
        refusal.text.contains(
          "target 'Notes' would get the new model '\(package.path)/model-Notes.json', and "
            + "'\(package.path)/\(other)', which no target uses, has its entities"
        ),
        "\(refusal)"
      )
      #expect(!package.exists("model-Notes.json"))
      let mark = "to keep their UIDs, write objectbox-generator.json: "
      let choice = try refusal.line(after: mark).components(separatedBy: "; ")[0]
      try package.write(choice, to: "objectbox-generator.json")
      let update = try package.command()
      #expect(update.status == 0, "\(update)")
      #expect(try package.read(other) == model)
      #expect(!package.exists("model-Notes.json"))

      try package.remove("objectbox-generator.json")
      let fresh = try package.command("--new-model")
      #expect(fresh.status == 0, "\(fresh)")
      #expect(try package.read("model-Notes.json") != model)
      try package.remove(other)
    }
  }

  @Test func `a new model with the entities of another target is told`() throws {
    let package = try PluginPackage(
      ["Cluster": Self.note, "Notes": Self.note],
      excluding: ["Notes": "model-Notes.json"]
    )
    #expect(try package.command("--target Notes").status == 0)
    let update = try package.command()
    #expect(update.status == 0, "\(update)")
    #expect(package.exists("model-Cluster.json"))
    let shared = try update.line(
      after:
        "warning: target 'Cluster' gets a new model, and declares the entities of target 'Notes', "
        + "whose model is '\(package.path)/\(Self.own)'; if both store the same data, remove the new model "
        + "and write objectbox-generator.json: "
    )
    #expect(shared == #"{"targets":{"Cluster":{"entitiesOf":"Notes"}}}"#)
    // The model exists now.
    let next = try package.command()
    #expect(next.status == 0 && !next.text.contains("gets a new model"), "\(next)")
  }

  /// A manifest may leave out targets on some machines.
  @Test func `a model that is configured for a target that the manifest lacks is not used`() throws
  {
    let package = try package(
      "{ \"targets\": { \"Elsewhere\": { \"model\": \"model.json\" } } }",
      excluding: [:]
    )
    let other = "{\"entities\":[{\"id\":\"1:1000\",\"name\":\"Note\",\"properties\":[]}]}"
    try package.write(other, to: "model.json")
    let update = try package.command("--target Notes")
    #expect(update.status == 0, "\(update)")
    #expect(package.exists("model-Notes.json"))
    #expect(try package.read("model.json") == other)
  }
}
