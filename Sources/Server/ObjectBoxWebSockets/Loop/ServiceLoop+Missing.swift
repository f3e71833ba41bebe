#if !OBJECTBOX_WEBSOCKETS
  /// Stands for the loop where libwebsockets is missing: it never starts.
  final class ServiceLoop: Sendable {
    /// Work that other threads give to the loop.
    enum Order: Sendable {
      case connect(ConnectAttempt, Channel)
      case renewCertificate
      case stop
    }

    init(_ settings: LoopSettings, _ role: LoopSettings.Role) {}

    func start() async throws -> Int { throw WebSocketError.libraryMissing }

    func post(_ order: Order) {}

    func stopped() async {}

    func makeChannel(_ address: String) -> Channel {
      Channel(limits: WebSocketLimits(), address: address) { _ in }
    }
  }
#endif
