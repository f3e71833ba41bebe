#if OBJECTBOX_WEBSOCKETS
  internal import CObjectBoxWebSockets

  // Open connections: messages and their end.
  extension ServiceLoop {
    /// The greatest number of bytes that a connection sends before it is another connection's turn.
    private static let turn = 4 * pieceSize

    /// Makes a connection open.
    func established(_ link: Link, _ wsi: OpaquePointer) -> Int32 {
      link.phase = .open
      link.closeDeadline = nil
      link.lastReceived = now
      setTimer(wsi, settings.limits.pingInterval.microseconds)
      if let listening = settings.listening, let request = link.request {
        let channel = makeChannel(link.address)
        link.channel = channel
        linkIDs[ObjectIdentifier(channel)] = link.id
        listening.accept(channel, request)
      } else if let channel = link.channel {
        guard !channel.attend().isOver else { return Self.hangUp }
        channel.open(link.subprotocol)
      }
      return 0
    }

    /// Creates the channel of a connection of this loop.
    func makeChannel(_ address: String) -> Channel {
      Channel(limits: settings.limits, address: address) { [weak self] channel in
        if let self {
          self.post(.attend(channel))
        } else {
          channel.end(.failure(.ended(address: channel.address)))
        }
      }
    }

    /// Does the work that the tasks of a connection have requested.
    func attend(_ channel: Channel) {
      let orders = channel.attend()
      guard let id = linkIDs[ObjectIdentifier(channel)], let link = links[id], let wsi = link.wsi
      else {
        // A client's connection that waits for its next attempt.
        if let closure = orders.closing { channel.end(.success(closure)) }
        return
      }
      guard link.phase == .open else {
        if link.phase == .handshake, let closure = orders.closing { channel.end(.success(closure)) }
        if link.phase == .handshake, orders.isOver || orders.closing != nil { kill(wsi) }
        return
      }
      if orders.isOver && orders.closing == nil { return kill(wsi) }
      if orders.isOver { link.outgoing = nil }
      if orders.closing != nil, link.closeDeadline == nil {
        link.closeDeadline = now + settings.limits.closeTime.microseconds
        setTimer(wsi, settings.limits.closeTime.microseconds)
      }
      if link.isPaused, orders.reads {
        link.isPaused = false
        link.lastReceived = now
        lws_rx_flow_control(wsi, 1)
      }
      if orders.pings { link.control = LWS_WRITE_PING }
      if orders.writes || orders.pings || orders.closing != nil { lws_callback_on_writable(wsi) }
    }

    /// Ends a connection without a close frame, after the present callback.
    func kill(_ wsi: OpaquePointer) {
      lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, obx_ws_kill)
    }

    /// Receives a piece of a message.
    func received(_ link: Link, _ wsi: OpaquePointer, _ bytes: UnsafeRawBufferPointer) {
      noteSignOfLife(link, wsi)
      guard link.phase == .open, let channel = link.channel, link.closeDeadline == nil else {
        return link.partial = []
      }
      guard lws_frame_is_binary(wsi) != 0 else {
        let reason = "only binary messages are supported"
        return refuse(link, wsi, WebSocketClosure(code: 1003, reason: reason))
      }
      let limit = settings.limits.messageSize
      let announced = link.partial.count + bytes.count + lws_remaining_packet_payload(wsi)
      guard announced <= limit else {
        let reason = "a message has more than \(limit) bytes"
        return refuse(link, wsi, WebSocketClosure(code: 1009, reason: reason))
      }
      let reads: Bool
      if lws_is_final_fragment(wsi) == 0 {
        link.partial += bytes
        return
      } else if link.partial.isEmpty {
        reads = channel.deliver(Array(bytes))
      } else {
        link.partial += bytes
        var message: [UInt8] = []
        swap(&message, &link.partial)
        reads = channel.deliver(message)
      }
      if !reads {
        link.isPaused = true
        lws_rx_flow_control(wsi, 0)
      }
    }

    /// Closes a connection whose peer violated the protocol.
    private func refuse(_ link: Link, _ wsi: OpaquePointer, _ closure: WebSocketClosure) {
      link.partial = []
      link.channel?.close(closure)
    }

    /// Sends as much as the network takes.
    func write(_ link: Link, _ wsi: OpaquePointer) -> Int32 {
      guard link.phase == .open, let channel = link.channel else { return 0 }
      // The library sends the rest of an earlier piece first.
      guard lws_partial_buffered(wsi) == 0 else { return requestWrite(wsi) }
      if let control = link.control {
        link.control = nil
        // One byte, since the library ignores empty writes.
        piece[Int(obx_ws_prefix)] = 0
        guard lws_write(wsi, piece + Int(obx_ws_prefix), 1, control) >= 0 else {
          return Self.hangUp
        }
        return requestWrite(wsi)
      }
      var rest = Self.turn
      repeat {
        if link.outgoing == nil {
          let next = channel.nextOutgoing()
          guard let message = next.message else {
            return next.closing.map { sendClose(link, wsi, $0) } ?? 0
          }
          link.outgoing = (message, 0)
        }
        guard let size = writePiece(link, wsi) else { return Self.hangUp }
        rest -= size + MessageQueue.overhead
      } while rest > 0 && lws_send_pipe_choked(wsi) == 0
      return requestWrite(wsi)
    }

    private func requestWrite(_ wsi: OpaquePointer) -> Int32 {
      lws_callback_on_writable(wsi)
      return 0
    }

    /// Writes the next piece of the message that is being sent.
    ///
    /// - Returns: Its size; nil when the connection has ended.
    private func writePiece(_ link: Link, _ wsi: OpaquePointer) -> Int? {
      guard let (message, offset) = link.outgoing else { return 0 }
      let size = min(Self.pieceSize, message.count - offset)
      let isLast = offset + size == message.count
      let start = piece + Int(obx_ws_prefix)
      // A copy, since clients mask the bytes in place.
      message.withUnsafeBytes { bytes in
        UnsafeMutableRawBufferPointer(start: start, count: size)
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + size]))
      }
      let written = lws_write(wsi, start, size, obx_ws_piece(offset == 0, isLast))
      guard written >= size else { return nil }
      link.outgoing = isLast ? nil : (message, offset + size)
      return size
    }

    /// Sends the close frame, after all messages were sent.
    private func sendClose(_ link: Link, _ wsi: OpaquePointer, _ closure: WebSocketClosure) -> Int32
    {
      var reason = closure.reasonBytes
      lws_close_reason(
        wsi,
        lws_close_status(rawValue: UInt32(closure.code)),
        &reason,
        reason.count
      )
      link.phase = .closing
      link.closure = closure
      // Reading resumes, for the peer's close frame.
      if link.isPaused {
        link.isPaused = false
        lws_rx_flow_control(wsi, 1)
      }
      return Self.hangUp
    }

    /// Records the close frame of the peer, which the library answers.
    func peerCloses(_ link: Link, _ wsi: OpaquePointer, _ bytes: UnsafeRawBufferPointer) {
      guard link.phase == .open else { return }
      link.phase = .closing
      let code = bytes.count >= 2 ? UInt16(bytes[0]) << 8 | UInt16(bytes[1]) : 1005
      let reason = String(decoding: bytes.dropFirst(2), as: UTF8.self)
      link.closure = WebSocketClosure(code: code, reason: reason, isFromPeer: true)
      link.closeDeadline = now + settings.limits.closeTime.microseconds
      setTimer(wsi, settings.limits.closeTime.microseconds)
    }

    /// Ends the channel of a connection that the library has closed.
    func closed(_ link: Link) {
      guard let channel = link.channel else { return }
      if let closure = link.closure {
        channel.end(.success(closure))
      } else if link.phase == .handshake {
        let reason = "the connection ended before the answer to the request"
        channel.end(.failure(.protocolViolation(address: channel.address, reason: reason)))
      } else {
        channel.end(.failure(.lost(address: channel.address)))
      }
    }
  }
#endif
