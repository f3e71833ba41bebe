internal import ObjectBox
internal import ObjectBoxSyncConnection
internal import ObjectBoxSyncProtocol

/// Sends the messages of several tasks over one connection, one whole message after the other.
///
/// It has no queue: a sending task waits until the device has taken the previous message, so a slow device costs one
/// message of each task.
final class Outbox: Sendable {
  private struct State {
    var isBusy = false
    /// The waiting tasks, in the order of their arrival.
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let connection: SyncConnection
  private let state = Guarded(State())

  init(_ connection: SyncConnection) {
    self.connection = connection
  }

  /// Sends a message.
  ///
  /// - Throws: `WebSocketError` when the connection has ended, `CancellationError`.
  func send(_ message: WireMessage) async throws {
    await enter()
    defer { leave() }
    try Task.checkCancellation()
    try await connection.send(message)
  }

  // A task that is cancelled while it waits gets its turn soon: the end of a session also cancels the task that is
  // sending.
  private func enter() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.isBusy {
          state.waiting.append(continuation)
          return false
        }
        state.isBusy = true
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  private func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.isBusy = false
      return nil
    }
    next?.resume()
  }
}
