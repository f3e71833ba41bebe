internal import class ObjectBox.Guarded

/// The tasks that serve a server's connections.
final class Sessions: Sendable {
  private struct State {
    var isDraining = false
    var nextID = 0
    var channels: [Int: Channel] = [:]
    var tasks: [Int: Task<Void, Never>] = [:]
    var watchers: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Guarded(State())
  private let report: @Sendable (any Error, WebSocketRequest?) -> Void
  private let serve: @Sendable (WebSocketConnection) async throws -> Void

  init(
    _ report: @escaping @Sendable (any Error, WebSocketRequest?) -> Void,
    _ serve: @escaping @Sendable (WebSocketConnection) async throws -> Void
  ) {
    self.report = report
    self.serve = serve
  }

  var isDraining: Bool { state.withLock { $0.isDraining } }
  var count: Int { state.withLock { $0.channels.count } }

  /// Starts the task of a connection.
  func begin(_ channel: Channel, _ request: WebSocketRequest) {
    let id = state.withLock { state in
      state.nextID += 1
      state.channels[state.nextID] = channel
      return state.nextID
    }
    let task = Task {
      await run(WebSocketConnection(channel, request, nil))
      // The connection still sends waiting messages.
      _ = try? await channel.ended()
      finish(id)
    }
    // A task that has already ended is not stored.
    let isDraining = state.withLock { state in
      if state.channels[id] != nil { state.tasks[id] = task }
      return state.isDraining
    }
    if isDraining { channel.close(Self.serverEnds) }
  }

  private func run(_ connection: WebSocketConnection) async {
    do {
      try await serve(connection)
      connection.close(.normal)
    } catch let refusal as WebSocketRefusal {
      connection.close(refusal.closure)
    } catch let closure as WebSocketClosure {
      connection.close(closure)
    } catch is WebSocketError {
      // The connection has ended, or the server's message exceeded its limit.
      connection.close(WebSocketClosure(code: 1011, reason: "the server could not answer"))
    } catch is CancellationError {
      connection.close(Self.serverEnds)
    } catch {
      connection.close(WebSocketClosure(code: 1011, reason: "the server had an error"))
      report(error, connection.request)
    }
  }

  private func finish(_ id: Int) {
    let watchers = state.withLock { state in
      state.channels[id] = nil
      state.tasks[id] = nil
      guard state.channels.isEmpty else { return [Int: CheckedContinuation<Void, Never>]() }
      defer { state.watchers = [:] }
      return state.watchers
    }
    watchers.values.forEach { $0.resume() }
  }

  private static let serverEnds = WebSocketClosure(code: 1001, reason: "the server ends")

  /// Closes all present and future connections.
  func drain() {
    let channels = state.withLock { state in
      state.isDraining = true
      return state.channels.values
    }
    channels.forEach { $0.close(Self.serverEnds) }
  }

  /// Waits until no connection is open, or the task is cancelled.
  func allEnded() async {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard !state.channels.isEmpty, !Task.isCancelled else { return true }
          state.watchers[id] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.watchers.removeValue(forKey: id) }?.resume()
    }
  }

  func cancelAll() { state.withLock { $0.tasks.values }.forEach { $0.cancel() } }
}
