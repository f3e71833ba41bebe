/// The flags of a property; their numbers are combined by OR.
///
/// The numbers are part of model.json and of the store file.
public enum PropertyFlags: UInt32, NumberedEnumeration, CaseIterable, Sendable {
  /// The ID of the entity.
  case id = 1
  /// A type that is an object in other languages; not used in Swift.
  case nonPrimitiveType = 2
  /// The property is never null.
  case notNull = 4
  /// The property has an index.
  case indexed = 8
  /// Not in use.
  case reserved = 16
  /// No two objects have the same value.
  case unique = 32
  /// IDs grow and are never reused; in this library that is true for all entities.
  case idMonotonicSequence = 64
  /// Objects may be put with IDs of their own.
  case idSelfAssignable = 128
  /// The index has no entries for null.
  case indexPartialSkipNull = 256
  /// The index has no entries for 0, as the indexes of to-one relations.
  case indexPartialSkipZero = 512
  /// The property has no variable of its own, as the target ID of a to-one relation.
  case virtual = 1024
  /// The index has hashes of 32 bits.
  case indexHash = 2048
  /// The index has hashes of 64 bits.
  case indexHash64 = 4096
  /// The number is unsigned.
  case unsigned = 8192
  /// A date that belongs to the ID; kept in the model.
  case idCompanion = 16384
  /// A put replaces the object that has the same value.
  case uniqueOnConflictReplace = 32768
  /// In synchronization the later write of an object wins, by the clocks of the devices.
  case syncClock = 131072
  /// In synchronization the write of an object with the greater value wins.
  case syncPrecedence = 262144
  /// In synchronization a new object is merged into the object of another device that has the same
  /// value.
  case uniqueOnConflictMerge = 536_870_912
  /// In synchronization the differences that devices make are added up.
  case syncCounter = 1_073_741_824
}
