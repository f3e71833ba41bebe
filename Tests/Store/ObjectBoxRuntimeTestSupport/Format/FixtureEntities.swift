package import ObjectBox

/// Has a property of each type, and an index of each kind.
package enum SampleEntity: FixtureEntity {
  package static let info = EntityInfo(name: "Sample", id: 1)
  package static let properties: [FixtureProperty] = [
    FixtureProperty(id: 1, name: "id", type: .long, flags: [.id, .idSelfAssignable]),
    FixtureProperty(id: 2, name: "bool", type: .bool, flags: [.indexed], index: 1),
    FixtureProperty(id: 3, name: "byte", type: .byte, flags: [.indexed], index: 2),
    FixtureProperty(id: 4, name: "ubyte", type: .byte, flags: [.indexed, .unsigned], index: 3),
    FixtureProperty(id: 5, name: "short", type: .short, flags: [.indexed], index: 4),
    FixtureProperty(id: 6, name: "ushort", type: .short, flags: [.indexed, .unsigned], index: 5),
    FixtureProperty(id: 7, name: "char", type: .char, flags: [.indexed], index: 6),
    FixtureProperty(id: 8, name: "int", type: .int, flags: [.indexed], index: 7),
    FixtureProperty(id: 9, name: "uint", type: .int, flags: [.indexed, .unsigned], index: 8),
    FixtureProperty(id: 10, name: "long", type: .long, flags: [.indexed], index: 9),
    FixtureProperty(id: 11, name: "ulong", type: .long, flags: [.indexed, .unsigned], index: 10),
    FixtureProperty(id: 12, name: "float", type: .float, flags: [.indexed], index: 11),
    FixtureProperty(id: 13, name: "double", type: .double, flags: [.indexed], index: 12),
    FixtureProperty(id: 14, name: "text", type: .string, flags: [.indexed], index: 13),
    FixtureProperty(id: 15, name: "hashed", type: .string, flags: [.indexHash], index: 14),
    FixtureProperty(id: 16, name: "hashed64", type: .string, flags: [.indexHash64], index: 15),
    FixtureProperty(
      id: 17,
      name: "folded",
      type: .string,
      flags: [.indexed],
      index: 16,
      collation: .nocase
    ),
    FixtureProperty(
      id: 18,
      name: "foldedHash",
      type: .string,
      flags: [.indexHash],
      index: 17,
      collation: .nocase
    ),
    FixtureProperty(id: 19, name: "code", type: .string, flags: [.unique, .indexHash], index: 18),
    FixtureProperty(id: 20, name: "date", type: .date, flags: [.indexed], index: 19),
    FixtureProperty(id: 21, name: "dateNano", type: .dateNano, flags: [.indexed], index: 20),
    FixtureProperty(id: 22, name: "bytes", type: .byteVector, flags: [.indexed], index: 21),
    FixtureProperty(
      id: 23,
      name: "uuid",
      type: .byteVector,
      flags: [.indexed],
      index: 22,
      externalType: .uuid,
      externalName: "uid"
    ),
    FixtureProperty(id: 24, name: "flex", type: .flex),
    FixtureProperty(id: 25, name: "ints", type: .intVector),
    FixtureProperty(id: 26, name: "longs", type: .longVector),
    FixtureProperty(id: 27, name: "floats", type: .floatVector),
    FixtureProperty(id: 28, name: "texts", type: .stringVector),
    FixtureProperty(id: 29, name: "boolVector", type: .boolVector),
    FixtureProperty(id: 30, name: "shortVector", type: .shortVector),
    FixtureProperty(id: 31, name: "charVector", type: .charVector),
    FixtureProperty(id: 32, name: "doubleVector", type: .doubleVector),
    FixtureProperty(id: 33, name: "dateVector", type: .dateVector),
    FixtureProperty(id: 34, name: "dateNanoVector", type: .dateNanoVector),
    FixtureProperty(id: 35, name: "intHash", type: .int, flags: [.indexHash], index: 23),
    FixtureProperty(id: 36, name: "doubleHash", type: .double, flags: [.indexHash64], index: 24),
    FixtureProperty(
      id: 37,
      name: "skipNull",
      type: .long,
      flags: [.indexed, .indexPartialSkipNull],
      index: 25
    ),
    FixtureProperty(
      id: 38,
      name: "skipZero",
      type: .long,
      flags: [.indexed, .indexPartialSkipZero],
      index: 26
    ),
    FixtureProperty(
      id: 39,
      name: "replaced",
      type: .long,
      flags: [.indexed, .unique, .uniqueOnConflictReplace],
      index: 27
    ),
    FixtureProperty(id: 40, name: "plain", type: .string),
    FixtureProperty(id: 41, name: "unknown", type: .unknown),
  ]
}

