#if !OBJECTBOX_WEBSOCKETS
  /// Replaces the loop in builds without libwebsockets: it never starts.
  final class ServiceLoop: Sendable {
    /// Work for the loop from other threads.
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
