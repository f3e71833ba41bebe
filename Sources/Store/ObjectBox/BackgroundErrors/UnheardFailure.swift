internal import Foundation

/// A failure that reaches no caller; see ``Store/Configuration/onUnheardFailure``.
public struct UnheardFailure: Sendable, CustomStringConvertible {
  /// The kind of work that failed.
  public enum Operation: String, Hashable, Sendable {
    /// A put of ``AsyncBox`` was dropped.
    case asyncPut
    /// A removal of ``AsyncBox`` was dropped.
    case asyncRemoval
    /// The block of `writeAsync` or `beginAsyncWrite` could not run or was rolled back.
    case asyncWrite
    /// A commit of `commitAsyncWrite` was rolled back.
    case asyncCommit
    /// A write transaction was released without commit or cancellation, and was rolled back.
    case openWrite
    /// The reads of an observer or a change sequence failed; its notification is late.
    case observation
    /// The refresh of a live view failed; the view still shows an older version.
    case liveView
    /// The target of a to-one relation could not be loaded, and reads as nil.
    case relation
    /// The server of a synchronized store has rejected a transaction, and there is no listener for decisions.
    case synchronization
    /// Opening found the newest version of the store damaged, and went back to the version before.
    case opening
  }

  /// The work that failed.
  public let operation: Operation
  /// The name of the entity; nil if the work does not concern a single entity.
  public let entityName: String?
  /// The IDs of the objects; empty if they are unknown.
  public let ids: [Id]
  /// The directory of the store.
  public let directory: String
  /// The reason; nearly always an ``ObjectBoxError``.
  public let error: any Error

  /// The work, the store and the reason on one line.
  public var description: String {
    let (subject, outcome) = words
    return "\(subject) in the store at '\(directory)' \(outcome): \(error)"
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: " ")
  }

  private var words: (subject: String, outcome: String) {
    switch operation {
    case .asyncPut: ("an asynchronous put\(objects)", "was dropped")
    case .asyncRemoval: ("an asynchronous removal\(objects)", "was dropped")
    case .asyncWrite: ("an asynchronous write", "did not succeed")
    case .asyncCommit: ("an asynchronous commit", "did not succeed")
    case .openWrite: ("a write transaction", "was rolled back")
    case .observation: ("an observer", "could not read what has changed")
    case .liveView: ("a live view", "could not be moved to the newest version")
    case .relation: ("the target\(objects) of a to-one relation", "could not be loaded")
    case .synchronization: ("a transaction\(objects)", "was rejected by the server, and undone")
    case .opening: ("the newest version", "is damaged")
    }
  }

  private var objects: String {
    guard let entityName else { return "" }
    guard let first = ids.first else { return " of '\(entityName)'" }
    let more = ids.count > 1 ? " and \(ids.count - 1) more" : ""
    return " of '\(entityName)' with ID \(first)\(more)"
  }
}
