import Foundation
import ObjectBoxTestSupport
import Testing

/// The folders of the generator as layers: a folder uses itself and earlier ones only.
struct GeneratorLayerTests {
  private static let layers = [
    "Text", "Diagnostics", "Files", "Annotations", "Parse", "Selection", "CTypes", "Schema",
    "Model", "Comparison", "Synchronization", "Mustache", "Render", "Options", "Cache", "Reports",
    "Stages", ".",
  ]
  private static let toolLayers = [
    "Text", "Findings", "Fixes", "NearMisses", "Runs", "Files", "Merge", "Exports",
  ]

  private static let sources = Repository.root.appendingPathComponent("Sources")

  private static func check(_ module: String, layers: [String]) throws -> LayerCheck {
    try LayerCheck(
      sources.appendingPathComponent("Generator/\(module)"),
      layers: layers,
      beside: [sources.appendingPathComponent("Store/ObjectBoxJSON")]
    )
  }

  @Test func `inside the generator a folder uses itself and earlier ones only`() throws {
    let check = try Self.check("ObjectBoxGenerator", layers: Self.layers)
    #expect(check.fileCount > 100)
    #expect(check.findings == [])
    let tools = try Self.check("ObjectBoxModelTools", layers: Self.toolLayers)
    #expect(tools.fileCount > 20)
    #expect(tools.findings == [])
  }

  @Test func `builds compile nothing that only people use`() throws {
    let shared = [
      try Self.check("ObjectBoxGenerator", layers: Self.layers),
      try Self.check("ObjectBoxSwiftReader", layers: ["."]),
      try Self.check("ObjectBoxSyntax", layers: ["."]),
      try Self.check("objectbox-bindings", layers: ["."]),
    ]
    let module = "ObjectBoxModelTools"
    #expect(shared.flatMap { $0.importers(of: module) } == [])
    let generator = try Self.check("objectbox-generator", layers: ["."])
    #expect(generator.importers(of: module).count > 3)
  }

  @Test func `the generator is compiled beside the interface of SwiftSyntax`() throws {
    let generator = try Self.check("ObjectBoxGenerator", layers: Self.layers)
    let tool = try Self.check("objectbox-generator", layers: ["."])
    let syntax = try Self.check("ObjectBoxSyntax", layers: ["."])
    let reader = try Self.check("ObjectBoxSwiftReader", layers: ["."])
    let libraries = [
      "SwiftSyntax", "SwiftParser", "SwiftParserDiagnostics", "SwiftDiagnostics", "SwiftIfConfig",
      "SwiftOperators", "ObjectBoxSyntax",
    ]
    for module in libraries {
      #expect(generator.importers(of: module) == [])
      #expect(tool.importers(of: module) == [])
    }
    #expect(generator.importers(of: "ObjectBoxSwiftReader") == [])
    for module in ["ObjectBoxGenerator", "ObjectBoxJSON"] {
      #expect(syntax.importers(of: module) == [])
    }
    #expect(syntax.importers(of: "SwiftSyntax").count == syntax.fileCount)
    #expect(reader.importers(of: "SwiftSyntax").count > 5)
  }
}
