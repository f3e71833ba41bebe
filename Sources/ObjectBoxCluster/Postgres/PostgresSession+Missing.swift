#if !OBJECTBOX_LIBPQ
  /// Stands for a connection of libpq in builds without it; none can be made.
  final class PostgresSession {
    /// Stands for the request to cancel a statement.
    final class Cancellation: Sendable {
      func send() {}
    }

    let serverVersion = 0
    let backendID: Int32 = 0
    let roundTrips = 0
    let isIdle = false
    let socket: Int32 = -1

    init(_ parameters: [(keyword: String, value: String)]) throws {
      throw ClusterError.libpqMissing
    }

    func cancellation() -> Cancellation? { nil }
    func surplusPrepared() -> [Statement] { [] }
    func run(_ batch: [Statement]) throws -> [ResultRows] { throw ClusterError.libpqMissing }
    func copyIn(_ sql: String, _ data: [UInt8]) throws -> Int { throw ClusterError.libpqMissing }
    func notifications() throws -> [(channel: String, payload: String)] { [] }
  }
#endif
