#if OBJECTBOX_WEBSOCKETS
  internal import CObjectBoxWebSockets
  internal import Foundation

  // The client's handshakes.
  extension ServiceLoop {
    /// Adds the program's headers to the request.
    func appendHeaders(
      _ link: Link,
      _ wsi: OpaquePointer,
      _ bytes: UnsafeMutableRawPointer?,
      _ size: Int
    ) -> Int32 {
      guard let bytes, let attempt = link.attempt else { return Self.hangUp }
      let position = bytes.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self)
      guard let end = position.pointee.map({ $0 + size }) else { return Self.hangUp }
      for header in attempt.headers {
        let value = Array(header.value.utf8)
        let result = lws_add_http_header_by_name(
          wsi,
          header.name + ":",
          value,
          Int32(value.count),
          position,
          end
        )
        guard result == 0 else {
          let reason = "the headers are longer than the library's limit; send less in them"
          link.channel?.end(
            .failure(.protocolViolation(address: attempt.url, reason: reason))
          )
          return Self.hangUp
        }
      }
      return 0
    }

    /// Returns the reason for which the public key of a certificate is none of the pinned ones; nil if it is, for
    /// certificates of authorities, and without pins.
    func pinProblem(_ store: UnsafeMutableRawPointer?) -> String? {
      var hash = [UInt8](repeating: 0, count: 32)
      guard !settings.pins.isEmpty, obx_ws_key_hash(store, &hash), !settings.pins.contains(hash)
      else { return nil }
      return "its public key is '\(Data(hash).base64EncodedString())', and none of the pins"
    }

    /// Tries the next network address, or reports the failure to the program.
    func connectionFailed(_ link: Link, _ wsi: OpaquePointer, _ reason: String) {
      guard let attempt = link.attempt, let channel = link.channel, link.phase == .handshake
      else { return }
      link.phase = .closing
      guard !channel.attend().isOver else { return }
      let status = Int(lws_http_client_http_response(wsi))
      let error: WebSocketError
      if let problem = link.certificateProblem {
        error = .badCertificate(address: attempt.url, reason: problem)
      } else if status != 0, status != 101 {
        error = .refused(address: attempt.url, status: status)
      } else if reason == "Unable to connect" || reason.isEmpty {
        // The callback must end before the next connection begins.
        link.channel = nil
        return post(.connect(attempt, channel))
      } else {
        error = .protocolViolation(address: attempt.url, reason: reason)
      }
      channel.end(.failure(error))
    }
  }
#endif
