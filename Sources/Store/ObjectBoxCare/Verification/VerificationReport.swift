internal import ObjectBox

/// A fault that `Store.verify(maximumFaultCount:progress:)` found, and its location.
public struct StoreFault: Hashable, Sendable, CustomStringConvertible {
  /// The part of a store that has the fault.
  public enum Part: String, Sendable, CaseIterable {
    /// A head page, or the file as a whole.
    case file
    /// A page of a table or of the free list.
    case page
    /// The schema in the file, or a table that it requires.
    case schema
    /// An object's record.
    case record
    /// An index of one or several properties.
    case index
    /// A rule that values must be unique.
    case unique
    /// A standalone relation.
    case relation
    /// The sequence of an entity's IDs.
    case sequence
    /// The graph of a nearest-neighbour index.
    case vectorGraph
  }

  /// The part with the fault.
  public let part: Part
  /// The name of the entity; nil for a fault of no entity.
  public let entity: String?
  /// The ID of the object; nil for a fault of no object.
  public let objectID: UInt64?
  /// The location and the fault, in words.
  public let message: String

  /// The part and the message.
  public var description: String { "\(part.rawValue): \(message)" }
}

/// A relation with links of which one object is missing.
///
/// That is no damage: a to-one relation keeps the ID that a program gives it, and a to-many relation
/// the pairs, unless the store has `refusesDanglingRelations`.
public struct DanglingRelation: Hashable, Sendable, CustomStringConvertible {
  /// The name of the entity with the relation.
  public let entity: String
  /// The name of the relation.
  public let relation: String
  /// The name of the entity that the relation leads to.
  public let target: String
  /// The number of objects whose to-one relation has no target, or of pairs without one of their
  /// objects.
  public internal(set) var count = 1
  /// The ID of the source of the first link.
  public let sourceID: UInt64
  /// The ID of the target of the first link.
  public let targetID: UInt64

  /// The relation and the number, in words.
  public var description: String {
    "'\(entity).\(relation)' to '\(target)' has \(count == 1 ? "1 link" : "\(count) links") with a missing "
      + "object, \(count == 1 ? "" : "the first ")from ID \(sourceID) to ID \(targetID)"
  }
}

/// The result of `Store.verify(maximumFaultCount:progress:)`.
public struct VerificationReport: Hashable, Sendable {
  /// The faults, in the order of discovery, up to the requested number.
  public internal(set) var faults: [StoreFault] = []
  /// The relations with links to missing objects, which are no faults.
  public internal(set) var danglingRelations: [DanglingRelation] = []
  /// False when the progress handler or the number of faults ended the check, or a fault prevented
  /// the rest.
  public internal(set) var isComplete = true
  /// The commit that was checked.
  public internal(set) var version: UInt64 = 0
  /// The size of the file in bytes.
  public internal(set) var sizeInBytes = 0
  /// The pages of the version: in use, free, and both head pages.
  public internal(set) var pageCount = 0
  /// The number of checked records.
  public internal(set) var recordCount = 0
  /// The number of checked entries of indexes and relations.
  public internal(set) var entryCount = 0

  /// True when the whole store was checked and has no faults.
  public var isSound: Bool { isComplete && faults.isEmpty }
}
