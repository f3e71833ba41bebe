import Testing

@testable import ObjectBoxSyncServer

/// Whether the package was built with libwebsockets.
#if OBJECTBOX_WEBSOCKETS
  let hasWebSockets = true
#else
  let hasWebSockets = false
#endif

extension TestServerLog {
  /// Rules by which all users see and write all objects.
  static let everything = ["Item", "Label", "Code", "Value"].flatMap { name in
    [
      SyncRule(access: .see, entity: name) { _ in nil },
      SyncRule(access: .write, entity: name) { _ in nil },
    ]
  }

  /// Starts a server; an error that no device hears of fails the test.
  func serve(
    _ rules: [SyncRule] = everything,
    port: Int = 0,
    authenticate: SyncAuthentication = .none,
    _ change: (inout SyncServer.Limits) -> Void = { _ in },
    report: @escaping @Sendable (any Error) -> Void = { Issue.record("\($0)") }
  ) async throws -> RunningSyncServer {
    var limits = SyncServer.Limits.ofTests
    change(&limits)
    return try await SyncServer(
      cluster: cluster,
      listen: .init(port: port),
      authenticate: authenticate,
      limits: limits,
      report: report,
      rules: { for rule in rules { rule } }
    ).start()
  }
}

extension SyncServer.Limits {
  /// Limits with more time: many tests at once share the threads, so that their tasks may wait
  /// for longer than those of a server.
  static var ofTests: Self {
    var limits = Self()
    limits.loginTime = .seconds(600)
    limits.authenticationTime = .seconds(600)
    return limits
  }
}
