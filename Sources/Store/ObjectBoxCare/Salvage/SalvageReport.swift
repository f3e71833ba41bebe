internal import ObjectBox

/// The result of `Store.salvage(directory:to:options:progress:)`: what was saved, lost or
/// uncertain.
public struct SalvageReport: Hashable, Sendable, CustomStringConvertible {
  /// The objects of an entity.
  public struct Entity: Hashable, Sendable {
    /// The name of the entity.
    public let name: String
    /// The number of the version's objects that were saved.
    public internal(set) var savedCount = 0
    /// The number of objects with damaged records that were not saved.
    public internal(set) var lostCount = 0
    /// The number of missing objects, by the table's count, because pages cannot be read.
    public internal(set) var missingCount = 0
    /// The number of unsaved records of objects that may have been removed or changed before the
    /// damage.
    ///
    /// Several records may belong to one object.
    public internal(set) var uncertainCount = 0
    /// The number of objects saved from uncertain or damaged records, as the options allow.
    public internal(set) var savedUncertainCount = 0
  }

  /// The pairs of a standalone relation.
  public struct Relation: Hashable, Sendable {
    /// The ID of the relation.
    public let id: UInt32
    /// The name of the entity that declares it.
    public let entity: String
    /// The number of pairs that were saved.
    public internal(set) var savedCount = 0
    /// The number of pairs left out because one of their objects was not saved.
    public internal(set) var danglingCount = 0
    /// The number of pairs that only one end has; saved if uncertain objects are.
    public internal(set) var uncertainCount = 0
  }

  /// The commit that was read; nil when no head page can be read, so that everything is uncertain.
  public internal(set) var version: UInt64?
  /// The entities, in the order of the schema.
  public internal(set) var entities: [Entity] = []
  /// The standalone relations, in the order of the schema.
  public internal(set) var relations: [Relation] = []
  /// The findings, in the order of discovery, up to the requested number.
  public internal(set) var findings: [SalvageFinding] = []
  /// The number of all findings.
  public internal(set) var findingCount = 0

  /// True when everything that the store held was saved.
  public var isWhole: Bool { findingCount == 0 }

  /// The findings and figures, one per line.
  public var description: String {
    var lines = findings.map(\.description)
    if findingCount > findings.count {
      lines.append("\(findingCount - findings.count) more findings")
    }
    for entity in entities {
      var line = "'\(entity.name)': \(entity.savedCount) saved"
      if entity.lostCount > 0 { line += ", \(entity.lostCount) lost" }
      if entity.missingCount > 0 { line += ", \(entity.missingCount) missing" }
      if entity.uncertainCount > 0 { line += ", \(entity.uncertainCount) uncertain" }
      if entity.savedUncertainCount > 0 {
        line += ", \(entity.savedUncertainCount) saved from uncertain records"
      }
      lines.append(line)
    }
    for relation in relations {
      var line =
        "relation \(relation.id) of '\(relation.entity)': \(relation.savedCount) pairs saved"
      if relation.danglingCount > 0 { line += ", \(relation.danglingCount) without an object" }
      if relation.uncertainCount > 0 { line += ", \(relation.uncertainCount) uncertain" }
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }
}
