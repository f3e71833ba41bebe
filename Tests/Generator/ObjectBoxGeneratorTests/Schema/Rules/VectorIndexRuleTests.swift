import Testing

@testable import ObjectBoxGenerator

/// The parameters of nearest-neighbour indexes.
struct VectorIndexRuleTests {
  @Test func `all parameters are read`() throws {
    let property = try property(
      """
      // objectbox:hnswIndex: dimensions=128, neighborsPerNode=30, indexingSearchCount=200
      // objectbox:hnswIndex: flags="vectorCacheSimdPaddingOff, debugLogs", distanceType=cosine
      // objectbox:hnswIndex: reparationBacklinkProbability=0.95, vectorCacheHintSizeKB=2097152
      var it: [Float]?
      """
    )
    let index = try #require(property.vectorIndex)
    #expect(index.dimensions == 128)
    #expect(index.neighborsPerNode == 30)
    #expect(index.indexingSearchCount == 200)
    #expect(index.flags == ["vectorCacheSimdPaddingOff", "debugLogs"])
    #expect(index.distanceType == "cosine")
    #expect(index.reparationBacklinkProbability == 0.95)
    #expect(index.vectorCacheHintSize == 2_097_152)
    #expect(property.flags.rawValue == 8)
  }

  @Test func `parameters that are left out are nil`() throws {
    let index = try property("// objectbox:hnswIndex: dimensions = 2\nvar it: [Float]").vectorIndex
    #expect(index == SchemaVectorIndex(dimensions: 2))
  }

  @Test(arguments: [
    "unknown", "euclidean", "cosine", "dotProduct", "geo", "dotProductNonNormalized",
  ])
  func `every distance type is known`(_ type: String) throws {
    let property = try property(
      "// objectbox:hnswIndex: dimensions=2, distanceType=\"\(type)\"\nvar it: [Float]"
    )
    #expect(property.vectorIndex?.distanceType == type)
  }

  @Test(arguments: ["[Double]?", "Data", "String", "[Int32]"])
  func `only vectors of Float can have one`(_ type: String) {
    let source = MarkedSource(
      "struct Note: Entity { var id: Id\n// objectbox:1️⃣hnswIndex: dimensions=2\nvar it: \(type) }"
    )
    let found = SchemaBuilder.build([source.file]).diagnostics.map(source.describe)
    #expect(
      found.contains {
        $0.hasPrefix("1️⃣ error: the annotation 'hnswIndex' of 'it: \(type)' in entity 'Note'")
          && $0.contains("only [Float] can have one")
      }
    )
  }

  @Test(arguments: [
    ("1️⃣hnswIndex", "it says no dimensions"),
    ("1️⃣hnswIndex: distanceType=geo", "it says no dimensions"),
    ("hnswIndex: dimensions=1️⃣0", "'dimensions' is no whole number from 1"),
    ("hnswIndex: dimensions=1️⃣two", "'dimensions' is no whole number from 1"),
    (
      "hnswIndex: dimensions=2, neighborsPerNode=1️⃣-1",
      "'neighborsPerNode' is no whole number from 0"
    ),
    (
      "hnswIndex: dimensions=2, 1️⃣dimension=3",
      "the key 'dimension' is unknown; did you mean 'dimensions'?"
    ),
    (
      "hnswIndex: dimensions=2, distanceType=1️⃣cosinus",
      "'cosinus' of 'distanceType' is unknown; did you"
    ),
    ("hnswIndex: dimensions=2, flags=\"1️⃣debugLog\"", "did you mean 'debugLogs'?"),
    ("hnswIndex: dimensions=2, reparationBacklinkProbability=1️⃣1.5", "is no number from 0 to 1"),
  ])
  func `each wrong parameter has its own finding`(_ annotation: String, _ reason: String) {
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox:\(annotation)\nvar it: [Float] }",
      ["1️⃣ error: \(reason)"]
    )
  }
}
