internal import ObjectBox

/// A fault that `Store.verify(maximumFaultCount:progress:)` found, and where it is.
public struct StoreFault: Hashable, Sendable, CustomStringConvertible {
  /// The part of a store that has the fault.
  public enum Part: String, Sendable, CaseIterable {
    /// A head page, or the file as a whole.
    case file
    /// A page of a table or of the free list.
    case page
    /// The schema in the file, or the tables that it asks for.
    case schema
    /// An object's record.
    case record
    /// The index of a property, or of several.
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

  /// The part that has it.
  public let part: Part
  /// The name of the entity; nil where the fault belongs to none.
  public let entity: String?
  /// The ID of the object; nil where the fault belongs to none.
  public let objectID: UInt64?
  /// The place and the fault, in words.
  public let message: String

  /// The part and the message.
  public var description: String { "\(part.rawValue): \(message)" }
}

/// The result of `Store.verify(maximumFaultCount:progress:)`.
public struct VerificationReport: Hashable, Sendable {
  /// The faults in the order in which they were met, up to the greatest number that was asked for.
  public internal(set) var faults: [StoreFault] = []
  /// False when the check was ended by its progress handler or by the greatest number of faults, or could not
  /// go on behind a fault.
  public internal(set) var isComplete = true
  /// The number of the commit that was checked.
  public internal(set) var version: UInt64 = 0
  /// The size of the file in bytes.
  public internal(set) var sizeInBytes = 0
  /// The pages of the version: in use, free, and both head pages.
  public internal(set) var pageCount = 0
  /// The records that were checked.
  public internal(set) var recordCount = 0
  /// The entries of indexes and relations that were checked.
  public internal(set) var entryCount = 0

  /// True when the whole store was checked, and has no fault.
  public var isSound: Bool { isComplete && faults.isEmpty }
}
