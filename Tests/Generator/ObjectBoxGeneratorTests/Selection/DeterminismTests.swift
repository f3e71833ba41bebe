import Foundation
import ObjectBoxGenerator
import ObjectBoxTestSupport
import Testing

struct DeterminismTests {
  private static let names = ["Zeta", "alpha", "Größe", "Alpha2", "beta", "Øre", "İz", "a b"]

  /// Generates from one file for each name, written in the given order; returns model and code.
  private func generate(writing names: [String]) throws -> [String] {
    let folder = try TemporaryDirectory()
    for name in names {
      let type = "Type" + name.unicodeScalars.map { String($0.value) }.joined(separator: "_")
      try folder.write(
        "struct \(type): Entity { var id: Id; var kind: Words\(name.utf8.count) }",
        to: "src/\(name)/\(name).swift"
      )
    }
    let aliases = (1...9).map { "typealias Words\($0) = String" }.joined(separator: "\n")
    try folder.write(aliases, to: "src/Words.swift")
    var options = Generator.Options()
    options.sources = [folder.path + "/src/Words.swift", folder.path + "/src"]
    options.modelPath = folder.path + "/model.json"
    options.outputPath = folder.path + "/Code.swift"
    // Gives both runs the same UIDs.
    options.debugPath = folder.path + "/dump.txt"
    let outcome = try Generator(options).run()
    #expect(outcome.diagnostics.map(\.description) == [])
    return try ["model.json", "Code.swift", "dump.txt"].map(folder.read)
  }

  @Test func `the same sources give the same bytes, in whatever order the disk lists them`() throws
  {
    let first = try generate(writing: Self.names)
    #expect(try first == generate(writing: Self.names.reversed()))
    #expect(try first == generate(writing: Self.names.sorted()))
  }
}
