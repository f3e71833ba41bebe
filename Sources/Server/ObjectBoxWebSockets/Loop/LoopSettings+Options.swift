#if OBJECTBOX_WEBSOCKETS
  internal import CObjectBoxWebSockets
  internal import Foundation

  extension LoopSettings {
    /// Calls `body` with the options of the library; their texts are valid only during the call.
    ///
    /// - Parameters:
    ///   - role: The work of the loop.
    ///   - body: The body.
    /// - Returns: The result of the body.
    func withOptions<Result>(
      of role: Role,
      _ body: (obx_ws_options) -> Result
    ) -> Result {
      var options = obx_ws_options()
      options.port =
        switch role {
        case .connecting: CONTEXT_PORT_NO_LISTEN
        case .serving: CONTEXT_PORT_NO_LISTEN_SERVER
        case .accepting: Int32(listening?.port ?? 0)
        }
      options.no_ipv6 = listening.map { !$0.address.contains(":") } ?? false
      // The library's own time limits must come after these.
      let seconds = limits.handshakeTime.components.seconds
      options.timeout_in_seconds = UInt32(max(0, min(seconds, 3600))) + 10
      options.read_size = 65_536
      options.header_size = 16_384
      // 0: with a limit below the process's limit, the library searches descriptors linearly.
      options.descriptors = role == .accepting ? 0 : UInt32(Self.maximumConnections + 16)
      let isForAll = ["0.0.0.0", "::"].contains(listening?.address)
      let texts = [
        isForAll ? nil : listening?.address, listening?.certificate?.chainPath,
        listening?.certificate?.keyPath, authorities, proxy?.host,
      ].map { $0.flatMap { strdup($0) } }
      defer { texts.forEach { free($0) } }
      options.address = texts[0].map { UnsafePointer($0) }
      options.certificate = texts[1].map { UnsafePointer($0) }
      options.key = texts[2].map { UnsafePointer($0) }
      options.authorities = texts[3].map { UnsafePointer($0) }
      options.proxy = texts[4].map { UnsafePointer($0) }
      options.proxy_port = UInt32(proxy?.port ?? 0)
      return body(options)
    }

    /// Returns an error if a client's files cannot be used, which the library does not report.
    func fault() -> WebSocketError? {
      let files = [authorities].compactMap { $0 } + additionalAuthorities
      guard let path = files.first(where: { !obx_ws_has_authorities($0) }) else { return nil }
      return .unusableFile(path: path, reason: "it has no certificates in PEM")
    }

    /// Finds the reason for which the library refused the settings, since it returns none.
    func creationError() -> WebSocketError {
      guard let listening else {
        return .unusableFile(path: authorities ?? "", reason: "the library gave no reason")
      }
      let address = "\(listening.address):\(listening.port)"
      if let reason = SocketProbe.problem(address: listening.address, port: listening.port) {
        return .cannotListen(address: address, reason: reason)
      }
      if let certificate = listening.certificate {
        let reason =
          "it is no certificate in PEM, or does not belong to the key '\(certificate.keyPath)'"
        return .unusableFile(path: certificate.chainPath, reason: reason)
      }
      return .cannotListen(address: address, reason: "the library gave no reason")
    }
  }
#endif
