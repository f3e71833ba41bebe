/// The writes of a transaction that were not sent yet.
///
/// A class, since a transaction and its boxes share it.
final class WriteBuffer {
  private var pending: [Statement] = []
  /// IDs of changed objects by the UIDs of entities; nil for all of an entity.
  private(set) var changes: [UInt64: [UInt64]?] = [:]

  init() {}

  func add(_ statement: Statement) { pending.append(statement) }

  func statements() throws -> [Statement] {
    defer { pending = [] }
    return pending
  }

  func take(_ results: [ResultRows]) throws {}

  /// The error that a failure of one of the last statements means; nil when the server's words are all there is.
  func error(for failure: ServerFailure) -> (any Error)? { nil }

  func didCommit() {}
  func didRollBack() { pending = [] }
  func beginSavepoint() {}
  func endSavepoint(undoing: Bool) { if undoing { pending = [] } }
}
