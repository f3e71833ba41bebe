#if !OBJECTBOX_LIBPQ
  /// Replaces libpq's connection in builds without libpq; none can be made.
  final class PostgresSession: Sendable {
    /// Replaces the request to cancel a statement.
    final class Cancellation: Sendable {
      func send() {}
    }

    let serverVersion = 0
    let backendID: Int32 = 0
    let roundTrips = 0
    let isIdle = false
    let isConnected = false
    let isInTransaction = false
    let hasEnded = true
    let socket: Int32 = -1

    init(_ parameters: [(keyword: String, value: String)]) throws {
      throw ClusterError.libpqMissing
    }

    func cancellation() -> Cancellation? { nil }
    func takeReplicationWaitWasCut() -> Bool { false }
    func send(_ batch: [Statement]) throws -> SentBatch { throw ClusterError.libpqMissing }
    func hasInput(within timeout: Int32, orRoom: Bool = false) -> Bool { false }
    func exchange() -> Bool { false }
    func lost() -> ServerFailure { ServerFailure(state: "", message: "") }
    func receive(_ batch: inout SentBatch, mayBlock: Bool) throws -> [ResultRows]? { nil }
    func runCopying(_ batch: [Statement]) throws -> [ResultRows] { throw ClusterError.libpqMissing }
    func notifications() throws -> [(channel: String, payload: String)] { [] }
  }

  /// Replaces a sent batch.
  struct SentBatch {
    let isOnItsWay = false
  }

  /// Replaces the check of an address.
  struct ConnectionAddress: Sendable {
    let database = ""
    let shown = ""

    init(_ address: String) throws { throw ClusterError.libpqMissing }
    func scrubbed(_ message: String) -> String { message }
  }
#endif
