/// The flags of an entity.
public enum EntityFlags: UInt32, NumberedEnumeration, CaseIterable, Sendable {
  /// An initialiser without parameters makes the objects; not used in Swift.
  case useNoArgConstructor = 1
  /// Objects take part in synchronization, in programs that link `ObjectBoxSync`.
  case syncEnabled = 2
  /// All clients of a server share the IDs of the entity; kept in the model without effect.
  case sharedGlobalIds = 4
  /// In synchronization a function of the server may resolve conflicts of the objects.
  case syncResolve = 536_870_912
  /// In synchronization the later write of each property wins, by the clocks of the devices.
  case syncPropertyClocks = 1_073_741_824
}
