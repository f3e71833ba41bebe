// The attributes of model.json. Each row defines how an attribute is read, written, taken from the
// sources, reported by `diff` and `check`, and merged.

extension ModelDocument: ModelNode {
  package static let table = ModelTable<Self>([
    .init("_note1", "KEEP THIS FILE! Check it into a version control system (VCS) like git."),
    .init("_note2", "ObjectBox manages crucial IDs for your object model. See docs for details."),
    .init(
      "_note3",
      "If you have VCS merge conflicts, you must resolve them according to ObjectBox docs."
    ),
    .init("entities", elements: \.entities),
    .last(.entity, \.lastEntityID),
    .last(.index, \.lastIndexID),
    .last(.relation, \.lastRelationID),
    .init("lastSequenceId", \.lastSequenceID, .id()),
    .init("modelVersion", .number(UInt64(version))),
    .init("modelVersionParserMinimum", .number(4)),
    .init("newUidPool", optional: \.newUIDPool, .uids),
    .init("retiredEntityUids", \.retiredEntityUIDs, .uids),
    .init("retiredIndexUids", \.retiredIndexUIDs, .uids),
    .init("retiredPropertyUids", \.retiredPropertyUIDs, .uids),
    .init("retiredRelationUids", \.retiredRelationUIDs, .uids),
    .init("version", .number(1)),
  ])
}

extension ModelDocument.Entity: ModelElement {
  package typealias Declaration = SchemaEntity

  package static let kind = ElementKind.entity

  package static let table = ModelTable<Self>([
    .name(\.name, from: \.databaseName, .entityRenamed),
    .id(.entityMoved) { _ in .moved },
    .init("flags", \.flags, .flags, usual: [], from: \.flags, [.flags]),
    .init("externalName", optional: \.externalName, .anyText, from: \.externalName, [.external]),
    .init("properties", elements: \.properties),
    .init("compoundIndexes", elements: \.compoundIndexes, isOmittedWhenEmpty: true),
    .init("fullTextIndexes", elements: \.fullTextIndexes, isOmittedWhenEmpty: true),
    .init("relations", elements: \.relations),
    .last(.property, \.lastPropertyID, of: \.name),
  ]).laidOut("id lastPropertyId name flags externalName properties relations")
}

extension ModelDocument.Property: ModelElement {
  package typealias Declaration = SchemaProperty

  package static let kind = ElementKind.property

  package static let table = ModelTable<Self>([
    .name(\.name, from: \.databaseName, .propertyRenamed, .always),
    .id(.propertyMoved) { $0.isIDTaken ? .propertyReplaced : .propertyMoved },
    .init("type", optional: \.type, .number, from: \.type?.rawValue, [.type, .role, .sign]),
    .init("indexId", optional: \.indexID, .id(.own(.index)), [.index, .unique, .conflictRule]),
    .init("collation", optional: \.collation, .word, usual: .binary, from: \.collation),
    .init(
      "relationTarget",
      optional: \.relationTarget,
      .anyText,
      from: \.relationTarget,
      [.target]
    ),
    // Before the flags, which it changes.
    .init(
      "unsigned",
      \.omitsUnsignedFlag,
      .boolean,
      usual: false,
      from: \.omitsUnsignedFlag,
      [.signForm]
    ),
    .init("flags", \.writtenFlags, .flags, usual: [], from: \.flags, [.otherFlags]),
    .init("externalName", optional: \.externalName, .anyText, from: \.externalName, [.external]),
    .init("externalType", optional: \.externalType, .number, from: \.externalType),
    .deleteRule("onDelete", \.onDelete, from: \.onDelete?.stated),
    .init(
      "migratedFrom",
      optional: \.migratedFrom,
      .id(),
      from: \.migration?.source?.id,
      [.migration]
    ),
    .init("migratedFromName", optional: \.migratedFromName, .text, from: \.migration?.source?.name),
    .init(
      "migratedFromType",
      optional: \.migratedFromType,
      .number,
      from: \.migration?.source?.type.rawValue
    ),
    .init(
      "migratedFromProperties",
      \.migratedFromProperties,
      .init(listOf: .id(), "list of IDs"),
      usual: [],
      from: { $0.objectMigration?.sources.map(\.id) ?? [] },
      [.objectMigration]
    ),
    .init(
      "migratedFromNames",
      \.migratedFromNames,
      .init(listOf: .text, "list of names"),
      usual: []
    ) { $0.objectMigration?.sources.map(\.name) ?? [] },
    .init(
      "migratedFromTypes",
      \.migratedFromTypes,
      .init(listOf: .number, "list of types"),
      usual: []
    ) { $0.objectMigration?.sources.map(\.type.rawValue) ?? [] },
  ]).laidOut("id name indexId type flags relationTarget externalName externalType collation")
}

extension ModelDocument.CompoundIndex: ModelElement {
  package typealias Declaration = SchemaCompoundIndex

  package static let kind = ElementKind.index

  package static let table = ModelTable<Self>([
    .init("id", \.id, .id(.own(.index)), isRequired: true, [.compoundIndex]),
    .init("properties", \.propertyIDs, .properties, from: \.propertyIDs),
    .init("unique", \.isUnique, .boolean, from: \.isUnique),
  ])
}

extension ModelDocument.FullTextIndex: ModelElement {
  package typealias Declaration = SchemaFullTextIndex

  package static let kind = ElementKind.index

  package static let table = ModelTable<Self>([
    .init("id", \.id, .id(.own(.index)), isRequired: true, [.fullTextIndex]),
    .init("name", optional: \.givenName, .text, from: \.name),
    .init("properties", \.propertyIDs, .properties, from: \.propertyIDs),
    .init(
      "weights",
      \.weights,
      .init(listOf: .number, "list of weights"),
      usual: [],
      from: \.weights
    ),
    .init("language", optional: \.language, .text, from: \.settings.language),
    .init(
      "prefix",
      \.prefixLengths,
      .init(listOf: .number, "list of lengths"),
      usual: [],
      from: \.settings.prefixLengths
    ),
    .init("diacritics", optional: \.diacritics, .word, usual: .fold) {
      $0.settings.keepsDiacritics ? .keep : nil
    },
    .init("k1", optional: \.k1, .decimal, from: \.settings.k1),
    .init("b", optional: \.b, .decimal, from: \.settings.b),
  ])
}

extension ModelDocument.Relation: ModelElement {
  package typealias Declaration = SchemaRelation

  package static let kind = ElementKind.relation

  package static let table = ModelTable<Self>([
    .name(\.name, from: \.name, .relationRenamed),
    .id(.relationMoved) { _ in .relationMoved },
    .init("targetId", \.targetID, .id(.reference(.entity)), [.target]),
    .init("externalName", optional: \.externalName, .anyText, from: \.externalName, [.external]),
    .init("externalType", optional: \.externalType, .number, from: \.externalType),
    .deleteRule("onDelete", \.onDelete, from: \.onDelete?.stated),
    .deleteRule("onTargetDelete", \.onTargetDelete, from: \.onTargetDelete?.stated),
  ]).laidOut("id name externalName externalType targetId")
}
