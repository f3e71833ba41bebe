#if OBJECTBOX_LIBPQ
  internal import CObjectBoxPostgres
  internal import Foundation

  /// A connection of libpq, which one thread uses.
  ///
  /// All statements run in libpq's pipeline mode: those of a batch are sent together, and their results are read
  /// together, in one round trip.
  final class PostgresSession {
    /// Prepared statements that a connection keeps; the oldest makes room for a new one.
    private static let preparedLimit = 256

    private let connection: OpaquePointer
    /// The names of prepared statements by their SQL.
    private var prepared: [String: String] = [:]
    private var preparedOrder: [String] = []
    private var preparedCount = 0
    /// How often the session waited for the server.
    private(set) var roundTrips = 0

    /// Connects, and waits for it.
    ///
    /// - Parameter parameters: Pairs of libpq's keywords and values, later ones before earlier ones; `dbname` may be
    ///   a connection string or URI.
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
        throw ServerFailure(
          state: Self.connectionState(of: connection),
          message: Self.message(of: connection),
          isConnectionLost: true
        )
      }
      // Notices are not errors; libpq would write them to standard error.
      PQsetNoticeReceiver(connection, { _, _ in }, nil)
      self.connection = connection
      PQenterPipelineMode(connection)
    }

    deinit {
      PQfinish(connection)
    }

    /// The server's version, such as 150018.
    var serverVersion: Int { Int(PQserverVersion(connection)) }

    /// The process that serves the connection, for `pg_terminate_backend`.
    var backendID: Int32 { PQbackendPID(connection) }

    /// True when the connection can take a new transaction.
    var isIdle: Bool {
      PQstatus(connection) == CONNECTION_OK && PQtransactionStatus(connection) == PQTRANS_IDLE
    }

    var socket: Int32 { PQsocket(connection) }

    /// What another thread needs to cancel the running statement.
    func cancellation() -> Cancellation? { PQgetCancel(connection).map(Cancellation.init) }

    private static func message(of connection: OpaquePointer) -> String {
      oneLine(String(cString: PQerrorMessage(connection)))
    }

    /// The code of a failed connection, which libpq 15 does not hand out: it is told by the server's words only.
    private static func connectionState(of connection: OpaquePointer) -> String {
      let message = String(cString: PQerrorMessage(connection))
      if PQconnectionNeedsPassword(connection) == 1 { return ServerFailure.State.invalidPassword }
      if message.contains("authentication failed") { return ServerFailure.State.invalidPassword }
      if message.contains("no pg_hba.conf entry") {
        return ServerFailure.State.invalidAuthorization
      }
      if message.contains("database \"") && message.contains("does not exist") {
        return ServerFailure.State.invalidCatalogName
      }
      if message.contains("role \"") && message.contains("does not exist") {
        return ServerFailure.State.invalidPassword
      }
      if message.contains("too many clients") || message.contains("remaining connection slots") {
        return ServerFailure.State.tooManyConnections
      }
      if message.contains("starting up") || message.contains("shutting down")
        || message.contains("not yet accepting connections") || message.contains("in recovery mode")
      {
        return ServerFailure.State.cannotConnectNow
      }
      return ""
    }

    private static func oneLine(_ text: String) -> String {
      text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix(while: \.isWhitespace) }
        .joined(separator: "; ")
    }

    // MARK: Statements

    /// Runs statements in order, in one round trip; after a failed one no further runs.
    ///
    /// - Parameter batch: Any number of statements.
    /// - Returns: The rows of each statement.
    /// - Throws: ``ServerFailure``.
    func run(_ batch: [Statement]) throws -> [ResultRows] {
      guard !batch.isEmpty else { return [] }
      roundTrips += 1
      // How many results of libpq come for each statement, without the end that follows each.
      var isPreparing: [Bool] = []
      for statement in batch { isPreparing.append(try send(statement)) }
      guard PQpipelineSync(connection) == 1 else { throw lost() }
      var rows: [ResultRows] = []
      var failure: ServerFailure?
      for (index, isPreparing) in isPreparing.enumerated() {
        for _ in 0..<(isPreparing ? 2 : 1) {
          let result = try nextResult()
          switch PQresultStatus(result) {
          case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
            rows.append(ResultRows(result))
          case PGRES_PIPELINE_ABORTED:
            PQclear(result)
          default:
            if failure == nil {
              failure = Self.failure(of: result, statement: index, completed: index)
            }
            PQclear(result)
          }
          // The end of this statement's results.
          if let surplus = PQgetResult(connection) { PQclear(surplus) }
        }
        // Only the statement's own rows count, not the answer to its preparation.
        if isPreparing, failure == nil { rows.remove(at: rows.count - 2) }
      }
      let end = try nextResult()
      let isEnd = PQresultStatus(end) == PGRES_PIPELINE_SYNC
      PQclear(end)
      if var failure {
        forgetPrepared(of: batch, from: failure.statement ?? 0)
        if PQstatus(connection) != CONNECTION_OK { failure.isConnectionLost = true }
        throw failure
      }
      guard isEnd else { throw lost() }
      return rows
    }

    /// Sends a statement; returns true when its preparation was sent before.
    private func send(_ statement: Statement) throws -> Bool {
      let parameters = statement.parameters
      let sent: Int32
      var isPreparing = false
      if statement.isPrepared {
        let known = prepared[statement.sql]
        let name = try known ?? prepare(statement)
        isPreparing = known == nil
        sent = withValues(of: parameters) { values, lengths, formats in
          PQsendQueryPrepared(
            connection,
            name,
            Int32(parameters.count),
            values,
            lengths,
            formats,
            1
          )
        }
      } else {
        sent = withValues(of: parameters) { values, lengths, formats in
          PQsendQueryParams(
            connection,
            statement.sql,
            Int32(parameters.count),
            parameters.types,
            values,
            lengths,
            formats,
            1
          )
        }
      }
      guard sent == 1 else { throw lost() }
      return isPreparing
    }

    private func prepare(_ statement: Statement) throws -> String {
      preparedCount += 1
      let name = "o\(preparedCount)"
      let types = statement.parameters.types
      guard PQsendPrepare(connection, name, statement.sql, Int32(types.count), types) == 1 else {
        throw lost()
      }
      prepared[statement.sql] = name
      preparedOrder.append(statement.sql)
      return name
    }

    /// Statements that must be closed, since others took their places.
    func surplusPrepared() -> [Statement] {
      guard preparedOrder.count > Self.preparedLimit else { return [] }
      let surplus = preparedOrder.prefix(preparedOrder.count - Self.preparedLimit * 3 / 4)
      preparedOrder.removeFirst(surplus.count)
      return surplus.compactMap { prepared.removeValue(forKey: $0) }
        .map { Statement(once: "DEALLOCATE \($0)") }
    }

    /// Forgets preparations of a batch that the server may not have made.
    private func forgetPrepared(of batch: [Statement], from index: Int) {
      let texts = Set(batch[index...].filter(\.isPrepared).map(\.sql))
      for text in texts { prepared[text] = nil }
      preparedOrder.removeAll { texts.contains($0) }
    }

    private func withValues(
      of parameters: Parameters,
      _ body: (
        UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
      ) -> Int32
    ) -> Int32 {
      let count = parameters.count
      guard count > 0 else { return body(nil, nil, nil) }
      return parameters.bytes.withUnsafeBytes { bytes in
        // An empty value needs an address as well, since none stands for null.
        withUnsafePointer(to: 0 as CChar) { empty in
          var values: [UnsafePointer<CChar>?] = []
          var lengths: [Int32] = []
          for range in parameters.ranges {
            lengths.append(Int32(range?.count ?? 0))
            guard let range else {
              values.append(nil)
              continue
            }
            let start = bytes.baseAddress.map { $0 + range.lowerBound }
            values.append(
              range.isEmpty ? empty : start?.assumingMemoryBound(to: CChar.self) ?? empty
            )
          }
          return body(values, lengths, [Int32](repeating: 1, count: count))
        }
      }
    }

    private func nextResult() throws -> OpaquePointer {
      while true {
        if let result = PQgetResult(connection) { return result }
        // An end that belongs to an earlier statement; without a connection no result follows.
        guard PQstatus(connection) == CONNECTION_OK else { throw lost() }
      }
    }

    private func lost() -> ServerFailure {
      ServerFailure(
        state: "",
        message: Self.message(of: connection),
        isConnectionLost: PQstatus(connection) != CONNECTION_OK
      )
    }

    private static func failure(
      of result: OpaquePointer,
      statement: Int?,
      completed: Int = 0
    ) -> ServerFailure {
      // The letters of libpq's PG_DIAG_ constants, which Swift does not import.
      func field(_ letter: Character) -> String? {
        PQresultErrorField(result, Int32(letter.asciiValue ?? 0)).map { String(cString: $0) }
      }
      // DETAIL may hold values of the user's data.
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

    // MARK: COPY

    /// Sends rows in the binary form of COPY.
    ///
    /// - Parameters:
    ///   - sql: A `COPY … FROM STDIN (FORMAT binary)`.
    ///   - data: The whole content, with header and end.
    /// - Returns: The number of rows.
    /// - Throws: ``ServerFailure``; no row is stored then.
    func copyIn(_ sql: String, _ data: [UInt8]) throws -> Int {
      guard PQexitPipelineMode(connection) == 1 else { throw lost() }
      defer { PQenterPipelineMode(connection) }
      roundTrips += 2
      guard let start = PQexec(connection, sql) else { throw lost() }
      defer { PQclear(start) }
      guard PQresultStatus(start) == PGRES_COPY_IN else {
        throw Self.failure(of: start, statement: 0)
      }
      // libpq takes at most 2 GiB at a time.
      let isSent = data.withUnsafeBytes { bytes in
        stride(from: 0, to: bytes.count, by: 1 << 24).allSatisfy { offset in
          let part = bytes[offset..<min(bytes.count, offset + 1 << 24)]
          return part.withMemoryRebound(to: CChar.self) {
            PQputCopyData(connection, $0.baseAddress, Int32($0.count)) == 1
          }
        }
      }
      guard isSent, PQputCopyEnd(connection, nil) == 1 else { throw lost() }
      var failure: ServerFailure?
      var count = 0
      while let result = PQgetResult(connection) {
        if PQresultStatus(result) == PGRES_COMMAND_OK {
          count = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
        } else {
          failure = failure ?? Self.failure(of: result, statement: 0)
        }
        PQclear(result)
      }
      if let failure { throw failure }
      return count
    }

    // MARK: Notifications

    /// Reads what the server sent without being asked, and returns the notifications.
    ///
    /// - Returns: The payloads by channel.
    /// - Throws: ``ServerFailure`` when the connection is gone.
    func notifications() throws -> [(channel: String, payload: String)] {
      guard PQconsumeInput(connection) == 1, PQstatus(connection) == CONNECTION_OK else {
        throw lost()
      }
      var all: [(channel: String, payload: String)] = []
      while let notification = PQnotifies(connection) {
        all.append(
          (
            String(cString: notification.pointee.relname),
            String(cString: notification.pointee.extra)
          )
        )
        PQfreemem(notification)
      }
      return all
    }

    /// Cancels the running statement of a session from another thread.
    ///
    /// Sendable, since libpq reads it only.
    final class Cancellation: @unchecked Sendable {
      private let cancel: OpaquePointer

      fileprivate init(_ cancel: OpaquePointer) {
        self.cancel = cancel
      }

      deinit {
        PQfreeCancel(cancel)
      }

      /// Connects to the server and asks it; blocks meanwhile.
      func send() {
        var message = [CChar](repeating: 0, count: 256)
        _ = PQcancel(cancel, &message, 256)
      }
    }
  }
#endif
