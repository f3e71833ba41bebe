internal import Dispatch
internal import Foundation
internal import ObjectBox
internal import Synchronization

/// The batches of a connection whose answers have not arrived, in order.
///
/// Several tasks may send batches. Each batch ends with a Sync, so an error ends only its own
/// batch. One thread at a time reads the answers of all calls: a caller's own thread, the thread of
/// all sockets, or the connection's thread.
final class Pipeline: Sendable {
  private struct Call {
    let number: UInt64
    var sent: SentBatch
    /// Nil until the task suspends.
    var waiter: UnsafeContinuation<Void, Never>?
    var isAbandoned = false
  }

  private struct State {
    var calls: [Call] = []
    /// The answers that their tasks have not taken yet.
    var answers: [UInt64: Result<[ResultRows], any Error>] = [:]
    /// Calls cancelled before they were sent.
    var unsent: Set<UInt64> = []
    /// True while a thread reads answers or waits for them.
    var isRead = false
    /// Number of received parts of the first call's answer.
    var parts = 0
    /// True until the system has accepted all data to send.
    var isSending = false
    /// True once the server was asked to cancel, since no task waits any more.
    var isCancelling = false
  }

  /// The longest wait on a caller's own thread, in milliseconds.
  private static let inPlaceWait: Int32 = 1
  /// The number of parts of an answer above which the connection's thread reads it, so that other answers are not
  /// delayed.
  private static let partLimit = 8

  private let session: PostgresSession
  private let thread: ConnectionThread
  private let cancellation: PostgresSession.Cancellation?
  private let state = Guarded(State())
  /// The time since which the first call waits, in nanoseconds; 0 when no call waits.
  private let waitStart = Atomic<UInt64>(0)
  private let broken = Atomic<Bool>(false)
  private let lastNumber = Atomic<UInt64>(0)

  init(_ session: PostgresSession, _ thread: ConnectionThread) {
    self.session = session
    self.thread = thread
    cancellation = session.cancellation()
  }

  /// True if the server is known to be gone.
  var isBroken: Bool { broken.load(ordering: .acquiring) }

  /// Returns true if a call waits and no answer has arrived for the given time in nanoseconds.
  func hasStalled(for time: UInt64) -> Bool {
    let start = waitStart.load(ordering: .relaxed)
    return start != 0 && DispatchTime.now().uptimeNanoseconds > start + time
  }

  /// The number of unanswered batches.
  var waitingCount: Int { state.withLock { $0.calls.count } }

  /// True if the connection can begin a transaction and no answer is outstanding.
  var isIdle: Bool { state.withLock { $0.calls.isEmpty && session.isIdle } }

  /// Number of round trips of the session.
  var roundTrips: Int { state.withLock { _ in session.roundTrips } }

  /// Gives a call its number.
  func newCall() -> UInt64 { lastNumber.add(1, ordering: .relaxed).newValue }

  // MARK: Calling

  /// Sends a batch, and waits for its answer.
  ///
  /// - Parameters:
  ///   - batch: At least one statement.
  ///   - number: The call's number.
  ///   - isShared: True if other tasks may send at the same time.
  ///   - mayBlock: True to wait briefly on the caller's thread, which saves thread switches.
  /// - Returns: The rows of each statement.
  /// - Throws: ``ServerFailure``; `CancellationError` for a call cancelled before.
  func run(
    _ batch: [Statement],
    as number: UInt64,
    isShared: Bool,
    mayBlock: Bool
  ) async throws -> [ResultRows] {
    let isReader = try state.withLock { state in
      if state.unsent.remove(number) != nil { throw CancellationError() }
      // Sending here puts the statements on their way before another thread wakes.
      let sent = try session.send(batch)
      if !sent.isOnItsWay { state.isSending = true }
      if state.calls.isEmpty { noteProgress(isWaiting: true) }
      state.calls.append(Call(number: number, sent: sent))
      defer { state.isRead = true }
      return !state.isRead
    }
    if isReader, !readInPlace(until: number, mayBlock: mayBlock) {
      if isShared { leaveToOthers() } else { await readWhenReady() }
    }
    // The answer passes through the lock: the thread sanitizer does not see the continuation's
    // ordering.
    if let answer = takeAnswer(to: number) { return try answer.get() }
    await InPlaceWaits.suspended { continuation in
      let isAnswered = state.withLock { state in
        guard let index = state.calls.firstIndex(where: { $0.number == number && !$0.isAbandoned })
        else { return true }
        state.calls[index].waiter = continuation
        return false
      }
      if isAnswered { InPlaceWaits.resume(continuation) }
    }
    guard let answer = takeAnswer(to: number) else {
      preconditionFailure("a call has no answer")
    }
    return try answer.get()
  }

  private func takeAnswer(to number: UInt64) -> Result<[ResultRows], any Error>? {
    state.withLock { $0.answers.removeValue(forKey: number) }
  }

