// The functions that the loop calls, and the functions that end a connection.
extension Channel {
  /// The work on the network that the tasks have requested from the loop.
  struct Orders {
    var reads: Bool
    var writes: Bool
    var pings: Bool
    var closing: WebSocketClosure?
    var isOver: Bool
  }

  /// Returns the present work of the loop.
  func attend() -> Orders {
    change { state in
      state.isLoopCalled = false
      if state.isPaused, state.inbound.bytes <= limits.receiveBuffer / 2 || state.closing != nil {
        state.isPaused = false
      }
      defer { state.pings = false }
      return Orders(
        reads: !state.isPaused,
        writes: !state.outbound.isEmpty,
        pings: state.pings,
        closing: state.closing,
        isOver: state.end != nil
      )
    }
  }

  /// Notifies the client's task that the connection is open.
  func open(_ subprotocol: String?) {
    let openers = change { state in
      state.isOpen = true
      state.subprotocol = subprotocol
      defer { state.openers = [:] }
      return state.openers
    }
    openers.values.forEach { $0.resume(returning: subprotocol) }
  }

  /// Delivers a message to the program.
  ///
  /// - Returns: False when the loop must stop reading.
  func deliver(_ message: [UInt8]) -> Bool {
    let (receiver, reads) = change { state in
      // After a close, the program wants no messages.
      guard state.closing == nil, state.end == nil else {
        return (Waiters<[UInt8]?>.Value?.none, true)
      }
      if let (ticket, receiver) = state.receivers.first {
        state.receivers[ticket] = nil
        return (receiver, true)
      }
      state.inbound.append(message)
      // Only `attend` ends a pause: the loop must be notified.
      if state.inbound.bytes >= limits.receiveBuffer { state.isPaused = true }
      return (nil, !state.isPaused)
    }
    receiver?.resume(returning: message)
    return reads
  }

  /// Returns the next message to send; the previous one has been sent.
  ///
  /// - Returns: The message; nil if none waits, with the closure to send instead.
  func nextOutgoing() -> (message: [UInt8]?, closing: WebSocketClosure?) {
    let (message, closing, senders) = change { state in
      let message = state.outbound.popFirst()
      state.bytesOnTheWay = message?.count ?? 0
      var senders: Waiters<Void> = [:]
      if state.waitingBytes <= limits.sendBuffer / 2 { swap(&senders, &state.senders) }
      return (message, state.closing, senders)
    }
    senders.values.forEach { $0.resume() }
    return (message, closing)
  }

  /// Ends the connection; the first end counts.
  ///
  /// - Parameters:
  ///   - end: The end that the program gets.
  ///   - orders: Changes the work of the loop, in the same step. The loop ends a connection without a close frame if it
  ///     finds an end without a closure.
  func end(
    _ end: Result<WebSocketClosure, WebSocketError>,
    _ orders: (inout State) -> Void = { _ in }
  ) {
    let waiters = change { state -> State? in
      guard state.end == nil else { return nil }
      state.end = end
      orders(&state)
      state.outbound.removeAll()
      state.bytesOnTheWay = 0
      defer {
        state.openers = [:]
        state.receivers = [:]
        state.senders = [:]
        state.watchers = [:]
      }
      return state
    }
    guard let waiters else { return }
    switch end {
    case .success(let closure):
      let error = WebSocketError.closed(address: address, closure)
      waiters.openers.values.forEach { $0.resume(throwing: closure) }
      waiters.receivers.values.forEach { $0.resume(returning: nil) }
      waiters.senders.values.forEach { $0.resume(throwing: error) }
      waiters.watchers.values.forEach { $0.resume(returning: closure) }
    case .failure(let error):
      waiters.openers.values.forEach { $0.resume(throwing: error) }
      waiters.receivers.values.forEach { $0.resume(throwing: error) }
      waiters.senders.values.forEach { $0.resume(throwing: error) }
      waiters.watchers.values.forEach { $0.resume(throwing: error) }
    }
  }

  /// Ends the connection with an error for the program.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - closing: The closure to send to the peer, without waiting messages; nil to end the connection at once.
  func fail(_ error: WebSocketError, closing: WebSocketClosure? = nil) {
    end(.failure(error)) { state in
      state.closing = closing
      state.needsAttention = true
    }
  }
}

extension Channel {
  /// Ends a client's connection unless it is open.
  func failUnlessOpen(_ error: WebSocketError) {
    if !change({ $0.isOpen }) { fail(error) }
  }
}
