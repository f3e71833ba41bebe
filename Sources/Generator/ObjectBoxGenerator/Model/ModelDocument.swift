internal import ObjectBoxJSON

/// The content of a model.json.
///
/// Each ``ModelTable`` defines the form of its attributes.
package struct ModelDocument: Hashable, Sendable {
  package struct Entity: Hashable, Sendable {
    package var id = ModelID.none
    package var lastPropertyID = ModelID.none
    package var name = ""
    package var flags: EntityFlags = []
    package var externalName: String?
    package var properties: [Property] = []
    package var relations: [Relation] = []
    /// Not written when empty.
    package var compoundIndexes: [CompoundIndex] = []
    /// Not written when empty.
    package var fullTextIndexes: [FullTextIndex] = []

    package init() {}
  }

  /// An index over several properties, listed in the order of the key.
  package struct CompoundIndex: Hashable, Sendable {
    package var id = ModelID.none
    package var isUnique = false
    package var propertyIDs: [ModelID] = []

    package init() {}
  }

  /// A full-text index over one property or several, in the order of their IDs.
  package struct FullTextIndex: Hashable, Sendable {
    package enum Diacritics: String, CaseIterable, Hashable, Sendable {
      case fold, keep
    }

    package var id = ModelID.none
    /// Name of an index over several properties; nil for the index of one property.
    package var givenName: String?
    package var propertyIDs: [ModelID] = []
    /// Weights of the properties; empty when all are 1.
    package var weights: [UInt8] = []
    package var language: String?
    package var prefixLengths: [UInt8] = []
    /// Nil for the default, which is not written.
    package var diacritics: Diacritics?
    package var k1: Double?
    package var b: Double?

    package init() {}
  }

  package struct Property: Hashable, Sendable {
    package var id = ModelID.none
    package var name = ""
    package var indexID: ModelID?
    package var type: UInt16?
    package var flags: PropertyFlags = []
    /// True if the file says by a key of its own that the numbers are unsigned, and not by the flag.
    ///
    /// ObjectBox gives the flag only to numbers that are not optional, and ignores the key.
    package var omitsUnsignedFlag = false {
      didSet {
        if omitsUnsignedFlag {
          flags.insert(.unsigned)
        } else if oldValue {
          flags.remove(.unsigned)
        }
      }
    }
    /// The flags as in the file.
    package var writtenFlags: PropertyFlags {
      get { omitsUnsignedFlag ? flags.subtracting(.unsigned) : flags }
      set { flags = omitsUnsignedFlag ? newValue.union(.unsigned) : newValue }
    }
    package var relationTarget: String?
    package var externalName: String?
    package var externalType: UInt16?
    /// Nil for the default rule, which is not written.
    package var onDelete: SchemaDeleteRule?
    /// Nil for the default collation, which is not written.
    package var collation: SchemaCollation?
    /// ID, name and type of the old property whose values fill this property; nil without a
    /// migration.
    package var migratedFrom: ModelID?
    package var migratedFromName: String?
    package var migratedFromType: UInt16?
    /// IDs, names and types of the old properties from which the function of whole objects fills
    /// this property; empty without such a migration.
    package var migratedFromProperties: [ModelID] = []
    package var migratedFromNames: [String] = []
    package var migratedFromTypes: [UInt16] = []

    package init() {}
  }

  package struct Relation: Hashable, Sendable {
    package var id = ModelID.none
    package var name = ""
    package var externalName: String?
    package var externalType: UInt16?
    package var targetID = ModelID.none
    /// Nil for the default rule, which is not written.
    package var onDelete: SchemaDeleteRule?
    package var onTargetDelete: SchemaDeleteRule?

    package init() {}
  }

  package var entities: [Entity] = []
  package var lastEntityID = ModelID.none
  package var lastIndexID = ModelID.none
  package var lastRelationID = ModelID.none
  package var lastSequenceID = ModelID.none
  /// Nil when the file has no pool.
  package var newUIDPool: [UInt64]?
  package var retiredEntityUIDs: [UInt64] = []
  package var retiredIndexUIDs: [UInt64] = []
  package var retiredPropertyUIDs: [UInt64] = []
  package var retiredRelationUIDs: [UInt64] = []

  /// The version of the layout.
  static let version = 5

  package init() {}

  /// UIDs that a new UID must not repeat: UIDs of entities and properties, and all retired UIDs.
  ///
  /// UIDs of living indexes and relations are not included, as in ObjectBox: there are files in
  /// which a property and a relation share a UID.
  package var knownUIDs: Set<UInt64> {
    let living = (ids(of: .entity) + ids(of: .property)).map(\.uid)
    return Set(living + ElementKind.allCases.flatMap { self[keyPath: $0.retired] })
  }

  /// Parses a model file.
  ///
  /// The model is nil if and only if a finding is an error.
  package static func parse(
    _ text: String,
    path: String
  ) -> (model: ModelDocument?, diagnostics: [Diagnostic]) {
    do {
      var reader = ModelReader(path: path)
      let model = reader.read(try JSONParser.parse(text, path: path))
      return (reader.diagnostics.contains(where: \.isError) ? nil : model, reader.diagnostics)
    } catch {
      let message: DiagnosticMessage =
        error.isConflict ? .modelConflict : .modelUnreadable(error.text)
      let notes = error.other.map { [Diagnostic(.otherPlace, at: $0)] } ?? []
      return (nil, [Diagnostic(message, at: error.position, notes: notes)])
    }
  }

  /// The text of the file, byte for byte as ObjectBox writes it.
  package var text: String { ModelValue(self).text }
}

extension DiagnosticMessage {
  static let modelConflict: Self =
    "the model file has a merge conflict; to merge its sides by their UIDs, run "
    + "`objectbox-generator model "
    + "merge` with the three versions that git keeps (`git show :1:PATH`, `:2:PATH` and `:3:PATH`), and "
    + "`objectbox-generator model install-merge-driver` for the next time; by hand, keep the entities and "
    + "properties of both sides, each with its own ID, and the higher of the last IDs"

  static func modelUnreadable(_ fault: String) -> Self {
    "the model file cannot be read: \(fault); restore it from version control, since a new one "
      + "would lose the identity of all stored data"
  }
}
