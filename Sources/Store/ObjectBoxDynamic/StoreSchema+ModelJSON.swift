package import Foundation
package import ObjectBox
package import ObjectBoxJSON

extension StoreSchema {
  /// Reads a schema from the form that ``writeModelJSON(to:)`` writes.
  ///
  /// - Parameter value: The whole model.
  /// - Throws: ``ObjectBoxError/schema(message:)`` with the location of a fault.
  package init(modelJSON value: JSONValue) throws {
    self = try ModelFile.schema(value)
  }

  /// Reads the schema of a model file as generators write it.
  ///
  /// - Parameter url: The URL of the file.
  /// - Throws: ``ObjectBoxError``: `storageGeneral` when the file cannot be read, `schema` with the
  ///   location of a fault.
  package init(modelFile url: URL) throws {
    self = ModelBuilder.takeSchema(try ModelFile.model(at: url))
  }

  /// Appends the schema in the form of a model file, on one line.
  ///
  /// Unlike model files of generators, it includes the parameters of nearest-neighbour indexes,
  /// under `vectorIndex`. Relations get made-up names where the schema has none, as in a store
  /// file.
  package func writeModelJSON(to writer: inout JSONWriter) {
    writer.raw("{")
    writer.list("entities", entities) { $1.write(to: &$0) }
    writer.raw(",")
    writer.member("lastEntityId", lastEntity)
    writer.raw(",")
    writer.member("lastIndexId", lastIndex)
    writer.raw(",")
    writer.member("lastRelationId", lastRelation)
    writer.raw(#","modelVersion":5,"modelVersionParserMinimum":4,"version":1}"#)
  }
}

extension EntitySchema {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.raw("{")
    writer.member("id", identity)
    writer.raw(",")
    writer.member("lastPropertyId", lastProperty)
    writer.more("name", name)
    if flags != 0 { writer.more("flags", flags) }
    if let externalName { writer.more("externalName", externalName) }
    writer.raw(",")
    writer.list("properties", properties) { $1.write(to: &$0) }
    if !compoundIndexes.isEmpty {
      writer.raw(",")
      writer.list("compoundIndexes", compoundIndexes) { $1.write(to: &$0, of: self) }
    }
    if !fullTextIndexes.isEmpty {
      writer.raw(",")
      writer.list("fullTextIndexes", fullTextIndexes) { $1.write(to: &$0, of: self) }
    }
    writer.raw(",")
    writer.list("relations", relations) { $1.write(to: &$0) }
    writer.raw("}")
  }
}

extension PropertySchema {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.raw("{")
    writer.member("id", identity)
    writer.more("name", name)
    if let index {
      writer.raw(",")
      writer.member("indexId", index)
    }
    writer.more("type", type.rawValue)
    if flags != 0 { writer.more("flags", flags) }
    if let targetEntityName { writer.more("relationTarget", targetEntityName) }
    if let externalName { writer.more("externalName", externalName) }
    if externalType != 0 { writer.more("externalType", externalType) }
    // A collation that follows from the external type is not written.
    if collation == .nocase { writer.more("collation", "nocase") }
    if onDelete != .nullify { writer.more("onDelete", onDelete.word) }
    hnsw?.write(to: &writer)
    writer.raw("}")
  }
}

