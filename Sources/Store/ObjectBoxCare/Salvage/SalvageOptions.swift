public import Foundation
internal import ObjectBox

/// Options of `Store.salvage(directory:to:options:progress:)`.
///
///     var options = SalvageOptions()
///     options.modelJSON = URL(fileURLWithPath: "model.json")
///     options.savesUncertain = true
///     let report = try Store.salvage(directory: "notes", to: "notes-saved", options: options)
public struct SalvageOptions: Hashable, Sendable {
  /// The model file of the program that wrote the store; used when the file's schema cannot be
  /// read.
  public var modelJSON: URL?
  /// Whether to save objects that may have been removed or changed before the damage.
  ///
  /// They are saved if no certain object has their ID; of several versions of an object, any may be
  /// saved.
  public var savesUncertain = false
  /// Whether to save objects with a wrong checksum, if their values can be read and no other object
  /// has their ID.
  ///
  /// Any of their values may be wrong.
  public var savesDamaged = false
  /// The commit to read, of which a file has at most two; nil for the newest.
  public var version: UInt64?
  /// The greatest number of findings to list, at least 0; further ones are only counted.
  public var maximumFindingCount = 100

  /// Saves only certain objects, of the newest version.
  public init() {}
}
