/// Whether the object of a put must or must not exist.
public enum PutMode: UInt32, NumberedEnumeration, CaseIterable, Sendable {
  /// Inserts or updates.
  case put = 1
  /// Inserts; an object that exists is an error.
  case insert = 2
  /// Updates; an object that does not exist is an error.
  case update = 3
}
