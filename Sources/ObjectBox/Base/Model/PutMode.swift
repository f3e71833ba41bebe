/// Whether a put may find the object stored already.
public enum PutMode: UInt32, Sendable {
  /// Inserts or updates.
  case put = 1
  /// Inserts; an object that exists is an error.
  case insert = 2
  /// Updates; an object that does not exist is an error.
  case update = 3
}
