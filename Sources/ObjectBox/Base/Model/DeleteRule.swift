/// What happens to the objects at one end of a relation when the one at the other end is removed.
///
/// The numbers are part of the store file.
public enum DeleteRule: UInt8, Sendable {
  /// They stay, and no longer refer to it.
  case nullify = 0
  /// The removal throws ``ObjectBoxError/constraintViolated(message:)`` while there are such objects,
  /// unless they are removed with it.
  case restrict = 1
  /// They are removed with it.
  case cascade = 2
}
