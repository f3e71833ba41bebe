import Foundation
import Testing

/// The rooms of the generator, in the order in which they may use each other.
struct GeneratorLayerTests {
  private static let layers = [
    "Text", "Diagnostics", "Files", "Annotations", "Parse", "Selection", "CTypes", "Schema",
    "Model", "Comparison", "ModelSync", "Mustache", "Render", "Options", "Cache", "ModelChanges",
    "Fixes", "NearMisses", "Stages", ".", "ModelTools",
  ]

  @Test func `inside the generator a folder uses itself and earlier ones only`() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
    let check = try LayerCheck(
      sources.appendingPathComponent("ObjectBoxGenerator"),
      layers: Self.layers,
      beside: [sources.appendingPathComponent("ObjectBoxJSON")]
    )
    #expect(check.fileCount > 100)
    #expect(check.findings == [])
  }
}