  /// Ends the wait of a call whose task was cancelled.
  ///
  /// If other tasks wait, the call's answer is dropped; otherwise the server must cancel the
  /// running statement.
  ///
  /// - Parameters:
  ///   - number: The call.
  ///   - isShared: True when other tasks may use the connection; an unsent call is then not sent.
  /// - Returns: True when the caller must use ``askToCancel()``; no other task may use the
  ///   connection then.
  func cancel(_ number: UInt64, isShared: Bool) -> Bool {
    let (mustAsk, waiter) = state.withLock { state -> (Bool, UnsafeContinuation<Void, Never>?) in
      if let index = state.calls.firstIndex(where: { $0.number == number }) {
        if state.calls.contains(where: { $0.number != number && !$0.isAbandoned }) {
          state.calls[index].isAbandoned = true
          state.answers[number] = .failure(CancellationError())
          defer { state.calls[index].waiter = nil }
          return (false, state.calls[index].waiter)
        }
      } else if isShared {
        if state.answers[number] == nil { state.unsent.insert(number) }
        return (false, nil)
      }
      state.isCancelling = true
      return (true, nil)
    }
    if let waiter { InPlaceWaits.resume(waiter) }
    return mustAsk
  }

  /// Makes the server cancel the running statement; repeats the request each second until the calls have ended.
  ///
  /// The server ignores a request that arrives before it has read the statement.
  func askToCancel() {
    guard let cancellation else { return }
    // It connects to the server, which may block.
    DispatchQueue.global().async {
      cancellation.send()
      DispatchQueue.global().asyncAfter(deadline: .now() + 1) { [weak self] in
        guard let self, state.withLock({ $0.isCancelling && !$0.calls.isEmpty }) else { return }
        askToCancel()
      }
    }
  }

  /// Forgets a call that has returned.
  func forget(_ number: UInt64) { state.withLock { _ = $0.unsent.remove(number) } }

  // MARK: Reading

  /// Waits briefly for answers on this thread if allowed; returns false while calls are unanswered.
  private func readInPlace(until number: UInt64, mayBlock: Bool) -> Bool {
    guard mayBlock else { return false }
    return InPlaceWaits.during {
      for _ in 0..<Self.partLimit {
        guard session.hasInput(within: Self.inPlaceWait) else { break }
        if receive() { return true }
        if state.withLock({ $0.answers[number] != nil }) { break }
      }
      return false
    }
  }

  /// Reads the answer of the only call in its task, so that a large answer does not occupy the
  /// thread of all sockets.
  private func readWhenReady() async {
    #if os(Linux) && OBJECTBOX_LIBPQ
      while let waits = socketWaits() {
        await InPlaceWaits.suspended { continuation in
          waits.wait(for: session.socket) { InPlaceWaits.resume(continuation) }
        }
        if receive() { return }
      }
    #endif
    leaveToThread()
  }

  /// Leaves the answers to the thread of all sockets, or else to the connection's thread.
  private func leaveToOthers() {
    #if os(Linux) && OBJECTBOX_LIBPQ
      if let waits = socketWaits() {
        return waits.wait(for: session.socket) { [self] in
          if !receive() { leaveToOthers() }
        }
      }
    #endif
    leaveToThread()
  }

  #if os(Linux) && OBJECTBOX_LIBPQ
    /// Nil for large answers, and while a request is still being sent.
    private func socketWaits() -> SocketWaits? {
      let isSmall = state.withLock { !$0.isSending && $0.parts < Self.partLimit }
      return isSmall ? SocketWaits.shared : nil
    }
  #endif

  private func leaveToThread() {
    thread.add { [self] in
      while true {
        let isSending = state.withLock { $0.isSending }
        _ = session.hasInput(within: -1, orRoom: isSending)
        if receive() { return }
      }
    }
  }

  /// Reads what has arrived; returns true when no call waits any more.
  private func receive() -> Bool {
    var ready: [UnsafeContinuation<Void, Never>] = []
    var isCancelling = false
    let isDone = state.withLock { state in
      let count = state.calls.count
      state.isSending = session.exchange()
      while !state.calls.isEmpty {
        let answer: Result<[ResultRows], any Error>
        do {
          guard let rows = try receiveFirst(&state) else { break }
          answer = .success(rows)
        } catch {
          answer = .failure(error)
        }
        let call = state.calls.removeFirst()
        if call.isAbandoned { continue }
        state.answers[call.number] = answer
        if let waiter = call.waiter { ready.append(waiter) }
      }
      state.parts = state.calls.count == count ? state.parts + 1 : 0
      if state.calls.count < count {
        noteProgress(isWaiting: !state.calls.isEmpty)
        // The next statement runs now.
        isCancelling = state.isCancelling && !state.calls.isEmpty
      }
      state.isRead = !state.calls.isEmpty
      return state.calls.isEmpty
    }
    for waiter in ready { InPlaceWaits.resume(waiter) }
    if isCancelling { askToCancel() }
    return isDone
  }

  private func receiveFirst(_ state: inout State) throws -> [ResultRows]? {
    if broken.load(ordering: .relaxed) { throw session.lost() }
    do {
      if let rows = try session.receive(&state.calls[0].sent, mayBlock: false) { return rows }
      if session.isConnected { return nil }
      // Nothing more arrives.
      return try session.receive(&state.calls[0].sent, mayBlock: true)
    } catch {
      if !session.isConnected { broken.store(true, ordering: .releasing) }
      throw error
    }
  }

  private func noteProgress(isWaiting: Bool) {
    waitStart.store(isWaiting ? DispatchTime.now().uptimeNanoseconds : 0, ordering: .relaxed)
  }
}
