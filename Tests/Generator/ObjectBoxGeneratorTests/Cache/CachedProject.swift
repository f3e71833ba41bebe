import Foundation
import ObjectBoxGenerator
import ObjectBoxTestSupport

/// A folder with sources, a model and generated code, for repeated runs.
struct CachedProject {
  let folder: TemporaryDirectory
  var options = Generator.Options()

  /// Makes a project with one entity, an enum in a separate file, and an annotation that causes a
  /// warning.
  init() throws {
    folder = try TemporaryDirectory()
    options.sources = [folder.path + "/src"]
    options.modelPath = folder.path + "/model.json"
    options.outputPath = folder.path + "/out/Code.swift"
    try folder.write(
      """
      // objectbox: entity
      class Note {
        var id: Id = 0
        // objectbox: convert = { "default": ".calm" }
        var mood: Mood = .calm
        // objectbox: index

      }
      """,
      to: "src/Note.swift"
    )
    try folder.write("enum Mood: Int { case calm }", to: "src/Mood.swift")
    try folder.write("struct Plain {}", to: "src/Plain.swift")
    try FileManager.default.createDirectory(
      atPath: folder.path + "/out",
      withIntermediateDirectories: true
    )
  }

  var cacheFile: URL { folder.url.appendingPathComponent("out/.Code.swift.objectbox-cache") }

  @discardableResult
  func run() throws -> Generator.Outcome { try Generator(options).run() }

  /// Runs without the cache.
  func compute() throws -> Generator.Outcome {
    var options = options
    options.usesCache = false
    return try Generator(options).run()
  }

  /// Runs until no file changes any more.
  func settle() throws {
    for _ in 0..<2 { try run() }
  }

  /// Replaces each occurrence of a text in a file.
  func replace(_ old: String, with new: String, in name: String) throws {
    try folder.write(try folder.read(name).replacingOccurrences(of: old, with: new), to: name)
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent(name))
  }
}
