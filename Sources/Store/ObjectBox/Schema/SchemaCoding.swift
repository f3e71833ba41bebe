// The bytes of the schema and of record layouts in the store file. A blank value has the parts that reading sets.

extension StoreSchema: ByteCodable {
  package static var blank: StoreSchema { StoreSchema() }
  package mutating func code(by coder: inout ByteCoder) {
    coder.code(&lastEntity)
    coder.code(&lastIndex)
    coder.code(&lastRelation)
    coder.code(&entities)
  }
}

extension SchemaIdentity: ByteCodable {
  package static var blank: SchemaIdentity { SchemaIdentity(id: 0, uid: 0) }
  package mutating func code(by coder: inout ByteCoder) {
    coder.code(&id)
    coder.code(&uid)
  }
}

extension EntitySchema: ByteCodable {
  package static var blank: EntitySchema { EntitySchema(identity: .blank, name: "") }
  package mutating func code(by coder: inout ByteCoder) {
    coder.code(&identity)
    coder.code(&name)
    coder.code(&flags)
    coder.code(&externalName)
    coder.code(&lastProperty)
    coder.code(&properties)
    coder.code(&relations)
    coder.code(&compoundIndexes)
    coder.code(&fullTextIndexes)
  }
}

extension PropertySchema: ByteCodable {
  package static var blank: PropertySchema {
    PropertySchema(identity: .blank, name: "", type: .unknown)
  }
  package mutating func code(by coder: inout ByteCoder) {
    coder.code(&identity)
    coder.code(&name)
    coder.code(&type)
    coder.code(&flags)
    coder.code(&index)
    coder.code(&targetEntityName)
    coder.code(&hnsw)
    coder.code(&externalName)
    coder.code(&externalType)
    coder.code(&collation)
    coder.code(&onDelete)
  }
}

extension HnswParameters: ByteCodable {
  package static var blank: HnswParameters { HnswParameters(dimensions: 0) }
  package mutating func code(by coder: inout ByteCoder) {
    coder.code(&dimensions)
    coder.code(&neighborsPerNode)
    coder.code(&indexingSearchCount)
    coder.code(&flags)
    coder.code(&distanceType)
    coder.code(&reparationBacklinkProbability)
    coder.code(&vectorCacheHintSizeInKilobytes)
    // The C code that measures distances relies on this; distances on the earth read two values.
    let least = distanceType == HnswDistanceType.geo.rawValue ? 2 : 1
    coder.require(dimensions >= least)
    coder.require(dimensions <= Int(UInt32.max) / MemoryLayout<Float>.size)
  }
}

extension RelationSchema: ByteCodable {
  package static var blank: RelationSchema { RelationSchema(identity: .blank, target: .blank) }
  package mutating func code(by coder: inout ByteCoder) {
    coder.code(&identity)
    coder.code(&target)
    coder.code(&name.value)
    coder.code(&externalName)
    coder.code(&externalType)
    coder.code(&onDelete)
    coder.code(&onTargetDelete)
  }
}

extension CompoundIndexSchema: ByteCodable {
  package static var blank: CompoundIndexSchema {
    CompoundIndexSchema(identity: .blank, isUnique: false, propertyIDs: [])
  }
  package mutating func code(by coder: inout ByteCoder) {
    coder.code(&identity)
    coder.code(&isUnique)
    coder.code(&propertyIDs)
  }
}

extension FullTextIndexSchema: ByteCodable {
  package static var blank: FullTextIndexSchema {
    FullTextIndexSchema(identity: .blank, parts: [])
  }
  package mutating func code(by coder: inout ByteCoder) {
    coder.code(&identity)
    coder.code(&name)
    coder.code(&parts)
    coder.code(&language)
    coder.code(&prefixes)
    coder.code(&keepsDiacritics)
    coder.code(&k1)
    coder.code(&b)
    coder.code(&tokenizer)
    coder.require(isPossible)
  }
}

extension FullTextIndexSchema.Part: ByteCodable {
  package static var blank: Self { Self(propertyID: 0) }
  package mutating func code(by coder: inout ByteCoder) {
    coder.code(&propertyID)
    coder.code(&weight)
  }
}

// MARK: - Layouts

extension RecordLayout.Definition: ByteCodable {
  /// The largest ID of a property: its slot has 2 bytes.
  private static let greatestID = UInt32(UInt16.max / 2 - 2)

  package static var blank: Self { Self(number: 0, properties: []) }
  package mutating func code(by coder: inout ByteCoder) {
    coder.code(&number)
    coder.code(&properties)
    // The layouts in memory rely on this.
    coder.require(properties.allSatisfy { $0.id <= Self.greatestID })
    coder.require(minimumRecordSize <= Int(UInt16.max))
  }
}

extension RecordLayout.Definition.Property: ByteCodable {
  package static var blank: Self { Self(id: 0, uid: 0, type: .unknown, isObjectID: false) }
  package mutating func code(by coder: inout ByteCoder) {
    coder.code(&id)
    coder.code(&uid)
    coder.code(&type)
    coder.code(&isObjectID)
  }
}

// MARK: - Retired data

extension RetiredSchema: ByteCodable {
  package static var blank: RetiredSchema { RetiredSchema() }
  package mutating func code(by coder: inout ByteCoder) {
    coder.code(&entities)
    coder.code(&relations)
  }
}

extension RetiredSchema.Entity: ByteCodable {
  package static var blank: Self {
    Self(schema: .blank, layouts: [], lastID: 0, objectCount: 0, sizeInBytes: 0)
  }
  package mutating func code(by coder: inout ByteCoder) {
    coder.code(&schema)
    coder.code(&layouts)
    coder.code(&lastID)
    coder.code(&hasMoved)
    coder.code(size: &objectCount)
    coder.code(size: &sizeInBytes)
  }
}

extension RetiredSchema.Relation: ByteCodable {
  package static var blank: Self {
    Self(
      identity: .blank,
      sourceUID: 0,
      sourceName: "",
      targetUID: 0,
      targetName: "",
      linkCount: 0,
      sizeInBytes: 0
    )
  }
  package mutating func code(by coder: inout ByteCoder) {
    coder.code(&identity)
    coder.code(&sourceUID)
    coder.code(&sourceName)
    coder.code(&targetUID)
    coder.code(&targetName)
    coder.code(&hasMoved)
    coder.code(size: &linkCount)
    coder.code(size: &sizeInBytes)
  }
}
