import Foundation
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

@testable import ObjectBox
@testable import ObjectBoxDynamic
@testable import ObjectBoxCare

/// Invalid numbers in a stored schema are reported as damage, and never end the process.
struct HostileSchemaTests {
  /// Makes a store, changes a value of its schema, and opens it in each way.
  private func expectDamage(_ key: String, _ change: (inout StoreSchema) -> [UInt8]) throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/store"
    let store = try Store(model: try TemporaryStore.model(), directory: path)
    var schema = store.schema
    store.close()
    try ChangedFile.changeDescription(path, key: key, to: change(&schema))
    for use in [
      { _ = try Store(existing: Store.Configuration(directory: path)).box(named: "Person").all() },
      { _ = try Store(model: try TemporaryStore.model(), directory: path) },
    ] as [() throws -> Void] {
      #expect {
        try use()
      } throws: { error in
        if case ObjectBoxError.fileCorrupt = error { true } else { false }
      }
    }
    #expect(try !Store.verify(directory: path).isSound)
  }

  @Test(arguments: [32_766, 65_535, 65_536, UInt32.max])
  func `a layout with a property of an ID that no slot has is damage`(_ id: UInt32) throws {
    try expectDamage("layouts/1") { schema in
      var layout = RecordLayout.Definition(number: 0, entity: schema.entities[0])
      layout.properties[2].id = id
      return ByteCoder.bytes(of: [layout])
    }
  }

  @Test func `a layout whose records are larger than their offsets is damage`() throws {
    try expectDamage("layouts/1") { schema in
      var layout = RecordLayout.Definition(number: 0, entity: schema.entities[0])
      layout.properties += (0..<9000).map {
        RecordLayout.Definition.Property(id: 10 + $0, uid: 0, type: .long, isObjectID: false)
      }
      return ByteCoder.bytes(of: [layout])
    }
  }

  @Test(arguments: [0, -1, Int.min, Int.max, 1 << 31])
  func `a vector index of impossible dimensions is damage`(_ dimensions: Int) throws {
    try expectDamage("schema") { schema in
      schema.entities[0].properties[4].type = .floatVector
      schema.entities[0].properties[4].index = SchemaIdentity(id: 20, uid: 2000)
      schema.entities[0].properties[4].hnsw = HnswParameters(dimensions: dimensions)
      return ByteCoder.bytes(of: schema)
    }
  }

  @Test func `a vector index on the globe with one value is damage`() throws {
    try expectDamage("schema") { schema in
      schema.entities[0].properties[4].type = .floatVector
      schema.entities[0].properties[4].index = SchemaIdentity(id: 20, uid: 2000)
      var parameters = HnswParameters(dimensions: 1)
      parameters.distanceType = HnswDistanceType.geo.rawValue
      schema.entities[0].properties[4].hnsw = parameters
      return ByteCoder.bytes(of: schema)
    }
  }
}
