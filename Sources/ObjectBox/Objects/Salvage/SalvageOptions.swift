public import Foundation

/// The choices of ``Store/salvage(directory:to:options:progress:)``.
public struct SalvageOptions: Hashable, Sendable {
  /// The model file of the program that wrote the store; it is used when the schema in the file cannot be read.
  public var modelJSON: URL?
  /// Whether objects are saved that may have been removed or changed before the damage, where no certain one has
  /// their ID. Which of several versions of an object is saved is then by chance.
  public var savesUncertain = false
  /// Whether objects are saved whose checksum is wrong, when their values can be read and no other one has their
  /// ID. Any of their values may be wrong.
  public var savesDamaged = false
  /// The number of the commit to read; nil for the newest one. A file has at most two.
  public var version: UInt64?
  /// The greatest number of findings that the report lists, at least 0; others are counted.
  public var maximumFindingCount = 100

  /// Saves what is certain only, of the newest version.
  public init() {}
}
