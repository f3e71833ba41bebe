internal import ObjectBox
internal import Synchronization

/// The precedence of transactions that have lost repeatedly: one at a time runs before the others.
///
/// Without conflicts it costs a transaction one atomic load. All waits are bounded, since a
/// transaction's block may itself wait for other transactions.
final class Precedence: Sendable {
  /// The number of conflicts after which a transaction gets precedence.
  static let losses = 2

  struct Waiter: Sendable {
    let number: UInt64
    let continuation: CheckedContinuation<Bool, Never>
    let expiry: Task<Void, any Error>
  }

  struct State {
    /// The end of the time in which others wait for the transaction with precedence; nil without
    /// one.
    var courtesyEnd: ContinuousClock.Instant?
    /// Transactions that wait for precedence, in order.
    var queue: [Waiter] = []
    /// Transactions that wait for the transaction with precedence.
    var others: [Waiter] = []
    var lastNumber: UInt64 = 0
    var lastTurn: UInt64 = 0
  }

  private let courtesy: Duration
  private let patience: Duration
  let state = Guarded(State())
  private let presentTurn = Atomic<UInt64>(0)

  /// - Parameters:
  ///   - courtesy: The time for which other transactions wait for the transaction with precedence.
  ///   - patience: The time for which a transaction waits for precedence.
  init(courtesy: Duration, patience: Duration = .seconds(10)) {
    self.courtesy = courtesy
    self.patience = patience
  }

  /// The number of the transaction with precedence; 0 for none.
  var turn: UInt64 { presentTurn.load(ordering: .relaxed) }

  /// Waits for the end of the transaction with precedence, or of the courtesy.
  func giveWay() async {
    _ = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
      let mustWait = state.withLock { state in
        guard let end = state.courtesyEnd, end > .now else { return false }
        let waiter = waiter(continuation, until: end, &state)
        state.others.append(waiter)
        return true
      }
      if !mustWait { continuation.resume(returning: false) }
    }
  }

  /// Waits until the caller's transaction gets precedence.
  ///
  /// - Returns: True when it has precedence, until ``give()``; false when it waited too long.
  func take() async -> Bool {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.courtesyEnd == nil {
          begin(&state)
          return true
        }
        let waiter = waiter(continuation, until: .now + patience, &state)
        state.queue.append(waiter)
        return false
      }
      if isFree { continuation.resume(returning: true) }
    }
  }

  /// Restarts the courtesy for the next run of the caller's transaction, which has precedence.
  func renew() { state.withLock { $0.courtesyEnd = .now + courtesy } }

  /// Ends the precedence of the caller's transaction, and passes it to the next in the queue.
  func give() {
    let (next, others) = state.withLock { state -> (Waiter?, [Waiter]) in
      let next = state.queue.isEmpty ? nil : state.queue.removeFirst()
      if next != nil {
        begin(&state)
      } else {
        state.courtesyEnd = nil
        presentTurn.store(0, ordering: .relaxed)
      }
      // These have waited for one transaction, and compete with the next one.
      defer { state.others = [] }
      return (next, state.others)
    }
    for waiter in [next].compactMap(\.self) + others {
      waiter.expiry.cancel()
      waiter.continuation.resume(returning: true)
    }
  }

  private func begin(_ state: inout State) {
    state.courtesyEnd = .now + courtesy
    state.lastTurn += 1
    presentTurn.store(state.lastTurn, ordering: .relaxed)
  }

  private func waiter(
    _ continuation: CheckedContinuation<Bool, Never>,
    until end: ContinuousClock.Instant,
    _ state: inout State
  ) -> Waiter {
    state.lastNumber += 1
    let number = state.lastNumber
    let expiry = Task.detached { [weak self] in
      try await Task.sleep(until: end, clock: .continuous)
      self?.endWait(of: number)
    }
    return Waiter(number: number, continuation: continuation, expiry: expiry)
  }

  private func endWait(of number: UInt64) {
    let waiter = state.withLock { state -> Waiter? in
      if let index = state.queue.firstIndex(where: { $0.number == number }) {
        return state.queue.remove(at: index)
      }
      if let index = state.others.firstIndex(where: { $0.number == number }) {
        return state.others.remove(at: index)
      }
      return nil
    }
    waiter?.continuation.resume(returning: false)
  }
}

/// A lock on the server that orders the transactions with precedence of all programs.
///
/// The session holds the lock, not a transaction: a serializable transaction would read the state from before its wait
/// for the lock.
struct PrecedenceLock: Sendable {
  /// The first half of the lock's key: the bytes "OBXP".
  static let lockClass: Int32 = 0x4F42_5850

  /// The second half of the lock's key, a hash of the schema's name.
  let key: Int32

  init(_ tables: ClusterTables) {
    key = ChangeSignal(tables).key
  }

  /// Statements that wait for the lock, and fail after five seconds.
  var taking: [Statement] {
    [
      Statement("SET lock_timeout = '5s'"),
      Statement("SELECT pg_advisory_lock($1, $2)") { append(to: &$0) },
      Statement("RESET lock_timeout"),
    ]
  }

  /// Frees the lock.
  var freeing: Statement { Statement("SELECT pg_advisory_unlock($1, $2)") { append(to: &$0) } }

  private func append(to parameters: inout Parameters) {
    parameters.append(Self.lockClass)
    parameters.append(key)
  }
}
