#if OBJECTBOX_WEBSOCKETS
  internal import CObjectBoxWebSockets

  /// The part of a connection that belongs to the loop's thread.
  ///
  /// The library holds the number of a link, never a pointer to it, so a callback for an ended link finds nothing.
  final class Link {
    /// The stage of a connection.
    enum Phase {
      case handshake
      case open
      /// The library was given the close frame, or it came from the peer.
      case closing
    }

    let id: Int
    /// The library's connection; valid until `LWS_CALLBACK_WSI_DESTROY`, which removes the link.
    var wsi: OpaquePointer?
    var phase = Phase.handshake
    /// Nil on the server until the connection is open.
    var channel: Channel?
    /// The address of the peer, without a port.
    var address = ""
    /// The request, on the server.
    var request: WebSocketRequest?
    /// The subprotocol that the server has chosen, on the client.
    var subprotocol: String?
    /// The connection's attempts, on the client.
    var attempt: ConnectAttempt?
    /// The problem of the server's certificate, on the client.
    var certificateProblem: String?

    /// The received pieces of an incomplete message.
    var partial: [UInt8] = []
    /// The message that is being sent, and the number of its sent bytes.
    var outgoing: (message: [UInt8], offset: Int)?
    /// The closure that was sent or received first.
    var closure: WebSocketClosure?
    /// The time of the last received bytes, in microseconds of the library's clock.
    var lastReceived: Int64 = 0
    /// The time at which the connection is cut.
    var closeDeadline: Int64?
    var hasPinged = false
    /// The ping or pong to send next.
    var control: lws_write_protocol?
    var isPaused = false

    init(id: Int) { self.id = id }
  }
#endif
