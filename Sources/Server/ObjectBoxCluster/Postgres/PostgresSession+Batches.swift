#if OBJECTBOX_LIBPQ
  internal import CObjectBoxPostgres
  internal import Foundation

  /// A batch of statements that was sent, and the results that have arrived.
  struct SentBatch {
    let statements: [Statement]
    /// The number of leading statements that do not belong to the caller.
    fileprivate let surplus: Int
    /// For each statement, whether its preparation was sent before it.
    fileprivate let isPreparing: [Bool]
    /// True when the system took the whole batch.
    let isOnItsWay: Bool
    fileprivate var statement = 0
    /// True once the answer to the current statement's preparation was read.
    fileprivate var isPrepared = false
    /// True until the end of the current result was read.
    fileprivate var isInResult = false
    fileprivate var rows: [ResultRows] = []
    fileprivate var failure: ServerFailure?
  }

  extension PostgresSession {
    /// Sends as many statements as the system accepts without waiting.
    ///
    /// - Parameter batch: At least one statement.
    /// - Returns: The batch, for ``receive(_:mayBlock:)``.
    /// - Throws: ``ServerFailure``.
    func send(_ batch: [Statement]) throws -> SentBatch {
      // A failed transaction refuses everything except its end.
      let isRefusing = PQtransactionStatus(connection) == PQTRANS_INERROR
      let surplus = isRefusing ? [] : prepared.takeSurplus()
      let batch = surplus.isEmpty ? batch : surplus + batch
      roundTrips += 1
      var isPreparing: [Bool] = []
      isPreparing.reserveCapacity(batch.count)
      for statement in batch { isPreparing.append(try send(statement)) }
      guard PQpipelineSync(connection) == 1 else { throw lost() }
      let state = PQflush(connection)
      guard state >= 0 else { throw lost() }
      return SentBatch(
        statements: batch,
        surplus: surplus.count,
        isPreparing: isPreparing,
        isOnItsWay: state == 0
      )
    }

    /// Runs statements in order, and waits for them.
    func run(_ batch: [Statement]) throws -> [ResultRows] {
      var sent = try send(batch)
      return try receive(&sent, mayBlock: true) ?? []
    }

    /// Waits for input, for at most a time in milliseconds; -1 for no limit.
    ///
    /// - Parameters:
    ///   - timeout: The time.
    ///   - orRoom: True to wait for room to send as well.
    /// - Returns: True when there is input or, if asked for, room.
    func hasInput(within timeout: Int32, orRoom: Bool = false) -> Bool {
      var poll = pollfd(fd: socket, events: Int16(orRoom ? POLLIN | POLLOUT : POLLIN), revents: 0)
      return Foundation.poll(&poll, 1, timeout) > 0
    }

    /// Takes the data that have arrived, and sends more of the pending output, without waiting.
    ///
    /// - Returns: True while the system has no room for all of the output.
    func exchange() -> Bool {
      // A broken connection is an answer too; `receive` finds it.
      PQconsumeInput(connection)
      // libpq's buffer may be smaller than what OpenSSL has decrypted, and the socket does not
      // signal the rest.
      if PQsslInUse(connection) == 1 { PQconsumeInput(connection) }
      return PQflush(connection) == 1
    }

    /// Reads the results of a batch.
    ///
    /// - Parameters:
    ///   - batch: The last batch that was sent.
    ///   - mayBlock: True to wait for all results.
    /// - Returns: The rows of each statement; nil while results are missing.
    /// - Throws: ``ServerFailure``.
    func receive(_ batch: inout SentBatch, mayBlock: Bool) throws -> [ResultRows]? {
      if mayBlock { try flush() }
      while batch.statement < batch.statements.count {
        if !mayBlock, PQisBusy(connection) == 1 { return nil }
        let result = PQgetResult(connection)
        if batch.isInResult {
          // A null result ends the results of a statement.
          if let result { PQclear(result) } else { batch.endResult() }
        } else if let result {
          take(result, in: &batch)
        } else if PQstatus(connection) != CONNECTION_OK {
          // On a live connection, no result means the end of an earlier statement.
          throw batch.failure.map(asLost) ?? lost()
        }
      }
      return try end(&batch, mayBlock: mayBlock)
    }

    private func take(_ result: OpaquePointer, in batch: inout SentBatch) {
      batch.isInResult = true
      switch PQresultStatus(result) {
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
        if batch.isPreparing[batch.statement], !batch.isPrepared {
          PQclear(result)
        } else {
          batch.rows.append(ResultRows(result))
        }
      case PGRES_PIPELINE_ABORTED:
        PQclear(result)
      default:
        if batch.failure == nil {
          batch.failure = Self.failure(
            of: result,
            statement: max(batch.statement - batch.surplus, 0),
            completed: max(batch.statement - batch.surplus, 0)
          )
        }
        PQclear(result)
      }
    }

    /// Reads the end of the batch.
    private func end(_ batch: inout SentBatch, mayBlock: Bool) throws -> [ResultRows]? {
      while true {
        if !mayBlock, PQisBusy(connection) == 1 { return nil }
        if let result = PQgetResult(connection) {
          defer { PQclear(result) }
          let status = PQresultStatus(result)
          if status == PGRES_PIPELINE_SYNC { break }
          // The commit of a batch without a transaction follows its last statement, and may fail
          // too.
          if status == PGRES_FATAL_ERROR, batch.failure == nil {
            let count = batch.statements.count - batch.surplus
            batch.failure = Self.failure(of: result, statement: nil, completed: count)
          }
        }
        guard PQstatus(connection) == CONNECTION_OK else {
          throw batch.failure.map(asLost) ?? lost()
        }
      }
      guard let failure = batch.failure else {
        return batch.surplus == 0 ? batch.rows : Array(batch.rows.dropFirst(batch.surplus))
      }
      prepared.forget(batch.statements[(failure.completedStatements + batch.surplus)...])
      throw failure
    }

    func asLost(_ failure: ServerFailure) -> ServerFailure {
      var failure = failure
      failure.isConnectionLost = true
      return failure
    }

    /// Sends the rest, and reads at the same time: the server may send results before it reads on.
    private func flush() throws {
      while true {
        let state = PQflush(connection)
        if state == 0 { return }
        guard state == 1 else {
          // The server's last message may have arrived.
          if PQconsumeInput(connection) == 1 { return }
          throw lost()
        }
        var poll = pollfd(fd: socket, events: Int16(POLLIN | POLLOUT), revents: 0)
        _ = Foundation.poll(&poll, 1, -1)
        if poll.revents & Int16(POLLIN | POLLERR | POLLHUP) != 0, PQconsumeInput(connection) == 0 {
          return
        }
      }
    }

    /// Sends a statement; returns true when its preparation was sent before it.
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
      let name = prepared.add(statement.sql)
      let types = statement.parameters.types
      guard PQsendPrepare(connection, name, statement.sql, Int32(types.count), types) == 1 else {
        throw lost()
      }
      return name
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
        // An empty value needs an address too: a null pointer means null.
        withUnsafePointer(to: 0 as CChar) { empty in
          var values: [UnsafePointer<CChar>?] = []
          var lengths: [Int32] = []
          values.reserveCapacity(count)
          lengths.reserveCapacity(count)
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
  }

  extension SentBatch {
    /// Continues with the next result: from a statement's preparation to the statement, or to the
    /// next statement.
    fileprivate mutating func endResult() {
      isInResult = false
      if isPreparing[statement], !isPrepared {
        isPrepared = true
      } else {
        isPrepared = false
        statement += 1
      }
    }
  }
#endif
