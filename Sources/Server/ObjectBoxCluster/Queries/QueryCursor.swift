internal import ObjectBox
internal import Synchronization

/// The source of a cursor's rows: an open transaction, or a connection of the pool with a
/// transaction for the cursor.
enum CursorPlace {
  case transaction(ReadSource)
  case own(BorrowedConnection)

  init(_ source: ReadSource) {
    self =
      switch source {
      case .newest(let cluster): .own(BorrowedConnection(of: cluster.pool))
      case .transaction: .transaction(source)
      }
  }

  /// The statements that precede the cursor's declaration.
  var beginning: [Statement] {
    switch self {
    case .transaction: []
    case .own: [Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")]
    }
  }

  func run(_ batch: [Statement]) async throws -> [ResultRows] {
    switch self {
    case .transaction(let source): try await source.run(batch)
    case .own(let connection): try await connection.run(batch)
    }
  }
}

/// A connection of the pool, held while an instance lives.
///
/// The instance returns the connection when it is released. A separate task holds the connection, so the release needs
/// no `await`.
final class BorrowedConnection: Sendable {
  private struct Request {
    var batch: [Statement]
    var reply: CheckedContinuation<[ResultRows], any Error>
  }

  /// The request that the task must answer; only the task resumes it.
  private final class Desk: Sendable {
    private let request = Guarded<Request?>(nil)
    private let failure = Guarded<(any Error)?>(nil)

    /// Hands over a request; returns false when the task has ended.
    func leave(_ new: Request) -> Bool {
      let ended = failure.withLock { failure in
        if failure == nil { request.withLock { $0 = new } }
        return failure
      }
      if let ended { new.reply.resume(throwing: ended) }
      return ended == nil
    }

    var batch: [Statement]? { request.withLock { $0?.batch } }

    func answer(_ result: Result<[ResultRows], any Error>) {
      let request = request.withLock { request in
        defer { request = nil }
        return request
      }
      request?.reply.resume(with: result)
    }

    func end(_ error: any Error) {
      failure.withLock { $0 = error }
      answer(.failure(error))
    }
  }

  private let desk = Desk()
  private let bell: AsyncStream<Void>.Continuation
  private let task: Task<Void, Never>

  init(of pool: ConnectionPool) {
    let (rings, bell) = AsyncStream.makeStream(of: Void.self)
    self.bell = bell
    task = Task { [desk] in
      do {
        try await pool.withConnection { connection in
          for await _ in rings {
            guard let batch = desk.batch else { continue }
            desk.answer(.success(try await connection.run(batch)))
          }
          // The transaction only read. A connection whose statement was cancelled must not be
          // reused.
          try Task.checkCancellation()
          _ = try await connection.run([Statement("ROLLBACK")])
        }
        desk.end(CancellationError())
      } catch {
        desk.end(error)
      }
    }
  }

  deinit {
    bell.finish()
  }

  /// Runs statements; one caller at a time.
  func run(_ batch: [Statement]) async throws -> [ResultRows] {
    try await withTaskCancellationHandler {
      try Task.checkCancellation()
      return try await withCheckedThrowingContinuation { continuation in
        if desk.leave(Request(batch: batch, reply: continuation)) { bell.yield() }
      }
    } onCancel: {
      task.cancel()
    }
  }
}

/// The statements that read a query's rows in batches.
struct CursorStatements: Sendable {
  /// The number of rows in a round trip.
  static let batchSize = 500

  private static let count = Atomic<Int>(0)

  private let name = "objectbox_cursor_\(count.add(1, ordering: .relaxed).newValue)"
  let statement: Statement
  /// True when one batch holds all rows, so no cursor is needed.
  private let isOneBatch: Bool
  private var isOpen = false
  private var isAtEnd = false

  /// - Parameters:
  ///   - statement: The statement of the query.
  ///   - limit: The greatest number of rows; 0 when unknown.
  init(_ statement: Statement, limit: Int = 0) {
    self.statement = statement
    isOneBatch = 1...Self.batchSize ~= limit
  }

  /// Returns the statements of the next round trip, the last of which returns rows; nil at the end.
  ///
  /// - Parameter beginning: Statements that precede the cursor's declaration.
  /// - Returns: The statements of one round trip.
  mutating func next(after beginning: [Statement] = []) -> [Statement]? {
    if isAtEnd { return nil }
    if isOneBatch {
      isAtEnd = true
      return beginning + [statement]
    }
    let fetch = Statement(once: "FETCH \(Self.batchSize) FROM \(name)")
    if isOpen { return [fetch] }
    isOpen = true
    var declaration = Statement(
      once: "DECLARE \(name) NO SCROLL CURSOR FOR \(statement.sql)"
    )
    declaration.parameters = statement.parameters
    return beginning + [declaration, fetch]
  }

  /// Notes the rows of a batch; returns the statement that closes the cursor after the last batch.
  mutating func note(_ rows: ResultRows?) -> Statement? {
    guard isOpen else { return nil }
    isAtEnd = (rows?.count ?? 0) < Self.batchSize
    return isAtEnd ? Statement(once: "CLOSE \(name)") : nil
  }
}

/// A cursor on a server, whose rows are read in batches.
final class QueryCursor {
  private let source: ReadSource
  private let statement: Statement
  private let checks: [Statement]
  private var place: CursorPlace
  private var statements: CursorStatements
  private var hasBegun = false

  /// - Parameters:
  ///   - statement: The statement of the rows.
  ///   - checks: Statements that run first, at the same version, and may fail.
  ///   - source: The place where the cursor is.
  init(_ statement: Statement, after checks: [Statement], in source: ReadSource) {
    self.source = source
    self.statement = statement
    self.checks = checks
    statements = CursorStatements(statement)
    place = CursorPlace(source)
  }

  /// Reads the next rows, in one round trip; nil at the end.
  func next() async throws -> ResultRows? {
    defer { hasBegun = true }
    guard !hasBegun, case .newest(let cluster) = source else { return try await read() }
    return try await cluster.findingWords {
      if hasBegun {
        statements = CursorStatements(statement)
        place = CursorPlace(source)
      }
      hasBegun = true
      return try await read()
    }
  }

  private func read() async throws -> ResultRows? {
    guard let batch = statements.next(after: place.beginning + checks) else { return nil }
    let rows = try await place.run(batch).last
    if let closing = statements.note(rows) { _ = try await place.run([closing]) }
    return rows
  }
}
