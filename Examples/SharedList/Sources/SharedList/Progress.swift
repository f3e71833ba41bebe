import ObjectBox
import ObjectBoxSync

/// Waits until a client has exchanged everything with its server.
final class Progress: SyncCompletedListener, Sendable {
  /// The reason why the wait ended.
  enum End: Sendable {
    case everything
    case disconnected
    case timeIsOver
  }

  private enum Event: Sendable {
    /// The store has everything that the server had at the login.
    case hasUpdates
    /// The server has decided; so many transactions still wait.
    case waits(Int)
    case ended(End)
  }

  private let events: AsyncStream<Event>
  private let event: AsyncStream<Event>.Continuation

  /// Begins to listen to a client, which is started afterwards.
  init(_ client: any SyncClient, limit: Duration) {
    (events, event) = AsyncStream.makeStream()
    let (states, decisions) = (client.states, client.decisions)
    let tasks = [
      Task { [event] in
        for await state in states where state == .disconnected {
          event.yield(.ended(.disconnected))
        }
      },
      Task { [event] in for await count in decisions { event.yield(.waits(count)) } },
      Task { [event] in
        try? await Task.sleep(for: limit)
        event.yield(.ended(.timeIsOver))
      },
    ]
    event.onTermination = { _ in tasks.forEach { $0.cancel() } }
    client.completedListener = self
  }

  func end() async -> End {
    defer { event.finish() }
    var hasUpdates = false
    var waiting: Int?
    for await event in events {
      switch event {
      case .hasUpdates: hasUpdates = true
      case .waits(let count): waiting = count
      case .ended(let end): return end
      }
      if hasUpdates, waiting == 0 { return .everything }
    }
    return .timeIsOver
  }

  func updatesCompleted() { event.yield(.hasUpdates) }
}
