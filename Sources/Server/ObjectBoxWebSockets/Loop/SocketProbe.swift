internal import Foundation

/// Determines reasons and addresses that the C library does not return.
enum SocketProbe {
  #if canImport(Glibc) || canImport(Musl)
    private static let stream = Int32(SOCK_STREAM.rawValue)
  #else
    private static let stream = SOCK_STREAM
  #endif

  /// Returns the reason for which a socket cannot listen on an address; nil if it can.
  static func problem(address: String, port: Int) -> String? {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
    hints.ai_socktype = stream
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address, String(port), &hints, &list) == 0, let list else {
      return "the address is not numeric; use one of this machine, or '0.0.0.0' for all"
    }
    defer { freeaddrinfo(list) }
    let descriptor = socket(list.pointee.ai_family, stream, 0)
    guard descriptor >= 0 else { return String(cString: strerror(errno)) }
    defer { close(descriptor) }
    var isReused: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
    guard bind(descriptor, list.pointee.ai_addr, list.pointee.ai_addrlen) == 0,
      listen(descriptor, 1) == 0
    else { return String(cString: strerror(errno)) }
    return nil
  }

  /// Returns the network addresses of a host, in the order in which to try them.
  ///
  /// Blocks the thread during the work of the system's resolver.
  ///
  /// - Parameters:
  ///   - host: The host.
  ///   - url: The address in errors.
  /// - Returns: Numeric addresses, each once.
  /// - Throws: ``WebSocketError/nameNotFound(address:reason:)`` with the reason of the resolver.
  static func addresses(of host: String, for url: String) throws(WebSocketError) -> [String] {
    var hints = addrinfo()
    hints.ai_socktype = stream
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &list)
    guard code == 0 else {
      throw .nameNotFound(address: url, reason: String(cString: gai_strerror(code)))
    }
    defer { freeaddrinfo(list) }
    var addresses: [String] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ai_next
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let size = socklen_t(text.count)
      guard
        getnameinfo(entry.ai_addr, entry.ai_addrlen, &text, size, nil, 0, NI_NUMERICHOST) == 0
      else { continue }
      let address = text.withUnsafeBufferPointer { buffer in
        buffer.baseAddress.map { String(cString: $0) } ?? ""
      }
      if !addresses.contains(address) { addresses.append(address) }
    }
    return addresses
  }
}
