#if OBJECTBOX_LIBPQ
  internal import CObjectBoxPostgres

  extension PostgresSession {
    /// Runs statements in order, including COPYs, and waits for them.
    ///
    /// libpq does not allow COPY in pipeline mode, so the mode is left before each COPY and entered
    /// after it. A COPY takes two round trips, and the statements between two COPYs one.
    ///
    /// - Parameter batch: At least one statement.
    /// - Returns: The rows of each statement.
    /// - Throws: ``ServerFailure``; errors of the COPY's content.
    func runCopying(_ batch: [Statement]) throws -> [ResultRows] {
      var rows: [ResultRows] = []
      do {
        while rows.count < batch.count {
          let rest = batch[rows.count...]
          let copy = rest.firstIndex { $0.content != nil } ?? batch.endIndex
          // Statements without parameters, such as BEGIN, share the COPY's message.
          var first = copy
          if copy < batch.endIndex {
            while first > rest.startIndex, batch[first - 1].parameters.count == 0 { first -= 1 }
          }
          if first > rest.startIndex { rows += try run(Array(batch[rest.startIndex..<first])) }
          if copy < batch.endIndex { rows += try copyIn(batch[first...copy]) }
        }
      } catch var failure as ServerFailure {
        failure.statement = failure.statement.map { $0 + rows.count }
        failure.completedStatements += rows.count
        throw failure
      }
      return rows
    }

    /// Runs statements without parameters, the last of them a COPY.
    private func copyIn(_ batch: ArraySlice<Statement>) throws -> [ResultRows] {
      guard PQexitPipelineMode(connection) == 1, PQsetnonblocking(connection, 0) == 0 else {
        throw lost()
      }
      defer {
        PQenterPipelineMode(connection)
        PQsetnonblocking(connection, 1)
      }
      roundTrips += 2
      let sql = batch.map(\.sql).joined(separator: "; ")
      guard PQsendQuery(connection, sql) == 1 else { throw lost() }
      var rows: [ResultRows] = []
      var failure: (any Error)?
      while let result = PQgetResult(connection) {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: rows.append(ResultRows(result))
        case PGRES_COPY_IN:
          PQclear(result)
          do { try sendContent(of: batch.last) } catch { failure = error }
        default:
          failure =
            failure ?? Self.failure(of: result, statement: rows.count, completed: rows.count)
          PQclear(result)
        }
      }
      guard PQstatus(connection) == CONNECTION_OK else {
        throw (failure as? ServerFailure).map(asLost) ?? lost()
      }
      if let failure { throw failure }
      return rows
    }

    private func sendContent(of statement: Statement?) throws {
      var bytes: [UInt8] = []
      var part = 0
      var isLast = statement?.content == nil
      while !isLast {
        bytes.removeAll(keepingCapacity: true)
        do {
          isLast = try !(statement?.content?(part, &bytes) ?? false)
        } catch {
          // The server ends the COPY with an error, which is read later.
          PQputCopyEnd(connection, "the content cannot be made")
          throw error
        }
        part += 1
        let isSent = bytes.withUnsafeBytes { bytes in
          bytes.withMemoryRebound(to: CChar.self) {
            PQputCopyData(connection, $0.baseAddress, Int32($0.count)) == 1
          }
        }
        // The only result of a lost connection is an error.
        if !isSent { return }
      }
      PQputCopyEnd(connection, nil)
    }

    /// Reads the server's unrequested messages, and returns the notifications.
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
