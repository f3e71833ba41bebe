internal import ObjectBox

/// Ends the wait of one task; if no task waits, it ends the next wait.
final class Signal: Sendable {
  private struct State {
    var isRaised = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Guarded(State())

  /// Ends the present wait, or the next one.
  func raise() {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      state.isRaised = state.waiter == nil
      return state.waiter
    }
    waiter?.resume()
  }

  /// Clears a raised signal.
  func lower() { state.withLock { $0.isRaised = false } }

  /// Waits until the signal is raised, the time is over, or the task is cancelled.
  ///
  /// - Parameter limit: The longest time.
  /// - Returns: True if the signal was raised.
  func wait(atMost limit: Duration) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        try? await Task.sleep(for: limit)
        return false
      }
      group.addTask {
        await self.wait()
        return !Task.isCancelled
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
  }

  /// Waits until the signal is raised, or the task is cancelled.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state in
          if state.isRaised || Task.isCancelled {
            state.isRaised = false
            return true
          }
          state.waiter = continuation
          return false
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume()
    }
  }
}
