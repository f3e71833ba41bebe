/// Whether the object of a put must exist already, must not exist, or may exist.
///
///     try notes.put(note, mode: .update)  // throws if the note is not stored any more
public enum PutMode: UInt32, NumberedEnumeration, CaseIterable, Sendable {
  /// Inserts or updates.
  case put = 1
  /// Inserts; an existing object is an error.
  case insert = 2
  /// Updates; a missing object is an error.
  case update = 3
}
