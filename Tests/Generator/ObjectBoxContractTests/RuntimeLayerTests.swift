import Foundation
import ObjectBoxTestSupport
import Testing

/// The folders of the runtime as layers: a folder uses itself and earlier ones only.
struct RuntimeLayerTests {
  private static let layers = [
    "Errors", "Threading", "Model", "Values", "Records", "Index", "Vectors", "Schema", "Tables",
    "File", "Commits", "BackgroundErrors", "Transactions", "Writer", "Store", "Writing", "Box",
    "Relations", "Query/Conditions", "Query/Planning", "Query", "Query/Properties",
    "Transactions/Public", "Observers", "Compatibility",
  ]
  /// The folders that hold tables and transactions, and may import the storage module.
  private static let storageFolders = [
    "Records/", "Index/", "Vectors/", "Schema/", "Tables/", "File/", "Commits/",
    "Transactions/", "Writer/", "Store/",
  ]
  /// Files of later folders that use tables directly: for speed, or as the only writer of objects.
  private static let storageFiles = [
    "Query/Execution/IndexWalk.swift", "Query/Filters/ByteComparison.swift",
    "Writing/ObjectWriter+References.swift", "Writing/ObjectWriter.swift",
  ]

  private static func check() throws -> LayerCheck {
    let sources = Repository.root.appendingPathComponent("Sources/Store")
    return try LayerCheck(
      sources.appendingPathComponent("ObjectBox"),
      layers: layers,
      beside: ["ObjectBoxJSON", "ObjectBoxStorage"].map { sources.appendingPathComponent($0) },
      // Names of the standard library and Foundation.
      ambiguous: ["append", "contains", "exchange", "formUnion", "hasPrefix", "isEmpty", "set"],
      // The public API is circular here: a store returns boxes, a binding gets the store, an error
      // has an ID, a model has functions that read records, a value makes the operand of a condition.
      admitting: [
        "Errors/ObjectBoxError.swift": ["Id"],
        "Store/Store.swift": ["Box"], "Model/Entity.swift": ["EntityBinding"],
        "Model/EntitySchema.swift": ["DeclaredMigration"],
        "Model/ConditionOperand.swift": ["__Operand"],
      ]
    )
  }

  @Test(.tags(.slow)) func `inside the runtime a folder uses itself and earlier ones only`() throws
  {
    let check = try Self.check()
    #expect(check.fileCount > 200)
    #expect(check.findings == [])
  }

  @Test(.tags(.slow)) func `only the layers of tables and transactions import the storage module`()
    throws
  {
    let importers = try Self.check().importers(of: "ObjectBoxStorage")
    let others = importers.filter { path in
      path.hasPrefix("Transactions/Public/")
        || !Self.storageFolders.contains { path.hasPrefix($0) }
    }
    #expect(others == Self.storageFiles)
    #expect(importers.count <= 58)
  }
}
