/// The effect of a removal on the objects at the other end of a relation.
///
/// The numbers are part of the store file.
public enum DeleteRule: UInt8, Sendable {
  /// The objects stay, without the reference.
  case nullify = 0
  /// The removal throws ``ObjectBoxError/constraintViolated(message:)`` while there are such objects,
  /// unless they are removed with it.
  case restrict = 1
  /// The objects are removed as well.
  case cascade = 2
}
