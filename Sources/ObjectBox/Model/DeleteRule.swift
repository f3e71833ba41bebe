/// The effect of removing an object on the objects at the other end of a relation.
///
/// The numbers are part of the store file.
public enum DeleteRule: UInt8, Sendable {
  /// The objects stay, without the reference.
  case nullify = 0
  /// The removal throws ``ObjectBoxError/constraintViolated(message:)`` if such objects exist and
  /// are not removed by the same call.
  case restrict = 1
  /// The objects are removed too.
  case cascade = 2
}
