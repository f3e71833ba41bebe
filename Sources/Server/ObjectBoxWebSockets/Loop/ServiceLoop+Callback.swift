#if OBJECTBOX_WEBSOCKETS
  internal import CObjectBoxWebSockets
  internal import Foundation

  /// The function that the library calls for each event, on the loop's thread.
  func serviceCallback(
    _ wsi: OpaquePointer?,
    _ reason: lws_callback_reasons,
    _ user: UnsafeMutableRawPointer?,
    _ bytes: UnsafeMutableRawPointer?,
    _ size: Int
  ) -> Int32 {
    guard let wsi, let context = lws_get_context(wsi), let pointer = lws_context_user(context)
    else { return 0 }
    let loop = Unmanaged<ServiceLoop>.fromOpaque(pointer).takeUnretainedValue()
    return loop.receive(reason, wsi, user, bytes, size)
  }

  extension ServiceLoop {
    /// The value for the library that ends the connection.
    static let hangUp: Int32 = -1

    fileprivate func receive(
      _ reason: lws_callback_reasons,
      _ wsi: OpaquePointer,
      _ user: UnsafeMutableRawPointer?,
      _ bytes: UnsafeMutableRawPointer?,
      _ size: Int
    ) -> Int32 {
      switch reason {
      // The server's handshake; its connections have no link at first.
      case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
        accept(Int32(Int(bitPattern: bytes)))
        return Self.hangUp
      case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
        if settings.isServer { adopt(wsi) }
        return 0
      case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_CLIENT_VERIFY_CERTS:
        // `user` is the TLS context. There is no connection: `wsi` has only the library's context.
        for path in settings.additionalAuthorities { obx_ws_trust(user, path) }
        return 0
      case LWS_CALLBACK_PROTOCOL_INIT, LWS_CALLBACK_PROTOCOL_DESTROY: return 0
      default: break
      }
      guard let link = link(of: wsi) else { return 0 }
      switch reason {
      case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return confirmUpgrade(link, wsi, to: bytes.map { text($0) } ?? "")
      case LWS_CALLBACK_HTTP:
        return answer(WebSocketRefusal(status: 426, reason: "only WebSocket is spoken here"), wsi)
      case LWS_CALLBACK_ESTABLISHED: return established(link, wsi)

      case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER: return appendHeaders(link, wsi, bytes, size)
      case LWS_CALLBACK_OPENSSL_PERFORM_SERVER_CERT_VERIFICATION:
        // `size` is OpenSSL's result. The library itself accepts certificates that are not valid yet.
        link.certificateProblem =
          size == 0
          ? obx_ws_certificate_problem(user).map { String(cString: $0) } : pinProblem(user)
        return link.certificateProblem == nil ? 0 : 1
      case LWS_CALLBACK_CLIENT_HTTP_REDIRECT: return Self.hangUp
      case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        connectionFailed(link, wsi, bytes.map { text($0, size) } ?? "")
        return 0
      case LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH:
        link.subprotocol = header(wsi, WSI_TOKEN_PROTOCOL)
        return 0
      case LWS_CALLBACK_CLIENT_ESTABLISHED: return established(link, wsi)

      case LWS_CALLBACK_RECEIVE, LWS_CALLBACK_CLIENT_RECEIVE:
        received(link, wsi, UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : size))
        return 0
      case LWS_CALLBACK_RECEIVE_PONG, LWS_CALLBACK_CLIENT_RECEIVE_PONG:
        noteSignOfLife(link, wsi)
        return 0
      case LWS_CALLBACK_SERVER_WRITEABLE, LWS_CALLBACK_CLIENT_WRITEABLE: return write(link, wsi)
      case LWS_CALLBACK_TIMER: return timerFired(link, wsi)
      case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        peerCloses(link, wsi, UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : size))
        return 0
      case LWS_CALLBACK_CLOSED, LWS_CALLBACK_CLIENT_CLOSED:
        closed(link)
        return 0
      case LWS_CALLBACK_WSI_DESTROY:
        closed(link)
        forget(link)
        return 0
      default: return 0
      }
    }

    /// Returns a null-terminated text of the library, of at most `limit` bytes.
    private func text(_ bytes: UnsafeMutableRawPointer, _ limit: Int = 256) -> String {
      let buffer = UnsafeRawBufferPointer(start: bytes, count: strnlen(bytes, limit))
      return String(decoding: buffer, as: UTF8.self)
    }

    private func strnlen(_ bytes: UnsafeMutableRawPointer, _ limit: Int) -> Int {
      Foundation.strnlen(bytes.assumingMemoryBound(to: CChar.self), limit)
    }
  }
#endif
