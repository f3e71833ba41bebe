internal import ObjectBox

/// The turns of users at the database: a limited number of requests run at once, the others wait user by user.
///
/// The pool of connections serves requests in their order, so a user with many devices would delay all others.
final class UserTurns: Sendable {
  private struct State {
    var running = 0
    /// The number of turns that users hold; users without a turn are left out.
    var held: [String: Int] = [:]
    /// The waiting users, the next one first.
    var order: [String] = []
    var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

    /// Returns the index of the next waiting user who holds less than the share.
    func next(_ share: Int) -> Int? { order.firstIndex { held[$0, default: 0] < share } }
  }

  /// The number of turns at once.
  private let width: Int
  /// The number of turns that one user may hold at once, so that others find a free one.
  private let share: Int
  private let state = Guarded(State())

  /// - Parameter connections: The number of connections; two of them are left for the server's own work.
  convenience init(connections: Int) { self.init(width: max(1, connections - 2)) }

  /// - Parameter width: The number of turns at once.
  init(width: Int) {
    self.width = width
    share = max(1, width / 2)
  }

  /// The number of waiting requests.
  var waitingCount: Int { state.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } } }

  /// Runs a body in a turn of a user.
  ///
  /// - Parameters:
  ///   - user: The user.
  ///   - body: The work, which uses one connection at a time.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body, `CancellationError`.
  func run<T>(for user: String, _ body: () async throws -> sending T) async throws -> sending T {
    await enter(user)
    defer { leave(user) }
    try Task.checkCancellation()
    return try await body()
  }

  /// Waits for a turn of a user.
  ///
  /// A task that is cancelled while it waits still gets its turn, and must give it back.
  func enter(_ user: String) async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.running < width, state.held[user, default: 0] < share {
          state.running += 1
          state.held[user, default: 0] += 1
          return true
        }
        if state.waiting[user] == nil { state.order.append(user) }
        state.waiting[user, default: []].append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  /// Gives the turn of ``enter(_:)`` back.
  func leave(_ user: String) {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      let held = state.held[user, default: 1] - 1
      state.held[user] = held > 0 ? held : nil
      guard let index = state.next(share) else {
        state.running -= 1
        return nil
      }
      let other = state.order.remove(at: index)
      state.held[other, default: 0] += 1
      let first = state.waiting[other]?.removeFirst()
      if state.waiting[other]?.isEmpty ?? true {
        state.waiting[other] = nil
      } else {
        // After the other waiting users.
        state.order.append(other)
      }
      return first
    }
    next?.resume()
  }
}
