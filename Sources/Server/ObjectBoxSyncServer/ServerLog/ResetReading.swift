internal import ObjectBoxCluster
package import ObjectBoxSyncProtocol

/// Answers a device's digests, after a reset.
///
/// The first digests cover everything: all objects in the device's scopes are read once, at one snapshot. Later digests
/// cover the ranges that differed, and only these are read. The log is read only for the delta that ends the
/// comparison.
package struct ResetReading: Sendable {
  /// The number of ranges in a statement; most have fewer than 40 objects.
  private static let rangesAtOnce = 128

  let serverLog: ServerLog
  private let deltas: DeltaReading
  private let pageSize: Int
  /// The size in bytes at which a page ends; the objects of a page are in memory together.
  private let pageBytes: Int
  private let limits: ResetBuilder.Limits
  /// Returns a row reduced to the device's model.
  private let reduced: @Sendable (Row, ObjectKey) -> Row

  /// Creates the reading of a server log.
  ///
  /// - Parameters:
  ///   - serverLog: The server log.
  ///   - pageSize: The greatest number of objects that are read at once.
  ///   - pageBytes: The size of variable-length values at which a page ends, in bytes.
  ///   - limits: Limits of the answers.
  ///   - changes: The limits of the last answer's changes.
  ///   - reduced: Returns a row without the parts that the device's model lacks.
  package init(
    _ serverLog: ServerLog,
    pageSize: Int = 5_000,
    pageBytes: Int = 4 << 20,
    limits: ResetBuilder.Limits = ResetBuilder.Limits(),
    changes: DeltaReading.ChangeLimits = DeltaReading.ChangeLimits(),
    reduced: @escaping @Sendable (Row, ObjectKey) -> Row = { row, _ in row }
  ) {
    self.serverLog = serverLog
    deltas = DeltaReading(serverLog, limits: changes)
    self.pageSize = pageSize
    self.pageBytes = pageBytes
    self.limits = limits
    self.reduced = reduced
  }

  /// Reads the answer: a refinement or, at the end, a delta.
  ///
  /// - Parameters:
  ///   - digests: The device's digests.
  ///   - granted: The user's scopes, with links to resolve at the snapshot of the answer.
  /// - Returns: The answer. It is a reset if the log does not go back to the first comparison.
  /// - Throws: The same errors as ``DeltaReading/read(_:granted:)``.
  package func read(
    _ digests: Digests,
    granted: inout Grants
  ) async throws -> DeltaReading.Answer {
    let deltaRequest = digests.continued
    return try await serverLog.transaction(ServerHeader.statements(serverLog, deltaRequest)) {
      connection,
      rows in
      let header = try ServerHeader(serverLog, rows)
      // Resolves links without the log: a search costs less than reading all changes at each step.
      let scopes = try await deltas.scopes(
        of: &granted,
        header,
        since: nil,
        [],
        connection
      )
      if let base = deltaRequest.cursor,
        !header.hasLog(for: deltaRequest.scopes.restricted(to: scopes), since: base)
      {
        return .reset(digests.ended(in: header.cursor.epoch))
      }
      let start = ResetBuilder.start(
        digests,
        cursor: header.cursor,
        history: try await header.history(for: deltaRequest.cursor, on: connection),
        granted: scopes,
        record: header.record,
        decisions: header.decisions,
        limits: limits
      )
      switch start {
      case .forked(let reply): return .forked(reply)
      case .reset(let reset): return .reset(reset)
      case .compare(var builder):
        return try await answer(&builder, digests, header, connection)
      }
    }
  }

  private func answer(
    _ builder: inout ResetBuilder,
    _ digests: Digests,
    _ header: ServerHeader,
    _ connection: Connection
  ) async throws -> DeltaReading.Answer {
    try await forEach(in: builder.compared, builder.progress, connection) {
      builder.add(reduced($0.row, $0.key), at: $0.key)
      return true
    }
    switch builder.step() {
    case .refine(let refine): return .refine(refine)
    case .send(let ranges):
      try await forEach(in: ranges, builder.progress, connection) { builder.send($0) }
      switch builder.end() {
      case .refine(let refine): return .refine(refine)
      case .delta(let delta):
        let changes = try await deltas.changes(for: delta, header.logged, connection)
        var end: [Statement] = []
        return try await deltas.finish(delta, changes, header.logged, connection, ending: &end)
      }
    }
  }

  /// Passes the objects in some ranges that a device with the progress has to a body, by ascending keys, until the body
  /// returns false.
  private func forEach(
    in ranges: [KeyRange],
    _ progress: ScopeProgress,
    _ connection: Connection,
    _ body: (KeyedRow) -> Bool
  ) async throws {
    var rest = ranges[...]
    while let first = rest.first {
      let next = rest.prefix { $0.entity == first.entity }
      rest = rest.dropFirst(next.count)
      guard let entity = serverLog.entity(first.entity) else { continue }
      let goesOn = try await forEach(of: entity, in: next.map(\.ids), progress, connection, body)
      if !goesOn { return }
    }
  }

  /// Returns false if the body has returned false.
  private func forEach(
    of entity: SyncedEntity,
    in ranges: [ClosedRange<UInt64>],
    _ progress: ScopeProgress,
    _ connection: Connection,
    _ body: (KeyedRow) -> Bool
  ) async throws -> Bool {
    let scopes = progress.elements.map(\.scope).filter { $0.entity == entity.uid }
    var ranges = ranges[...]
    // True while the first range has more objects than a page, so that it is read alone.
    var isDense = false
    while let first = ranges.first {
      let batch = ranges.prefix(isDense ? 1 : Self.rangesAtOnce)
      let page =
        batch.count == 1
        ? ServerRows.page(entity, scopes, first, limit: pageSize, size: .page(pageBytes))
        : ServerRows.page(entity, scopes, in: batch, limit: pageSize, size: .page(pageBytes))
      guard let page else { return true }
      var rows = ServerRows(entity)
      let result = try await connection.run([page])[0]
      let found = try rows.add(result)
      rows.addPairs(try await connection.run(ServerRows.pairStatements(entity, ids: found)))
      for id in found {
        let key = ObjectKey(entity: entity.uid, id: id)
        guard let row = rows.rows[id], progress.contain(row.values, at: key) else { continue }
        if !body(KeyedRow(key: key, row: row)) { return false }
      }
      isDense = found.count == pageSize || found.count < result.count
      guard let last = found.last, isDense else {
        ranges = ranges.dropFirst(batch.count)
        continue
      }
      ranges = ranges.drop { $0.upperBound <= last }
      if let first = ranges.first, first.lowerBound <= last {
        ranges[ranges.startIndex] = last + 1...first.upperBound
      }
    }
    return true
  }
}
