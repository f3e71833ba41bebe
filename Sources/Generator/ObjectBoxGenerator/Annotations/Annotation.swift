/// A known annotation: its name, the declarations that it may annotate, and its values.
///
/// ``all`` drives the parser, the suggestions for unknown names and keys, and the findings about
/// misspelt prefixes, misplaced annotations and annotations that exclude each other. The rules in
/// `Schema/` implement the effects.
package struct Annotation: Sendable {
  /// Kinds of declarations.
  struct Places: OptionSet, Sendable {
    let rawValue: Int

    /// A class, struct or extension.
    static let type = Self(rawValue: 1)
    /// A stored variable that is neither ID nor relation.
    static let property = Self(rawValue: 2)
    static let id = Self(rawValue: 4)
    static let toOne = Self(rawValue: 8)
    static let toMany = Self(rawValue: 16)
    /// A variable that is static, computed or transient.
    static let unstored = Self(rawValue: 32)

    static let variable: Self = [.property, .id, .toOne, .toMany, .unstored]
  }

  let name: String
  let places: Places
  /// Keys of an object value.
  var keys: [String] = []
  /// Annotations that must not be on the same declaration.
  var excluded: [String] = []
  /// The correct form, for findings about a wrong one.
  var usage = ""
  /// True when every occurrence counts.
  var isRepeatable = false
  /// True when a colon and keys may follow the name.
  var isNamespace = false

  init(
    _ name: String,
    on places: Places,
    keys: [String] = [],
    excludes excluded: [String] = [],
    usage: String = "",
    isRepeatable: Bool = false,
    isNamespace: Bool = false
  ) {
    self.name = name
    self.places = places
    self.keys = keys
    self.excluded = excluded
    self.usage = usage
    self.isRepeatable = isRepeatable
    self.isNamespace = isNamespace
  }
}

extension Annotation {
  /// True when a text without quotes may contain blanks.
  var takesFreeText: Bool { ["name", "externalName", "convert"].contains(name) }

  /// The table of annotations.
  static let all: [Annotation] = [
    Annotation("entity", on: .type),
    Annotation("Entity", on: .type),
    Annotation("base", on: .type),
    Annotation(
      "sync",
      on: [.type, .property],
      keys: ["sharedGlobalIds", "propertyClocks", "resolve"],
      excludes: ["unique", "syncClock", "syncPrecedence"],
      usage: "`sync = { \"propertyClocks\": true }`"
    ),
    Annotation("indexTogether", on: .type, isRepeatable: true),
    Annotation("uniqueTogether", on: .type, isRepeatable: true),
    Annotation(
      "fulltextTogether",
      on: .type,
      keys: ["name", "properties"] + fullTextKeys,
      usage:
        "for example `fulltextTogether = { \"name\": \"words\", \"properties\": { \"title\": 3, \"text\": 1 } }`",
      isRepeatable: true
    ),

    Annotation("name", on: [.type, .variable]),
    Annotation("uid", on: [.type, .variable], usage: "`uid = N`, or `uid` alone to be told one"),
    Annotation("externalName", on: [.type, .variable]),
    Annotation("externalType", on: .variable, usage: "for example 'mongoId' or 'uuid'"),
    Annotation("transient", on: .variable),

    Annotation("id", on: notToMany, keys: ["assignable"]),
    Annotation("id-companion", on: notToMany),
    Annotation("index", on: notToMany),
    Annotation(
      "unique",
      on: notToMany,
      keys: ["onConflict"],
      usage: "`unique`, `unique = { \"onConflict\": \"replace\" }` or `… \"merge\" }`"
    ),
    Annotation("syncClock", on: notToMany, excludes: ["syncPrecedence"]),
    Annotation("syncPrecedence", on: notToMany),

    Annotation(
      "codable",
      on: .property,
      keys: ["default"],
      excludes: ["convert"],
      usage: "`codable` or `codable = { \"default\": \"SomeType()\" }`"
    ),
    Annotation("collation", on: noRelation, usage: "\"nocase\" or \"binary\""),
    Annotation(
      "convert",
      on: noRelation,
      keys: ["dbType", "converter", "default"],
      usage: "`convert = { \"dbType\": \"Int\", \"default\": \".someCase\" }`"
    ),
    Annotation("date-nano", on: noRelation),
    Annotation("flex", on: noRelation),
    Annotation("type", on: noRelation),
    Annotation(
      "hnswIndex",
      on: noRelation,
      keys: [
        "dimensions", "neighborsPerNode", "indexingSearchCount", "flags", "distanceType",
        "reparationBacklinkProbability", "vectorCacheHintSizeKB",
      ],
      usage:
        "for example `hnswIndex: dimensions=2, distanceType=euclidean` above a property of type [Float]",
      isNamespace: true
    ),

    Annotation(
      "migratedFrom",
      on: .property,
      usage: "`migratedFrom = \"oldName\"` or `migratedFrom = [\"oldName\", \"otherName\"]`"
    ),

    Annotation(
      "fulltext",
      on: .property,
      keys: fullTextKeys,
      usage: "`fulltext` or `fulltext = { \"language\": \"en\", \"prefix\": [2, 3] }` above a text"
    ),

    // On all variables: the rule warns when the annotation has no effect.
    Annotation("backlink", on: .variable, usage: "`backlink = \"nameOfTheToOneOrToMany\"`"),
    Annotation(
      "onDelete",
      // With `.id`: the finding about plain properties covers IDs too.
      on: [.id, .toOne, .toMany, .unstored],
      usage: "\"cascade\", \"restrict\" or \"nullify\""
    ),
  ]

  private static let fullTextKeys = ["language", "prefix", "diacritics", "k1", "b"]

  private static let noRelation: Places = [.property, .id, .unstored]
  private static let notToMany: Places = [.property, .id, .toOne, .unstored]

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// Returns the annotation with the given name; nil when it is unknown.
  static func named(_ name: String) -> Annotation? { byName[name] }

  /// Returns the keys that an annotation's object value may have.
  static func keys(_ name: String) -> Set<String> { Set(named(name)?.keys ?? []) }

  /// Returns the correct form of an annotation.
  static func usage(_ name: String) -> String { named(name)?.usage ?? "" }

  /// Names of the annotations that types may have.
  package static let ofTypes = names { $0.places.contains(.type) }
  /// Names of the annotations that some variables may have.
  package static let ofVariables = names { !$0.places.isDisjoint(with: .variable) }
  static let repeatable = names(where: \.isRepeatable)
  static let namespaces = names(where: \.isNamespace)

  private static func names(where isIncluded: (Annotation) -> Bool) -> Set<String> {
    Set(all.filter(isIncluded).map(\.name))
  }
}
