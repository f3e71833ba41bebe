/// The flags of a property; several combine by OR of their numbers.
///
/// The numbers are part of model.json and of the store file.
public enum PropertyFlags: UInt32, NumberedEnumeration, CaseIterable, Sendable {
  case id = 1
  case nonPrimitiveType = 2
  case notNull = 4
  case indexed = 8
  case reserved = 16
  case unique = 32
  case idMonotonicSequence = 64
  case idSelfAssignable = 128
  case indexPartialSkipNull = 256
  case indexPartialSkipZero = 512
  case virtual = 1024
  case indexHash = 2048
  case indexHash64 = 4096
  case unsigned = 8192
  case idCompanion = 16384
  case uniqueOnConflictReplace = 32768
  case syncClock = 131072
  case syncPrecedence = 262144
}
