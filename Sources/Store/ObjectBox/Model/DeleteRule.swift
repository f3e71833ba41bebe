/// The effect of removing an object on the objects at the other end of a relation.
///
/// The numbers are part of the store file.
///
/// The annotation `onDelete` chooses it.
///
///     // objectbox: entity
///     final class Attachment {
///       var id: Id = 0
///       // objectbox: onDelete = "cascade"
///       var note: ToOne<Note> = nil  // removing the note removes its attachments
///
///       init() {}
///     }
public enum DeleteRule: UInt8, Sendable {
  /// The objects stay, without the reference.
  case nullify = 0
  /// The removal throws ``ObjectBoxError/constraintViolated(message:)`` if such objects exist and
  /// are not removed by the same call.
  case restrict = 1
  /// The objects are removed too.
  case cascade = 2
}