extension CompoundIndexSchema {
  fileprivate func write(to writer: inout JSONWriter, of entity: EntitySchema) {
    writer.raw("{")
    writer.member("id", identity)
    writer.raw(",")
    writer.properties(propertyIDs, of: entity)
    if isUnique { writer.raw(#","unique":true"#) }
    writer.raw("}")
  }
}

extension FullTextIndexSchema {
  fileprivate func write(to writer: inout JSONWriter, of entity: EntitySchema) {
    writer.raw("{")
    writer.member("id", identity)
    if let name { writer.more("name", name) }
    writer.raw(",")
    writer.properties(parts.map(\.propertyID), of: entity)
    if parts.contains(where: { $0.weight != 1 }) {
      writer.raw(",")
      writer.list("weights", parts) { $0.integer($1.weight) }
    }
    if let language { writer.more("language", language) }
    if !prefixes.isEmpty {
      writer.raw(",")
      writer.list("prefix", prefixes) { $0.integer($1) }
    }
    if keepsDiacritics { writer.more("diacritics", "keep") }
    for (name, value) in [("k1", k1), ("b", b)] {
      guard let value else { continue }
      writer.raw(",")
      writer.key(name)
      writer.raw(value.description)
    }
    writer.raw("}")
  }
}

extension RelationSchema {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.raw("{")
    writer.member("id", identity)
    writer.more("name", title)
    writer.raw(",")
    writer.member("targetId", target)
    if let externalName { writer.more("externalName", externalName) }
    if externalType != 0 { writer.more("externalType", externalType) }
    if onDelete != .nullify { writer.more("onDelete", onDelete.word) }
    if onTargetDelete != .nullify { writer.more("onTargetDelete", onTargetDelete.word) }
    writer.raw("}")
  }
}

extension HnswParameters {
  /// Reads the parameters from a model file.
  init(_ value: JSONValue) throws {
    self.init(dimensions: try value.required("dimensions").number(of: "dimensions"))
    neighborsPerNode = try value.member("neighborsPerNode")?.number(of: "neighborsPerNode")
    indexingSearchCount = try value.member("indexingSearchCount")?.number(of: "indexingSearchCount")
    flags = try value.member("flags")?.number(of: "flags") ?? 0
    distanceType = try value.member("distanceType")?.number(of: "distanceType")
    if let probability = value.member("reparationBacklinkProbability") {
      guard case .number(let digits) = probability.content, let number = Float(digits) else {
        throw ModelFileFault.wrongValue(
          "reparationBacklinkProbability",
          probability,
          expected: "a number"
        )
      }
      reparationBacklinkProbability = number
    }
    vectorCacheHintSizeInKilobytes = try value.member("vectorCacheHintSizeKB")?
      .number(of: "vectorCacheHintSizeKB")
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.raw(",")
    writer.key("vectorIndex")
    writer.raw("{")
    writer.key("dimensions")
    writer.integer(dimensions)
    if let neighborsPerNode { writer.more("neighborsPerNode", neighborsPerNode) }
    if let indexingSearchCount { writer.more("indexingSearchCount", indexingSearchCount) }
    if flags != 0 { writer.more("flags", flags) }
    if let distanceType { writer.more("distanceType", distanceType) }
    if let reparationBacklinkProbability, reparationBacklinkProbability.isFinite {
      writer.raw(",")
      writer.key("reparationBacklinkProbability")
      writer.raw(reparationBacklinkProbability.description)
    }
    if let vectorCacheHintSizeInKilobytes {
      writer.more("vectorCacheHintSizeKB", vectorCacheHintSizeInKilobytes)
    }
    writer.raw("}")
  }
}

extension SchemaIdentity {
  fileprivate var text: String { "\(id):\(uid)" }
}

extension DeleteRule {
  fileprivate var word: String {
    switch self {
    case .nullify: "nullify"
    case .restrict: "restrict"
    case .cascade: "cascade"
    }
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: String, _ identity: SchemaIdentity) {
    key(name)
    string(identity.text)
  }

  /// Appends a comma and a member.
  fileprivate mutating func more(_ name: String, _ text: String) {
    raw(",")
    key(name)
    string(text)
  }

  /// Appends a comma and a member.
  fileprivate mutating func more(_ name: String, _ number: some FixedWidthInteger) {
    raw(",")
    key(name)
    integer(number)
  }

  /// Appends the identities of properties.
  fileprivate mutating func properties(_ ids: [UInt32], of entity: EntitySchema) {
    list("properties", ids) { writer, id in
      let property = entity.property(id: id)
      writer.string((property?.identity ?? SchemaIdentity(id: id, uid: 0)).text)
    }
  }

  fileprivate mutating func list<T>(
    _ name: String,
    _ elements: [T],
    _ write: (inout JSONWriter, T) -> Void
  ) {
    key(name)
    list(elements, write)
  }
}
