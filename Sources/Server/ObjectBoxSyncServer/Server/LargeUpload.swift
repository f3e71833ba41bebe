internal import ObjectBox
internal import ObjectBoxSyncProtocol

/// A session's use of the server's single slot for a transaction above the limits of uploads.
///
/// Such a transaction takes much memory until it is decided, so the server decides one at a time.
final class LargeUpload: Sendable {
  private enum State {
    case none
    case entering(Task<Void, Never>)
    case held(timer: Task<Void, Never>)
    case over
  }

  private let places: UserTurns
  private let holder: String
  private let limit: Duration
  private let expire: @Sendable (Refused) -> Void
  private let state = Guarded(State.none)

  /// Creates the use of a session that does not hold the slot.
  ///
  /// - Parameters:
  ///   - places: The turns for the slot.
  ///   - holder: The user, or the network address of an anonymous user.
  ///   - limit: The time for which a session may hold the slot.
  ///   - expire: Called after that time; ends the session.
  init(
    _ places: UserTurns,
    holder: String,
    limit: Duration,
    expire: @escaping @Sendable (Refused) -> Void
  ) {
    self.places = places
    self.holder = holder
    self.limit = limit
    self.expire = expire
  }

  /// Waits for the slot, unless the session holds it.
  ///
  /// - Throws: `CancellationError` when the session has ended.
  func begin() async throws {
    let entering = state.withLock { state -> Task<Void, Never>? in
      switch state {
      case .held, .over: return nil
      case .entering(let task): return task
      case .none:
        let task = Task { await self.enter() }
        state = .entering(task)
        return task
      }
    }
    await entering?.value
    try Task.checkCancellation()
  }

  private func enter() async {
    await places.enter(holder)
    let timer = Task { [limit, expire] in
      guard (try? await Task.sleep(for: limit)) != nil else { return }
      expire(
        Refused(
          .rate,
          "a transaction above the size of messages was not received and decided within \(limit); connect again"
        )
      )
    }
    let isOver = state.withLock { state in
      if case .over = state { return true }
      state = .held(timer: timer)
      return false
    }
    guard isOver else { return }
    timer.cancel()
    places.leave(holder)
  }

  /// Releases the slot, if the session holds it.
  func finish() { release(.none) }

  /// Ends the use; if the slot is granted later, it is released at once.
  func end() { release(.over) }

  private func release(_ next: State) {
    let timer = state.withLock { state -> Task<Void, Never>? in
      switch state {
      case .held(let timer):
        state = next
        return timer
      case .none, .entering, .over:
        if case .over = next { state = next }
        return nil
      }
    }
    guard let timer else { return }
    timer.cancel()
    places.leave(holder)
  }
}
