// The attributes of model.json. One row makes an attribute read, written, taken from the sources, told by
// `diff` and `check`, and merged.

extension ModelDocument: ModelNode {
  static let table = ModelTable<Self>([
    .init(
      "_note1",
      constant: .text("KEEP THIS FILE! Check it into a version control system (VCS) like git.")
    ),
    .init(
      "_note2",
      constant: .text("ObjectBox manages crucial IDs for your object model. See docs for details.")
    ),
    .init(
      "_note3",
      constant: .text(
        "If you have VCS merge conflicts, you must resolve them according to ObjectBox docs."
      )
    ),
    .init("entities", elements: \.entities),
    .init(
      "lastEntityId",
      \.lastEntityID,
      .id(.last(.entity)),
      traits: [.last(.entity, \.lastEntityID)]
    ),
    .init(
      "lastIndexId",
      \.lastIndexID,
      .id(.last(.index)),
      traits: [.last(.index, \.lastIndexID)]
    ),
    .init(
      "lastRelationId",
      \.lastRelationID,
      .id(.last(.relation)),
      traits: [.last(.relation, \.lastRelationID)]
    ),
    .init("lastSequenceId", \.lastSequenceID, .id()),
    .init("modelVersion", constant: .number(UInt64(version))),
    .init("modelVersionParserMinimum", constant: .number(4)),
    .init("newUidPool", optional: \.newUIDPool, .uids),
    .init("retiredEntityUids", \.retiredEntityUIDs, .uids),
    .init("retiredIndexUids", \.retiredIndexUIDs, .uids),
    .init("retiredPropertyUids", \.retiredPropertyUIDs, .uids),
    .init("retiredRelationUids", \.retiredRelationUIDs, .uids),
    .init("version", constant: .number(1)),
  ])
}

extension ModelDocument.Entity: ModelElement {
  typealias Declaration = SchemaEntity

  static let kind = ElementKind.entity

  static let table = ModelTable<Self>(
    layout: "id lastPropertyId name flags externalName properties relations",
    [
      .init(
        "name",
        \.name,
        .text,
        isRequired: true,
        from: \.databaseName,
        traits: [.value("name", \.name, .entityRenamed, .name) { $0 }]
      ),
      .init(
        "id",
        \.id,
        .id(.own(.entity)),
        isRequired: true,
        traits: [.number(.entityMoved) { _ in .moved }]
      ),
      .init(
        "flags",
        \.flags,
        .flags,
        usual: [],
        from: \.flags,
        traits: [
          ModelTrait.value("flags", \.flags, .entityFlags, .notStored, words: FlagNames.words)
            .merging(flags: \.flags)
        ]
      ),
      .init(
        "externalName",
        optional: \.externalName,
        .lenientText,
        from: \.externalName,
        traits: [.value("external name", \.externalName, .entityExternalName, .notStored) { $0 }]
      ),
      .init("properties", elements: \.properties),
      .init("compoundIndexes", elements: \.compoundIndexes, isOmittedWhenEmpty: true),
      .init("relations", elements: \.relations),
      .init(
        "lastPropertyId",
        \.lastPropertyID,
        .id(.last(.property)),
        traits: [.last(.property, \.lastPropertyID, of: \.name)]
      ),
    ]
  )
}

extension ModelDocument.Property: ModelElement {
  typealias Declaration = SchemaProperty

  static let kind = ElementKind.property

  static let table = ModelTable<Self>(
    layout: "id name indexId type flags relationTarget externalName externalType collation",
    [
      .init(
        "name",
        \.name,
        .text,
        isRequired: true,
        from: \.databaseName,
        traits: [.value("name", \.name, .propertyRenamed, .name, isQuoted: true) { $0 }]
      ),
      .init("id", \.id, .id(.own(.property)), isRequired: true, traits: [.propertyNumber]),
      .init(
        "type",
        optional: \.type,
        .number,
        from: \.type?.rawValue,
        traits: [.type, .role, .sign]
      ),
      .init(
        "indexId",
        optional: \.indexID,
        .id(.own(.index)),
        traits: [.index, .unique, .conflictRule]
      ),
      .init("collation", optional: \.collation, .word, usual: .binary, from: \.collation),
      .init(
        "relationTarget",
        optional: \.relationTarget,
        .lenientText,
        from: \.relationTarget,
        traits: [.target]
      ),
      .init("flags", \.flags, .flags, usual: [], from: \.flags, traits: [.otherFlags]),
      .init(
        "externalName",
        optional: \.externalName,
        .lenientText,
        from: \.externalName,
        traits: [.external(\.external, .propertyExternal)]
      ),
      .init("externalType", optional: \.externalType, .number, from: \.externalType),
      .init(
        "onDelete",
        optional: \.onDelete,
        .word,
        usual: .nullify,
        from: \.onDelete?.stated,
        traits: [.deleteRule(\.onDelete)]
      ),
    ]
  )
}

extension ModelDocument.CompoundIndex: ModelElement {
  typealias Declaration = SchemaCompoundIndex

  static let kind = ElementKind.index

  static let table = ModelTable<Self>([
    .init("id", \.id, .id(.own(.index)), isRequired: true, traits: [.compoundIndex]),
    .init(
      "properties",
      \.propertyIDs,
      ModelCodec(listOf: .id(.reference(.property))),
      from: \.propertyIDs
    ),
    .init("unique", \.isUnique, .boolean, from: \.isUnique),
  ])
}

extension ModelDocument.Relation: ModelElement {
  typealias Declaration = SchemaRelation

  static let kind = ElementKind.relation

  static let table = ModelTable<Self>(
    layout: "id name externalName externalType targetId",
    [
      .init(
        "name",
        \.name,
        .text,
        isRequired: true,
        from: \.name,
        traits: [.value("name", \.name, .relationRenamed, .name) { $0 }]
      ),
      .init(
        "id",
        \.id,
        .id(.own(.relation)),
        isRequired: true,
        traits: [.number(.relationMoved) { _ in .relationMoved }]
      ),
      .init("targetId", \.targetID, .id(.reference(.entity)), traits: [.target]),
      .init(
        "externalName",
        optional: \.externalName,
        .lenientText,
        from: \.externalName,
        traits: [.external(\.external, .relationExternal)]
      ),
      .init("externalType", optional: \.externalType, .number, from: \.externalType),
      .init(
        "onDelete",
        optional: \.onDelete,
        .word,
        usual: .nullify,
        from: \.onDelete?.stated,
        traits: [.deleteRule(\.onDelete)]
      ),
      .init(
        "onTargetDelete",
        optional: \.onTargetDelete,
        .word,
        usual: .nullify,
        from: \.onTargetDelete?.stated,
        traits: [.deleteRule(\.onTargetDelete)]
      ),
    ]
  )
}
