internal import Dispatch
internal import Foundation
internal import ObjectBox
internal import Synchronization

/// The batches on a connection whose answers have not come, in their order.
///
/// Several tasks may send batches; an error ends only its own batch, since each ends with a Sync. One thread at a time
/// reads the answers of all: a caller's own one, that of all sockets, or the connection's. A class, since these share it.
final class Pipeline: Sendable {
  private struct Call {
    let number: UInt64
    var sent: SentBatch
    /// Nil while the task has not suspended.
    var waiter: UnsafeContinuation<Void, Never>?
    var isAbandoned = false
  }

  private struct State {
    var calls: [Call] = []
    /// Answers that their tasks have not taken.
    var answers: [UInt64: Result<[ResultRows], any Error>] = [:]
    /// Calls that were given up before they were sent.
    var unsent: Set<UInt64> = []
    /// True while a thread reads answers, or waits for them.
    var isRead = false
    /// How many parts of the first call's answer have come.
    var parts = 0
    /// True while the system has not taken all that was sent.
    var isSending = false
    /// True once the server was asked to cancel what runs, since no task waits any more.
    var isCancelling = false
  }

  /// The longest wait on a caller's own thread, in milliseconds.
  private static let inPlaceWait: Int32 = 1
  /// A larger answer is read by the connection's thread, so that others need not wait for it.
  private static let partLimit = 8

  private let session: PostgresSession
  private let thread: ConnectionThread
  private let cancellation: PostgresSession.Cancellation?
  private let state = Guarded(State())
  /// The time since when the first call waits, in nanoseconds; 0 when none waits.
  private let waitStart = Atomic<UInt64>(0)
  private let broken = Atomic<Bool>(false)
  private let lastNumber = Atomic<UInt64>(0)

  init(_ session: PostgresSession, _ thread: ConnectionThread) {
    self.session = session
    self.thread = thread
    cancellation = session.cancellation()
  }

  /// True when the server is known to be gone.
  var isBroken: Bool { broken.load(ordering: .acquiring) }

  /// True when no answer has come for a time, in nanoseconds, though a call waits.
  func hasStalled(for time: UInt64) -> Bool {
    let start = waitStart.load(ordering: .relaxed)
    return start != 0 && DispatchTime.now().uptimeNanoseconds > start + time
  }

  /// The number of batches whose answers have not come.
  var waitingCount: Int { state.withLock { $0.calls.count } }

  /// True when the connection can take a new transaction, and no answer is on its way.
  var isIdle: Bool { state.withLock { $0.calls.isEmpty && session.isIdle } }

  /// How often the session was asked.
  var roundTrips: Int { state.withLock { _ in session.roundTrips } }

  /// Gives a call its number.
  func newCall() -> UInt64 { lastNumber.add(1, ordering: .relaxed).newValue }

  // MARK: Calling

  /// Sends a batch, and waits for its answer.
  ///
  /// - Parameters:
  ///   - batch: At least one statement.
  ///   - number: The call's number.
  ///   - isShared: True when other tasks may send meanwhile.
  ///   - mayBlock: True to wait for a moment on the caller's thread, which saves changes of threads.
  /// - Returns: The rows of each statement.
  /// - Throws: ``ServerFailure``; `CancellationError` when the call was given up before.
  func run(
    _ batch: [Statement],
    as number: UInt64,
    isShared: Bool,
    mayBlock: Bool
  ) async throws -> [ResultRows] {
    let isReader = try state.withLock { state in
      if state.unsent.remove(number) != nil { throw CancellationError() }
      // Sent from here, the statements are on their way before another thread wakes.
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
    // Taken by the lock, which the thread sanitizer sees, and not from the continuation, which it does not see.
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

  /// Ends the wait of a call whose task was cancelled: its answer is dropped where other tasks wait; otherwise the
  /// server has to cancel what runs.
  ///
  /// - Parameters:
  ///   - number: The call.
  ///   - isShared: True when other tasks may use the connection, so that a call that was not sent is not to be sent.
  /// - Returns: True when the server is to be asked, by ``askToCancel()``, and no other task may use the connection.
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

  /// Asks the server to cancel the running statement.
  func askToCancel() {
    guard let cancellation else { return }
    // It connects to the server, which may block.
    DispatchQueue.global().async { cancellation.send() }
  }

  /// Forgets a call that has returned.
  func forget(_ number: UInt64) { state.withLock { _ = $0.unsent.remove(number) } }

  // MARK: Reading

  /// Waits for answers on this thread where it may; returns false when calls wait on.
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

  /// Reads the answer of the only call by its task, so that large answers do not keep the thread of all sockets from
  /// others.
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

  /// Lets the thread of all sockets read the answers, or else the connection's.
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
    /// Nil for answers that are large, or wait for the rest of what is asked.
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
      // Nothing more comes.
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