// MARK: Relations

package enum AuthorEntity: FixtureEntity {
  package static let info = EntityInfo(name: "Author", id: 1)
  package static let properties = [
    FixtureProperty(id: 1, name: "id", type: .long, flags: [.id]),
    FixtureProperty(id: 2, name: "name", type: .string),
  ]
  package static let relations = [FixtureRelation(id: 2, target: 3, onDelete: .cascade)]
}

/// Has to-one relations with and without an index, and a standalone relation.
package enum BookEntity: FixtureEntity {
  package static let info = EntityInfo(name: "Book", id: 2)
  package static let properties = [
    FixtureProperty(id: 1, name: "id", type: .long, flags: [.id]),
    FixtureProperty(id: 2, name: "title", type: .string),
    FixtureProperty(
      id: 3,
      name: "author",
      type: .relation,
      flags: [.indexed, .indexPartialSkipZero],
      index: 1,
      target: AuthorEntity.info,
      onDelete: .cascade
    ),
    FixtureProperty(
      id: 4,
      name: "editor",
      type: .relation,
      target: AuthorEntity.info,
      onDelete: .restrict
    ),
    FixtureProperty(
      id: 5,
      name: "sequel",
      type: .relation,
      flags: [.indexed, .indexPartialSkipZero],
      index: 2,
      target: info
    ),
  ]
  package static let relations = [FixtureRelation(id: 1, target: 3, onTargetDelete: .restrict)]
}

package enum TopicEntity: FixtureEntity {
  package static let info = EntityInfo(name: "Topic", id: 3)
  package static let properties = [
    FixtureProperty(id: 1, name: "id", type: .long, flags: [.id]),
    FixtureProperty(id: 2, name: "name", type: .string),
  ]
}

/// Has relations with and without a stored name.
package enum PersonWithFriendsEntity: FixtureEntity {
  package static let info = EntityInfo(name: "Person", id: 1)
  package static let properties = AuthorEntity.properties
  package static let relations = [
    FixtureRelation(id: 1, target: 1), FixtureRelation(id: 2, target: 1, name: "friends"),
  ]
}

// MARK: Vectors

/// Has a nearest-neighbour index for each distance type.
package enum PlaceEntity: FixtureEntity {
  package static let info = EntityInfo(name: "Place", id: 1)
  package static let properties = [
    FixtureProperty(id: 1, name: "id", type: .long, flags: [.id]),
    vector(2, "euclidean", 3, nil, neighborsPerNode: 3),
    vector(3, "cosine", 3, .cosine, neighborsPerNode: 2),
    vector(4, "dotProduct", 3, .dotProduct, neighborsPerNode: 4),
    vector(5, "geo", 2, .geo, neighborsPerNode: 4),
    vector(6, "product", 3, .dotProductNonNormalized, neighborsPerNode: 4),
  ]

  private static func vector(
    _ id: UInt32,
    _ name: String,
    _ dimensions: Int,
    _ distance: HnswDistanceType?,
    neighborsPerNode: UInt32
  ) -> FixtureProperty {
    FixtureProperty(
      id: id,
      name: name,
      type: .floatVector,
      flags: [.indexed],
      index: id - 1,
      graph: FixtureGraph(
        dimensions: dimensions,
        distance: distance,
        neighborsPerNode: neighborsPerNode,
        repairProbability: id == 2 ? 0.5 : nil
      )
    )
  }
}

// MARK: Indexes over several properties

