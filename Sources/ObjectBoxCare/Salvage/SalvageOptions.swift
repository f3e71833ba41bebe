public import Foundation
internal import ObjectBox

/// The choices of `Store.salvage(directory:to:options:progress:)`.
public struct SalvageOptions: Hashable, Sendable {
  /// The model file of the program that wrote the store; it is used when the schema in the file cannot be read.
  public var modelJSON: URL?
  /// Whether objects are saved that may have been removed or changed before the damage.
  ///
  /// They are saved where no certain one has their ID; which of several versions of an object is by chance.
  public var savesUncertain = false
  /// Whether objects with a wrong checksum are saved when their values can be read and no other one has their ID.
  ///
  /// Any of their values may be wrong.
  public var savesDamaged = false
  /// The number of the commit to read, of which a file has at most two; nil for the newest one.
  public var version: UInt64?
  /// The greatest number of findings that the report lists, at least 0; others are counted.
  public var maximumFindingCount = 100

  /// Saves what is certain only, of the newest version.
  public init() {}
}
