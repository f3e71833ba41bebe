#if OBJECTBOX_LIBPQ
  internal import CObjectBoxPostgres
  internal import Foundation

  /// A connection of libpq.
  ///
  /// All statements run in libpq's pipeline mode: a batch is sent as a whole and its results are read as a whole, in
  /// one round trip. Sendable, since one thread at a time uses it: the thread of the task that has the connection, or
  /// the connection's own thread while the task waits.
  final class PostgresSession: @unchecked Sendable {
    let connection: OpaquePointer
    var prepared = PreparedStatements()
    /// Number of waits for the server.
    var roundTrips = 0
    /// Set when the server reports a commit that did not wait for its replicas.
    private let replicationWaitWasCut: UnsafeMutablePointer<Bool>

    /// Connects, and waits for the connection.
    ///
    /// - Parameter parameters: Pairs of libpq's keywords and values; later pairs override earlier
    ///   ones. `dbname` may be a connection string or URI.
    /// - Throws: ``ServerFailure``.
    init(_ parameters: [(keyword: String, value: String)]) throws {
      var keywords: [UnsafePointer<CChar>?] = parameters.map { UnsafePointer(strdup($0.keyword)) }
      var values: [UnsafePointer<CChar>?] = parameters.map { UnsafePointer(strdup($0.value)) }
      defer { (keywords + values).forEach { free(UnsafeMutablePointer(mutating: $0)) } }
      keywords.append(nil)
      values.append(nil)
      guard let connection = PQconnectdbParams(keywords, values, 1) else {
        throw ServerFailure(state: "", message: "libpq has no memory for a connection")
      }
      guard PQstatus(connection) == CONNECTION_OK else {
        defer { PQfinish(connection) }
        let needsPassword = PQconnectionNeedsPassword(connection) == 1
        let message = Self.oneLine(String(cString: PQerrorMessage(connection)))
        throw ServerFailure(
          state: needsPassword
            ? ServerFailure.State.invalidPassword : ServerFailure.state(ofConnecting: message),
          message: message,
          isConnectionLost: true
        )
      }
      replicationWaitWasCut = .allocate(capacity: 1)
      replicationWaitWasCut.initialize(to: false)
      self.connection = connection
      // Drop other notices: libpq would write them to standard error.
      PQsetNoticeReceiver(
        connection,
        { flag, notice in
          // 'R' is PG_DIAG_SOURCE_FUNCTION. Messages are in the server's language, but function names are not.
          guard let function = PQresultErrorField(notice, Int32(UInt8(ascii: "R"))) else { return }
          if strcmp(function, "SyncRepWaitForLSN") == 0 {
            flag?.assumingMemoryBound(to: Bool.self).pointee = true
          }
        },
        replicationWaitWasCut
      )
      PQenterPipelineMode(connection)
      PQsetnonblocking(connection, 1)
    }

    deinit {
      PQfinish(connection)
      replicationWaitWasCut.deallocate()
    }

    /// The server's version, such as 150018.
    var serverVersion: Int { Int(PQserverVersion(connection)) }

    /// The server process of the connection, for `pg_terminate_backend`.
    var backendID: Int32 { PQbackendPID(connection) }

    /// True if the connection can begin a transaction.
    var isIdle: Bool {
      PQstatus(connection) == CONNECTION_OK && PQtransactionStatus(connection) == PQTRANS_IDLE
    }

    var isConnected: Bool { PQstatus(connection) == CONNECTION_OK }

    /// True if the server has an open or failed transaction.
    var isInTransaction: Bool {
      let status = PQtransactionStatus(connection)
      return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
    }

    /// True if the server has closed the idle connection.
    var hasEnded: Bool {
      guard PQstatus(connection) == CONNECTION_OK else { return true }
      var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      // Notices and changed settings may arrive too; the end follows the server's last message.
      while Foundation.poll(&poll, 1, 0) > 0 {
        guard PQconsumeInput(connection) == 1, PQisBusy(connection) == 0 else { return true }
      }
      return PQstatus(connection) != CONNECTION_OK
    }

    var socket: Int32 { PQsocket(connection) }

    /// Returns true if a commit since the last call did not wait for its replicas, because the wait was cancelled.
    ///
    /// That commit may be lost with the server.
    func takeReplicationWaitWasCut() -> Bool {
      defer { replicationWaitWasCut.pointee = false }
      return replicationWaitWasCut.pointee
    }

    /// The request that cancels the running statement from another thread.
    func cancellation() -> Cancellation? { PQgetCancel(connection).map(Cancellation.init) }

    static func oneLine(_ text: String) -> String {
      text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix(while: \.isWhitespace) }
        .joined(separator: "; ")
    }

    /// The failure of a lost connection.
    func lost() -> ServerFailure {
      ServerFailure(
        state: "",
        message: Self.oneLine(String(cString: PQerrorMessage(connection))),
        isConnectionLost: PQstatus(connection) != CONNECTION_OK
      )
    }

    /// Returns the failure in a result.
    static func failure(
      of result: OpaquePointer,
      statement: Int?,
      completed: Int = 0
    ) -> ServerFailure {
      // The letters of libpq's PG_DIAG_ constants, which Swift does not import.
      func field(_ letter: Character) -> String? {
        PQresultErrorField(result, Int32(letter.asciiValue ?? 0)).map { String(cString: $0) }
      }
      // DETAIL is left out: it may hold values of the user's data.
      let state = field("C") ?? ""
      return ServerFailure(
        state: state,
        message: oneLine(field("M") ?? String(cString: PQresultErrorMessage(result))),
        hint: field("H"),
        schemaName: field("s"),
        tableName: field("t"),
        columnName: field("c"),
        constraintName: field("n"),
        statement: statement,
        isConnectionLost: ["57P01", "57P02", "57P03"].contains(state) || state.hasPrefix("08"),
        completedStatements: completed
      )
    }

    /// Cancels the running statement of a session from another thread.
    ///
    /// Sendable, since libpq only reads it.
    final class Cancellation: @unchecked Sendable {
      private let cancel: OpaquePointer

      fileprivate init(_ cancel: OpaquePointer) {
        self.cancel = cancel
      }

      deinit {
        PQfreeCancel(cancel)
      }

      /// Connects to the server and sends the request; blocks the thread until that is done.
      func send() {
        var message = [CChar](repeating: 0, count: 256)
        _ = PQcancel(cancel, &message, 256)
      }
    }
  }
#endif
