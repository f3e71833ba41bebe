internal import ObjectBox

/// A lost or uncertain part of a damaged store, and its location.
public struct SalvageFinding: Hashable, Sendable, CustomStringConvertible {
  /// The kind of a finding.
  public enum Kind: String, Sendable, CaseIterable {
    /// The version, or a fault of the file that is not known to lose objects.
    case file
    /// The schema is not the schema of the version that was read.
    case schema
    /// A page that cannot be read, with the objects on it and on pages below it.
    case missing
    /// An object whose record is damaged.
    case lost
    /// An object that may have been removed or changed before the damage.
    case uncertain
    /// An object with a unique value of another object, which was kept.
    case unique
    /// Pairs of a standalone relation.
    case relation
    /// The sequence of an entity's IDs.
    case sequence
  }

  /// The kind.
  public let kind: Kind
  /// The name of the entity; nil for a finding of no entity.
  public let entity: String?
  /// The IDs of objects that may be missing or uncertain; nil if unknown.
  public let objectIDs: ClosedRange<UInt64>?
  /// The number of the page; nil for a finding of no page.
  public let page: UInt64?
  /// The location and the finding, in words.
  public let message: String

  /// The kind and the message.
  public var description: String { "\(kind.rawValue): \(message)" }
}
