#if OBJECTBOX_LIBPQ
  internal import CObjectBoxPostgres

  extension PostgresSession {
    /// Sends rows in the binary form of COPY.
    ///
    /// - Parameters:
    ///   - sql: A `COPY … FROM STDIN (FORMAT binary)`.
    ///   - data: The whole content, with header and end.
    /// - Returns: The number of rows.
    /// - Throws: ``ServerFailure``; no row is stored then.
    func copyIn(_ sql: String, _ data: [UInt8]) throws -> Int {
      guard PQexitPipelineMode(connection) == 1, PQsetnonblocking(connection, 0) == 0 else {
        throw lost()
      }
      defer {
        PQenterPipelineMode(connection)
        PQsetnonblocking(connection, 1)
      }
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
  }
#endif
