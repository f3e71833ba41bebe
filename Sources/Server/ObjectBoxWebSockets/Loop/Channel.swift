internal import class ObjectBox.Guarded

/// The state that a connection's tasks share with its loop.
///
/// Tasks change the state and request the loop's attention; only the loop uses the network.
final class Channel: Sendable {
  typealias Waiters<Value: Sendable> = [Int: CheckedContinuation<Value, any Error>]

  /// The state of one connection.
  struct State {
    var inbound = MessageQueue()
    var outbound = MessageQueue()
    /// The bytes of the message that the loop is sending.
    var bytesOnTheWay = 0
    /// True while the loop does not read, since the program does not take messages.
    var isPaused = false
    var isOpen = false
    /// The subprotocol that both sides use, on the client.
    var subprotocol: String?
    /// The closure to send after waiting messages.
    var closing: WebSocketClosure?
    var end: Result<WebSocketClosure, WebSocketError>?

    /// True if the loop must send a ping.
    var pings = false

    /// A change that the loop must act on.
    var needsAttention = false
    /// True if the loop has been called and has not attended yet.
    var isLoopCalled = false

    var openers: Waiters<String?> = [:]
    var receivers: Waiters<[UInt8]?> = [:]
    var senders: Waiters<Void> = [:]
    var watchers: Waiters<WebSocketClosure> = [:]
    var nextTicket = 0

    var waitingBytes: Int { outbound.bytes + bytesOnTheWay }
  }

  let limits: WebSocketLimits
  /// The address of the peer, for errors.
  let address: String
  private let callLoop: @Sendable (Channel) -> Void
  private let state = Guarded(State())

  /// Creates the channel of a connection.
  ///
  /// - Parameters:
  ///   - limits: The limits of the connection.
  ///   - address: The address of the peer, for errors.
  ///   - callLoop: Makes the loop attend to this channel.
  init(
    limits: WebSocketLimits,
    address: String,
    callLoop: @escaping @Sendable (Channel) -> Void
  ) {
    self.limits = limits
    self.address = address
    self.callLoop = callLoop
  }

  /// Changes the state, and calls the loop if it must act on the change.
  ///
  /// Do not resume a continuation in `body`: return it.
  func change<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    let (result, callsLoop) = try state.withLock { state in
      let result = try body(&state)
      let callsLoop = state.needsAttention && !state.isLoopCalled
      state.needsAttention = false
      state.isLoopCalled = state.isLoopCalled || callsLoop
      return (result, callsLoop)
    }
    if callsLoop { callLoop(self) }
    return result
  }

  /// Suspends the task until another one, or the loop, resumes it.
  ///
  /// - Parameters:
  ///   - waiters: The continuations to join.
  ///   - ready: Returns the result if there is no need to wait.
  /// - Returns: The result of `ready`, or of the continuation.
  /// - Throws: The error of either, and `CancellationError` when the task is cancelled.
  private func wait<Value: Sendable>(
    _ waiters: any WritableKeyPath<State, Waiters<Value>> & Sendable,
    unless ready: @Sendable (inout State) -> Result<Value, any Error>?
  ) async throws -> Value {
    let ticket = change { state in
      state.nextTicket += 1
      return state.nextTicket
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = change { state -> Result<Value, any Error>? in
          if let result = ready(&state) { return result }
          // The handler below may have run before the continuation was stored.
          if Task.isCancelled { return .failure(CancellationError()) }
          state[keyPath: waiters][ticket] = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      change { $0[keyPath: waiters].removeValue(forKey: ticket) }?
        .resume(throwing: CancellationError())
    }
  }
}

// MARK: - Tasks

extension Channel {
  var waitingBytes: Int { change { $0.waitingBytes } }
  var unreadBytes: Int { change { $0.inbound.bytes } }

  /// Waits until the connection is open.
  ///
  /// - Returns: The subprotocol.
  func opened() async throws -> String? {
    try await wait(\.openers) { state in
      // The connection may have been closed since it was opened; the program gets that when it receives.
      if state.isOpen { return .success(state.subprotocol) }
      return switch state.end {
      case .failure(let error): .failure(error)
      case .success(let closure): .failure(closure)
      case nil: nil
      }
    }
  }

  func receive() async throws -> [UInt8]? {
    let limits = limits
    return try await wait(\.receivers) { state in
      precondition(state.receivers.isEmpty, "two tasks receive from one connection")
      if let message = state.inbound.popFirst() {
        if state.isPaused, state.inbound.bytes <= limits.receiveBuffer / 2 {
          state.needsAttention = true
        }
        return .success(message)
      }
      return switch state.end {
      case .success: .success(nil)
      case .failure(let error): .failure(error)
      case nil: nil
      }
    }
  }

  func send(_ message: [UInt8]) async throws {
    try check(message)
    // When the task resumes, another task may already have filled the buffer.
    while try !change({ try enqueue(message, below: limits.sendBuffer, &$0) }) {
      try await wait(\.senders) { [self] state in
        if let error = refusal(state) { return .failure(error) }
        return state.waitingBytes < limits.sendBuffer ? .success(()) : nil
      }
    }
  }

  func post(_ message: [UInt8]) throws -> Int {
    try check(message)
    let waitingBytes = try change { state in
      _ = try enqueue(message, below: .max, &state)
      return state.waitingBytes
    }
    guard waitingBytes > limits.postBuffer else { return waitingBytes }
    let error = WebSocketError.tooSlow(
      address: address,
      waitingBytes: waitingBytes,
      limit: limits.postBuffer
    )
    fail(error, closing: WebSocketClosure(code: 1008, reason: "the peer reads too slowly"))
    throw error
  }

  func close(_ closure: WebSocketClosure) {
    change { state in
      guard state.closing == nil, state.end == nil else { return }
      state.closing = closure
      state.needsAttention = true
    }
  }

  func ping() {
    change { state in
      guard state.closing == nil, state.end == nil else { return }
      state.pings = true
      state.needsAttention = true
    }
  }

  func ended() async throws -> WebSocketClosure {
    try await wait(\.watchers) { state in
      switch state.end {
      case .success(let closure): .success(closure)
      case .failure(let error): .failure(error)
      case nil: nil
      }
    }
  }

  private func check(_ message: [UInt8]) throws {
    guard message.count > limits.messageSize else { return }
    throw WebSocketError.messageTooLarge(size: message.count, limit: limits.messageSize)
  }

  private func enqueue(_ message: [UInt8], below limit: Int, _ state: inout State) throws -> Bool {
    if let error = refusal(state) { throw error }
    guard state.waitingBytes < limit else { return false }
    state.outbound.append(message)
    state.needsAttention = true
    return true
  }

  /// The reason for which no more messages can be sent.
  private func refusal(_ state: State) -> (any Error)? {
    switch state.end {
    case .success(let closure): WebSocketError.closed(address: address, closure)
    case .failure(let error): error
    case nil: state.closing.map { WebSocketError.closed(address: address, $0) }
    }
  }
}
