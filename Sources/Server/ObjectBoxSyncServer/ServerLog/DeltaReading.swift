internal import ObjectBoxCluster
package import ObjectBoxSyncProtocol

/// Reads deltas: the changes of the database since a device's cursor.
///
/// It reads a delta in one READ ONLY REPEATABLE READ transaction. SERIALIZABLE would add serialization failures to
/// writers.
package struct DeltaReading: Sendable {
  /// The answer to a request.
  package enum Answer: Sendable {
    /// The difference.
    case delta(Delta)
    /// The log does not have the difference: the device must send digests.
    case reset(Reset)
    /// Digests differ: the device must send digests of parts.
    case refine(Refine)
    /// Another store uses the device's identity, or the server log has lost its transactions.
    case forked(ServerReply)
  }

  /// The limits of a delta's changes; more changes come in parts.
  package struct ChangeLimits: Sendable {
    /// The number of changes in the log since the cursor.
    package var count = 10_000
    /// The approximate size of the changed objects in bytes.
    package var bytes = 4 << 20

    /// Creates the limits of a server.
    package init() {}
  }

  let serverLog: ServerLog
  private let fillLimits: FillReading.Limits
  private let limits: ChangeLimits
  private let log: LogReading

  /// Creates the reading of a server log.
  ///
  /// - Parameters:
  ///   - serverLog: The server log.
  ///   - fillLimit: The greatest number of objects of a scope's first fill in a delta; nil to limit a part by size
  ///     only, to 1 MB.
  ///   - limits: The limits of a delta's changes.
  package init(_ serverLog: ServerLog, fillLimit: Int? = nil, limits: ChangeLimits = ChangeLimits())
  {
    self.serverLog = serverLog
    self.limits = limits
    log = LogReading(serverLog, .ending(behind: limits.count))
    fillLimits = FillReading.Limits(objects: fillLimit ?? .max)
  }

  /// Reads the delta that a device requests.
  ///
  /// Takes two round trips, one more for each link whose targets may have changed, and further ones while first fills
  /// continue. Its time depends on the number of changes since the cursor, not on open transactions. Its memory is
  /// bounded: many changes are read in pages, and answered by a refinement.
  ///
  /// - Parameters:
  ///   - deltaRequest: The request.
  ///   - granted: The user's scopes, with links to resolve at the snapshot of the delta; each compared property must be
  ///     logged.
  /// - Returns: The answer.
  /// - Throws: ``ServerLogError``: `replica`, `notPrepared`, `corrupt`; `Grants.TooMany`; `ClusterError`.
  package func read(_ deltaRequest: DeltaRequest, granted: inout Grants) async throws -> Answer {
    try await serverLog.rollingBack { connection in
      let rows = try await connection.run(statements(deltaRequest))
      var end = [Statement("COMMIT")]
      let answer = try await answer(deltaRequest, granted: &granted, rows, connection, ending: &end)
      if !end.isEmpty { _ = try await connection.run(end) }
      return answer
    }
  }

  /// The statements that begin a delta's transaction and read the data that every delta needs.
  func statements(_ deltaRequest: DeltaRequest) -> [Statement] {
    ServerHeader.statements(serverLog, deltaRequest) + log.statements(since: deltaRequest.cursor)
  }

  /// The changes of all entities since a cursor.
  struct Changes {
    /// The present cursor.
    let cursor: Cursor
    /// The changes between the cursors; nil if the log does not have them.
    let entries: [LogEntry]?
    /// The number of unread changes, by entity; empty if all were read.
    let further: [EntityUID: Int]
  }

  /// Reads the changes of all entities, for waking the sessions that they concern.
  ///
  /// - Parameters:
  ///   - cursor: The cursor of the previous call; nil at first.
  ///   - limit: The approximate number of changes to read; the rest is counted.
  /// - Returns: The changes.
  /// - Throws: The same errors as ``read(_:granted:)``.
  func changes(since cursor: Cursor?, limit: Int) async throws -> Changes {
    let nobody = DeltaRequest(
      state: StateKey(device: DeviceIdentity(Identifier128(high: 0, low: 0)), edition: 0),
      cursor: cursor,
      scopes: ScopeProgress(),
      confirmed: 0
    )
    let log = LogReading(serverLog, .counting(behind: limit))
    let statements = ServerHeader.statements(serverLog, nobody) + log.statements(since: cursor)
    // Everything in one round trip.
    return try await serverLog.rollingBack { connection in
      let rows = try await connection.run(statements + [Statement("COMMIT")])
      let header = try ServerHeader(serverLog, rows)
      let isOfLog = cursor.map { header.history.continues($0) && header.hasLog(since: $0) }
      let changes = rows.dropFirst(ServerHeader.results).dropLast()
      return Changes(
        cursor: header.cursor,
        entries: isOfLog ?? true ? log.entries(changes, header.logged) : nil,
        further: log.further(changes)
      )
    }
  }

  /// Reads the answer in a transaction.
  ///
  /// - Parameters:
  ///   - deltaRequest: The request.
  ///   - granted: The user's scopes.
  ///   - rows: The results of ``statements(_:)``, which began the transaction.
  ///   - connection: The connection of the transaction.
  ///   - end: Statements that end the transaction. If the last round trip is known beforehand, they run in it and are
  ///     removed.
  /// - Returns: The answer.
  /// - Throws: The same errors as ``read(_:granted:)``; ``ServerFailure``.
  func answer(
    _ deltaRequest: DeltaRequest,
    granted: inout Grants,
    _ rows: [ResultRows],
    _ connection: Connection,
    ending end: inout [Statement]
  ) async throws -> Answer {
    let header = try ServerHeader(serverLog, rows)
    let changes = LoggedChanges(rows.dropFirst(ServerHeader.results), log, header.logged)
    let scopes = try await scopes(
      of: &granted,
      header,
      since: changes.areAll ? deltaRequest.cursor : nil,
      changes.entries,
      connection
    )
    if let old = deltaRequest.cursor,
      !header.hasLog(for: deltaRequest.scopes.restricted(to: scopes), since: old)
    {
      return .reset(Reset(state: deltaRequest.state, epoch: header.cursor.epoch))
    }
    let history = try await header.history(for: deltaRequest.cursor, on: connection)
    let start = DeltaBuilder.start(
      deltaRequest,
      cursor: header.cursor,
      history: history,
      granted: scopes,
      record: header.record,
      decisions: header.decisions
    )
    switch start {
    case .forked(let reply): return .forked(reply)
    case .reset(let reset): return .reset(reset)
    case .delta(let builder):
      return try await finish(builder, changes, header.logged, connection, ending: &end)
    }
  }

  // MARK: Links

  /// Resolves the links of a user's scopes at the snapshot of a transaction.
  ///
  /// - Parameters:
  ///   - granted: The user's scopes.
  ///   - header: The header of the transaction.
  ///   - old: The cursor of the device's request.
  ///   - entries: The changes since that cursor.
  ///   - connection: The connection of the transaction.
  /// - Returns: The scopes.
  /// - Throws: The same errors as ``read(_:granted:)``.
  func scopes(
    of granted: inout Grants,
    _ header: ServerHeader,
    since old: Cursor?,
    _ entries: [LogEntry],
    _ connection: Connection
  ) async throws -> [Scope] {
    let now = header.cursor.snapshot
    let needed =
      granted.innerScopes
      + granted.relations.map { relation in
        Scope(entity: relation.entity, property: relation.property, value: .null)
      }
    if let missing = needed.first(where: { !header.logged.has($0, after: now) }) {
      throw notLogged(missing)
    }
    let isLogged = old.map { old in
      header.hasLog(since: old) && needed.allSatisfy { header.logged.has($0, after: old.snapshot) }
    }
    granted.begin(
      at: header.cursor,
      header.history,
      since: isLogged ?? false ? old : nil,
      entries
    )
    while let search = try granted.next() {
      guard let statement = serverLog.statement(of: search, limit: granted.limit + 1) else {
        try granted.take([])
        continue
      }
      try granted.take(try await connection.run([statement])[0].ids())
    }
    if let missing = granted.scopes.first(where: { !header.logged.has($0, after: now) }) {
      throw notLogged(missing)
    }
    return granted.scopes
  }

  private func notLogged(_ scope: Scope) -> ServerLogError {
    let name = serverLog.entity(scope.entity)?.name ?? "the entity with UID \(scope.entity.value)"
    let uids = scope.comparisons.map { String($0.property.value) }.joined(separator: ", ")
    return .notPrepared(
      message:
        "the log lacks '\(name)' or a property with one of the UIDs \(uids), which a rule compares; run the upgrade of "
        + "the server log's schema with all rules"
    )
  }

  // MARK: Changes

  /// The changes since a cursor that one round trip has read.
  struct LoggedChanges {
    let entries: [LogEntry]
    /// False if there are more changes.
    let areAll: Bool

    init(_ results: ArraySlice<ResultRows>, _ log: LogReading, _ logged: LoggedProperties) {
      areAll = !log.isEnded(results)
      entries = log.entries(results, logged)
    }
  }

  /// Reads the changes for the delta that ends a comparison.
  func changes(
    for builder: DeltaBuilder,
    _ logged: LoggedProperties,
    _ connection: Connection
  ) async throws -> LoggedChanges {
    let results = try await connection.run(log.statements(since: builder.deltaRequest.cursor))
    return LoggedChanges(results[...], log, logged)
  }

  /// Adds changes, and the next objects of first fills.
  ///
  /// - Parameters:
  ///   - begun: The builder of the delta.
  ///   - changes: The changes since the cursor of the builder's request, or the first of them.
  ///   - logged: The properties of the log.
  ///   - connection: The connection of the transaction.
  ///   - end: The same as in ``answer(_:granted:_:_:ending:)``.
  /// - Returns: The delta, or a refinement if the changes that concern the device exceed the limits.
  /// - Throws: ``ServerLogError`` `corrupt`; `ClusterError`.
  func finish(
    _ begun: DeltaBuilder,
    _ changes: LoggedChanges,
    _ logged: LoggedProperties,
    _ connection: Connection,
    ending end: inout [Statement]
  ) async throws -> Answer {
    var builder = begun
    let progress = builder.progress
    var entries: [LogEntry] = []
    var ranges: ChangedRanges?
    func take(_ entry: LogEntry) {
      guard concerns(entry, progress) else { return }
      if ranges == nil, entries.count == limits.count {
        ranges = ChangedRanges(entries)
        entries = []
      }
      if ranges == nil { entries.append(entry) } else { ranges?.insert(entry.key) }
    }
    if changes.areAll {
      changes.entries.forEach(take)
    } else {
      try await log.forEach(since: builder.deltaRequest.cursor, logged, on: connection, take)
    }
    if let ranges { return .refine(builder.divided(ranges)) }

    var ids: [EntityUID: Set<UInt64>] = [:]
    for entry in entries { ids[entry.key.entity, default: []].insert(entry.key.id) }
    var statements: [Statement] = []
    let changed = serverLog.entities.compactMap { entity in
      ids[entity.uid].map { (entity: entity, ids: $0.sorted()) }
    }
    for (entity, ids) in changed {
      statements += ServerRows.statements(entity, ids: ids, bytes: limits.bytes)
    }
    // Without a first fill, only the changed rows remain to be read.
    if builder.fills.isEmpty {
      statements += end
      end = []
    }
    var results = try await connection.run(statements)[...]

    var rows: [EntityUID: ServerRows] = [:]
    var bytes = 0
    for (entity, _) in changed {
      var all = ServerRows(entity)
      let found = results.removeFirst()
      bytes += found.byteCount
      guard found.objectCount == found.count, bytes <= 2 * limits.bytes else {
        return .refine(builder.divided(ChangedRanges(entries)))
      }
      _ = try all.add(found)
      all.addPairs(results.prefix(entity.pairs.count))
      results = results.dropFirst(entity.pairs.count)
      rows[entity.uid] = all
    }
    for entry in entries {
      builder.add(entry, current: rows[entry.key.entity]?.rows[entry.key.id])
    }
    var fill = FillReading(serverLog, builder.fills, fillLimits, connection)
    try await fill.read(into: &builder)
    return .delta(builder.finish())
  }

  /// Returns true if the change may concern an object in the scopes; a change of pairs has no values.
  private func concerns(_ entry: LogEntry, _ scopes: ScopeProgress) -> Bool {
    if entry.before == nil, entry.after == nil {
      return scopes.elements.contains { $0.scope.entity == entry.key.entity }
    }
    return [entry.before, entry.after].contains { values in
      values.map { scopes.match($0, at: entry.key) } ?? false
    }
  }
}

extension ChangedRanges {
  /// The ranges of changes.
  fileprivate init(_ entries: [LogEntry]) {
    self.init()
    for entry in entries { insert(entry.key) }
  }
}
