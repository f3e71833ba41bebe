#if OBJECTBOX_HTTP
  internal import CObjectBoxHTTP
  internal import Foundation

  /// A server, which calls a handler on one thread for each connection.
  ///
  /// A class, since the C library keeps a reference to it.
  ///
  /// Invariant of `@unchecked Sendable`: the library's handle is set once, before `start` returns.
  /// Only `stop` uses it again, and one thread calls `stop` once.
  final class HTTPServer: @unchecked Sendable {
    private static let maximumConnections: UInt32 = 256
    /// The greatest number of connections without a complete request; beyond it, the oldest are
    /// closed.
    private static let maximumIdle = 64
    /// Seconds of silence after which a connection is closed.
    private static let timeoutInSeconds: UInt32 = 60
    /// The greatest size of a request's body in bytes.
    fileprivate static let maximumBody = 4 << 20
    /// `MHD_CONTENT_READER_END_OF_STREAM`, a macro with a cast.
    private static let endOfStream = -1

    fileprivate let answer: @Sendable (HTTPRequest) -> HTTPResponse
    private let idle = IdleConnections(maximumCount: maximumIdle)
    private var daemon: OpaquePointer?

    init(_ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse) {
      self.answer = answer
    }

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - host: The numeric address of an interface.
    ///   - port: The port; 0 for any free port.
    /// - Returns: The port.
    /// - Throws: ``SystemFault`` when the port cannot be used.
    func start(host: String = "127.0.0.1", port: UInt16) throws -> UInt16 {
      errno = 0
      var address = sockaddr_in()
      var wideAddress = sockaddr_in6()
      if inet_pton(AF_INET, host, &address.sin_addr) == 1 {
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        withUnsafeBytes(of: &address) { start(at: $0) }
      } else if inet_pton(AF_INET6, host, &wideAddress.sin6_addr) == 1 {
        wideAddress.sin6_family = sa_family_t(AF_INET6)
        wideAddress.sin6_port = port.bigEndian
        withUnsafeBytes(of: &wideAddress) { start(at: $0) }
      }
      guard let daemon else { throw SystemFault("cannot listen on port \(port) of '\(host)'") }
      return obx_http_port(daemon)
    }

    private func start(at address: UnsafeRawBufferPointer) {
      daemon = obx_http_start(
        address.assumingMemoryBound(to: sockaddr.self).baseAddress,
        Self.maximumConnections,
        Self.timeoutInSeconds,
        { context, connection, path, method, _, upload, uploadSize, state in
          guard let context, let connection, let path, let method, let uploadSize, let state else {
            return .NO
          }
          let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
          return server.receive(connection, path, method, upload, uploadSize, state)
        },
        { context, connection, state, reason in
          if let object = state?.pointee {
            Unmanaged<IncomingRequest>.fromOpaque(object).release()
          }
          // The connection is kept for its next request, unless it ended within a request: it would count
          // twice, and another connection would be closed for it.
          guard let context, let connection, reason == .REQUEST_TERMINATED_COMPLETED_OK else {
            return
          }
          Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue().idle
            .add(connection, socket: obx_http_socket(connection))
        },
        { context, connection, _, event in
          guard let context, let connection else { return }
          let idle = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue().idle
          switch event {
          case .CONNECTION_NOTIFY_STARTED:
            idle.add(connection, socket: obx_http_socket(connection))
          case .CONNECTION_NOTIFY_CLOSED: idle.remove(connection)
          }
        },
        Unmanaged.passUnretained(self).toOpaque()
      )
    }

    /// Closes all connections; feeds of events must have ended.
    func stop() {
      if let daemon { MHD_stop_daemon(daemon) }
      daemon = nil
    }

    /// Receives a part of a request, and answers the request once it is complete.
    private func receive(
      _ connection: OpaquePointer,
      _ path: UnsafePointer<CChar>,
      _ method: UnsafePointer<CChar>,
      _ upload: UnsafePointer<CChar>?,
      _ uploadSize: UnsafeMutablePointer<Int>,
      _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> MHD_Result {
      guard let object = state.pointee else {
        // The first call only has the header.
        let incoming = IncomingRequest(
          HTTPRequest(
            String(cString: method),
            String(cString: path),
            parameters: Self.values(connection, .GET_ARGUMENT_KIND),
            header: Self.values(connection, .HEADER_KIND)
          )
        )
        state.pointee = Unmanaged.passRetained(incoming).toOpaque()
        return .YES
      }
      let incoming = Unmanaged<IncomingRequest>.fromOpaque(object).takeUnretainedValue()
      if uploadSize.pointee > 0 {
        incoming.append(UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee))
        uploadSize.pointee = 0
        return .YES
      }
      idle.remove(connection)
      let response =
        incoming.isTooLong
        ? .text(413, "the request is too long") : answer(incoming.request)
      return Self.send(response, connection)
    }

    private static func values(_ connection: OpaquePointer, _ kind: MHD_ValueKind) -> [String:
      String]
    {
      let collector = ValueCollector(namesIgnoreCase: kind == .HEADER_KIND)
      MHD_get_connection_values_n(
        connection,
        kind,
        { context, _, name, nameSize, value, valueSize in
          guard let context else { return .NO }
          Unmanaged<ValueCollector>.fromOpaque(context).takeUnretainedValue().add(
            UnsafeRawBufferPointer(start: name, count: nameSize),
            UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize)
          )
          return .YES
        },
        Unmanaged.passUnretained(collector).toOpaque()
      )
      return withExtendedLifetime(collector) { collector.values }
    }

    private static func send(_ response: HTTPResponse, _ connection: OpaquePointer) -> MHD_Result {
      let handle: OpaquePointer?
      switch response.content {
      case .bytes(var bytes):
        handle = bytes.withUnsafeMutableBytes {
          MHD_create_response_from_buffer($0.count, $0.baseAddress, .RESPMEM_MUST_COPY)
        }
      case .events(let feed):
        handle = MHD_create_response_from_callback(
          UInt64.max,
          1024,
          { context, _, buffer, size in
            guard let context, let buffer,
              let text = Unmanaged<EventFeed>.fromOpaque(context).takeUnretainedValue().next()
            else { return HTTPServer.endOfStream }
            let bytes = Array(text.utf8.prefix(size))
            bytes.withUnsafeBytes {
              UnsafeMutableRawBufferPointer(start: buffer, count: size).copyMemory(from: $0)
            }
            return bytes.count
          },
          Unmanaged.passRetained(feed).toOpaque(),
          { context in
            guard let context else { return }
            Unmanaged<EventFeed>.fromOpaque(context).release()
          }
        )
      }
      guard let handle else { return .NO }
      defer { MHD_destroy_response(handle) }
      let fields = [(name: "Content-Type", value: response.type)] + response.header
      for field in fields + HTTPResponse.protection {
        MHD_add_response_header(handle, field.name, field.value)
      }
      return MHD_queue_response(connection, UInt32(response.status), handle)
    }
  }

  /// A request whose body is arriving; only its connection's thread uses it.
  private final class IncomingRequest {
    private(set) var request: HTTPRequest
    private(set) var isTooLong = false

    init(_ request: HTTPRequest) {
      self.request = request
    }

    func append(_ bytes: UnsafeRawBufferPointer) {
      // The rest must still be read: the answer can only be sent afterwards.
      isTooLong = isTooLong || request.body.count + bytes.count > HTTPServer.maximumBody
      if isTooLong { request.body = [] } else { request.body += bytes }
    }
  }

  /// Collects the values that the C library passes to a callback.
  private final class ValueCollector {
    private let namesIgnoreCase: Bool
    private(set) var values: [String: String] = [:]

    init(namesIgnoreCase: Bool) {
      self.namesIgnoreCase = namesIgnoreCase
    }

    func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
      let name = String(decoding: name, as: UTF8.self)
      values[namesIgnoreCase ? name.lowercased() : name] = String(decoding: value, as: UTF8.self)
    }
  }
#endif
