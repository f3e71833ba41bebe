#if OBJECTBOX_WEBSOCKETS
  internal import CObjectBoxWebSockets
  internal import Foundation

  // The server's handshakes.
  extension ServiceLoop {
    /// Passes a connection that TCP has accepted to a serving loop.
    func accept(_ descriptor: Int32) {
      guard let listening = settings.listening, !listening.isDraining() else { return }
      var name = [CChar](repeating: 0, count: 64)
      lws_get_peer_simple_fd(descriptor, &name, name.count)
      let address = text(name)
      guard listening.tally.begin(address) else { return }
      // The library closes its own descriptor.
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { return listening.tally.end(address, wasAdmitted: false) }
      worker().post(.serve(descriptor: copy, address: address))
    }

    /// Serves a connection that another loop has accepted.
    func serve(_ descriptor: Int32, from address: String) {
      let last = lastID
      arriving = address
      _ = lws_adopt_socket_vhost(vhost, descriptor)
      // Otherwise the link holds the count.
      if lastID == last { release(address, wasAdmitted: false) }
    }

    /// Creates the link of a connection that TCP has accepted.
    func adopt(_ wsi: OpaquePointer) {
      let link = makeLink()
      link.wsi = wsi
      link.address = arriving
      lws_set_opaque_user_data(wsi, Self.pointer(link))
      link.closeDeadline = now + settings.limits.handshakeTime.microseconds
      setTimer(wsi, settings.limits.handshakeTime.microseconds)
    }

    /// Decides on a request to upgrade, and answers it if it is refused.
    func confirmUpgrade(_ link: Link, _ wsi: OpaquePointer, to role: String) -> Int32 {
      do {
        link.request = try request(link, wsi, to: role)
        settings.listening?.tally.admit(link.address)
        return 0
      } catch let refusal as WebSocketRefusal {
        return answer(refusal, wsi)
      } catch {
        return Self.hangUp
      }
    }

    /// Answers a request without an upgrade.
    ///
    /// The library's own function would answer with HTTP/1.0, which clients of WebSockets refuse.
    ///
    /// - Returns: The value for the library that ends the connection.
    func answer(_ refusal: WebSocketRefusal, _ wsi: OpaquePointer) -> Int32 {
      let body = Array((refusal.reason + "\n").utf8)
      let header = """
        HTTP/1.1 \(refusal.status) Refused\r
        Content-Type: text/plain; charset=utf-8\r
        Content-Length: \(body.count)\r
        Connection: close\r
        \r

        """
      let bytes = (Array(header.utf8) + body).prefix(Self.pieceSize)
      let start = piece + Int(obx_ws_prefix)
      for (index, byte) in bytes.enumerated() { start[index] = byte }
      lws_write(wsi, start, bytes.count, LWS_WRITE_HTTP)
      return Self.hangUp
    }

    private func request(_ link: Link, _ wsi: OpaquePointer, to role: String) throws
      -> WebSocketRequest
    {
      guard let listening = settings.listening else { throw CancellationError() }
      // The library would also upgrade to HTTP/2, where it has no flow control.
      guard role.lowercased() == "websocket",
        header(wsi, WSI_TOKEN_VERSION) == "13", header(wsi, WSI_TOKEN_KEY) != nil
      else { throw WebSocketRefusal(status: 400, reason: "only WebSocket 13 is supported") }
      if let refusal = listening.tally.refusal(of: link.address) { throw refusal }
      let offered = (header(wsi, WSI_TOKEN_PROTOCOL) ?? "").split(separator: ",")
        .map { $0.drop(while: { $0 == " " }).prefix(while: { $0 != " " }) }
      let subprotocol = offered.first { listening.subprotocols.contains(String($0)) }
      guard subprotocol != nil || (offered.isEmpty && listening.subprotocols.isEmpty) else {
        let names = listening.subprotocols.joined(separator: "', '")
        throw WebSocketRefusal(status: 400, reason: "the subprotocols are '\(names)'")
      }
      var headers: [String: String] = [:]
      for name in listening.headers {
        headers[name.lowercased()] = header(wsi, named: name.lowercased())
      }
      let request = WebSocketRequest(
        path: header(wsi, WSI_TOKEN_GET_URI) ?? "/",
        query: query(wsi),
        subprotocol: subprotocol.map(String.init),
        address: link.address,
        headers: headers
      )
      if let refusal = listening.screen(request) { throw refusal }
      return request
    }

    /// Returns the query, which the library stores as separate arguments.
    private func query(_ wsi: OpaquePointer) -> String {
      var arguments: [String] = []
      var index: Int32 = 0
      while case let size = lws_hdr_fragment_length(wsi, WSI_TOKEN_HTTP_URI_ARGS, index), size > 0 {
        var value = [CChar](repeating: 0, count: Int(size) + 1)
        let token = WSI_TOKEN_HTTP_URI_ARGS
        guard lws_hdr_copy_fragment(wsi, &value, Int32(value.count), token, index) >= 0 else {
          break
        }
        arguments.append(text(value))
        index += 1
      }
      return arguments.joined(separator: "&")
    }

    private func header(_ wsi: OpaquePointer, named name: String) -> String? {
      if name == "authorization" { return header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION) }
      for index in 0..<WSI_TOKEN_COUNT.rawValue {
        let token = lws_token_indexes(rawValue: index)
        guard let bytes = lws_token_to_string(token) else { continue }
        if String(cString: bytes) == name + ":" { return header(wsi, token) }
      }
      let key = name + ":"
      let size = lws_hdr_custom_length(wsi, key, Int32(key.utf8.count))
      guard size >= 0 else { return nil }
      var value = [CChar](repeating: 0, count: Int(size) + 1)
      lws_hdr_custom_copy(wsi, &value, Int32(value.count), key, Int32(key.utf8.count))
      return text(value)
    }

    func header(_ wsi: OpaquePointer, _ token: lws_token_indexes) -> String? {
      let size = lws_hdr_total_length(wsi, token)
      guard size > 0 else { return nil }
      var value = [CChar](repeating: 0, count: Int(size) + 1)
      guard lws_hdr_copy(wsi, &value, Int32(value.count), token) >= 0 else { return nil }
      return text(value)
    }

    private func text(_ characters: [CChar]) -> String {
      String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
#endif
