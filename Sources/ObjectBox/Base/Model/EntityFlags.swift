/// The flags of an entity.
public enum EntityFlags: UInt32, NumberedEnumeration, CaseIterable, Sendable {
  case useNoArgConstructor = 1
  case syncEnabled = 2
  case sharedGlobalIds = 4
}