package enum PersonEntity: FixtureEntity {
  package static let info = EntityInfo(name: "Person", id: 1)
  package static let properties = [
    FixtureProperty(id: 1, name: "id", type: .long, flags: [.id]),
    FixtureProperty(
      id: 2,
      name: "email",
      type: .string,
      flags: [.indexHash],
      index: 1,
      collation: .nocase
    ),
    FixtureProperty(id: 3, name: "tenant", type: .int, flags: [.unsigned]),
    FixtureProperty(id: 4, name: "last", type: .string),
    FixtureProperty(id: 5, name: "first", type: .string),
    FixtureProperty(id: 6, name: "score", type: .double),
    FixtureProperty(id: 7, name: "year", type: .short),
    FixtureProperty(id: 8, name: "key", type: .byteVector),
    FixtureProperty(
      id: 9,
      name: "boss",
      type: .relation,
      flags: [.indexed, .indexPartialSkipZero],
      index: 2,
      target: info
    ),
    FixtureProperty(id: 10, name: "active", type: .bool),
  ]
  package static let compoundIndexes = [
    FixtureCompoundIndex(id: 3, properties: [2, 3], isUnique: true),
    FixtureCompoundIndex(id: 4, properties: [4, 5]),
    FixtureCompoundIndex(id: 5, properties: [7, 6, 10]),
    FixtureCompoundIndex(id: 6, properties: [9, 8]),
  ]
}

// MARK: Decimals

/// Has decimals stored as texts, with each kind of index and without.
package enum AmountEntity: FixtureEntity {
  package static let info = EntityInfo(name: "Amount", id: 1)
  package static let properties = [
    FixtureProperty(id: 1, name: "id", type: .long, flags: [.id]),
    FixtureProperty(
      id: 2,
      name: "amount",
      type: .string,
      flags: [.indexed],
      index: 1,
      externalType: .decimal128
    ),
    FixtureProperty(id: 3, name: "plain", type: .string, externalType: .decimal128),
    FixtureProperty(
      id: 4,
      name: "number",
      type: .string,
      flags: [.indexed, .unique],
      index: 2,
      externalType: .decimal128
    ),
    FixtureProperty(
      id: 5,
      name: "hashed",
      type: .string,
      flags: [.indexHash],
      index: 3,
      externalType: .decimal128
    ),
    FixtureProperty(id: 6, name: "owner", type: .string),
    FixtureProperty(id: 7, name: "url", type: .string),
  ]
  package static let compoundIndexes = [FixtureCompoundIndex(id: 4, properties: [3, 6])]
}

// MARK: Layouts

/// The first version of an entity that is upgraded three times.
package enum ItemEntity1: FixtureEntity {
  package static let info = EntityInfo(name: "Item", id: 1)
  package static let id = FixtureProperty(id: 1, name: "id", type: .long, flags: [.id])
  package static let score = FixtureProperty(id: 5, name: "score", type: .double)
  package static let properties = [
    id,
    FixtureProperty(id: 2, name: "title", type: .string),
    FixtureProperty(id: 3, name: "count", type: .short),
    FixtureProperty(id: 4, name: "data", type: .byteVector),
    score,
    FixtureProperty(id: 6, name: "flag", type: .byte),
  ]
}

/// Adds properties, one of them with an index.
package enum ItemEntity2: FixtureEntity {
  package static let info = ItemEntity1.info
  package static let added = [
    FixtureProperty(id: 7, name: "note", type: .string, flags: [.indexHash], index: 1),
    FixtureProperty(id: 8, name: "when", type: .date),
  ]
  package static let properties = ItemEntity1.properties + added
}

/// Removes a property, changes types whose bytes keep their meaning, and adds an index to an old
/// property.
package enum ItemEntity3: FixtureEntity {
  package static let info = ItemEntity1.info
  package static let retyped = [
    FixtureProperty(
      id: 2,
      name: "title",
      type: .string,
      flags: [.indexed],
      index: 2,
      collation: .nocase
    ),
    FixtureProperty(id: 3, name: "count", type: .char),
    FixtureProperty(id: 4, name: "data", type: .flex),
    FixtureProperty(id: 6, name: "flag", type: .unknown),
  ]
  package static let properties = [ItemEntity1.id] + retyped + ItemEntity2.added
  package static let lastProperty: UInt32? = 8
}

/// Replaces a property by one of another type under a new ID, without its values, and adds others.
package enum ItemEntity4: FixtureEntity {
  package static let info = ItemEntity1.info
  package static let properties =
    [ItemEntity1.id] + ItemEntity3.retyped + [
      ItemEntity2.added[1],
      FixtureProperty(id: 9, name: "note", type: .double, flags: [.indexed], index: 3),
      FixtureProperty(id: 10, name: "tags", type: .stringVector),
      FixtureProperty(id: 11, name: "big", type: .long, flags: [.unsigned]),
    ]
  package static let compoundIndexes = [FixtureCompoundIndex(id: 4, properties: [3, 8])]
}
