internal import ObjectBox

/// A part of a damaged store that is lost or uncertain, and where it was.
public struct SalvageFinding: Hashable, Sendable, CustomStringConvertible {
  /// The kind of a finding.
  public enum Kind: String, Sendable, CaseIterable {
    /// The version, or a fault of the file that no object is known to be lost by.
    case file
    /// The schema is not that of the version that was read.
    case schema
    /// A page that cannot be read, with the objects on it and on the pages below it.
    case missing
    /// An object whose record is damaged.
    case lost
    /// An object that may have been removed or changed before the damage.
    case uncertain
    /// An object that holds the unique value of another one, which was kept.
    case unique
    /// Pairs of a standalone relation.
    case relation
    /// The sequence of an entity's IDs.
    case sequence
  }

  /// The kind.
  public let kind: Kind
  /// The name of the entity; nil where the finding belongs to none.
  public let entity: String?
  /// The IDs of the objects that may be missing or are uncertain; nil where they are not known.
  public let objectIDs: ClosedRange<UInt64>?
  /// The number of the page; nil where the finding belongs to none.
  public let page: UInt64?
  /// The place and the finding, in words.
  public let message: String

  /// The kind and the message.
  public var description: String { "\(kind.rawValue): \(message)" }
}
