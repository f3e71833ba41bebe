internal import ObjectBoxCluster
package import ObjectBoxSyncProtocol

/// Answers a device's digests, after a reset.
///
/// The first digests are of everything: all objects in the device's scopes are read once, at one
/// snapshot. Later ones are of the ranges that differed; only these are read. The log is read only for
/// the cut that ends the comparison.
package struct ResetReading: Sendable {
  /// The number of ranges in a statement; most have fewer than 40 objects.
  private static let rangesAtOnce = 128

  let hub: Hub
  private let cuts: CutReading
  private let pageSize: Int
  /// The bytes with which a page ends: its objects are in memory together.
  private let pageBytes: Int
  private let limits: ResetBuilder.Limits
  /// Returns a row as the device has it.
  private let reduced: @Sendable (Row, ObjectKey) -> Row

  /// Plans the reading.
  ///
  /// - Parameters:
  ///   - hub: The hub.
  ///   - pageSize: The greatest number of objects that are read at a time.
  ///   - pageBytes: The bytes in values of variable size with which a page ends.
  ///   - limits: Limits of the answers.
  ///   - changes: The limits of the last answer's changes.
  ///   - reduced: Returns a row as the device has it, without what its model lacks.
  package init(
    _ hub: Hub,
    pageSize: Int = 5_000,
    pageBytes: Int = 4 << 20,
    limits: ResetBuilder.Limits = ResetBuilder.Limits(),
    changes: CutReading.ChangeLimits = CutReading.ChangeLimits(),
    reduced: @escaping @Sendable (Row, ObjectKey) -> Row = { row, _ in row }
  ) {
    self.hub = hub
    cuts = CutReading(hub, limits: changes)
    self.pageSize = pageSize
    self.pageBytes = pageBytes
    self.limits = limits
    self.reduced = reduced
  }

  /// Reads the answer: a refinement or, at the end, a cut.
  ///
  /// - Parameters:
  ///   - digests: What the device has.
  ///   - granted: What the user may see, whose links are resolved at the snapshot of the answer.
  /// - Returns: The answer. It is a reset when the log does not go back to the first comparison.
  /// - Throws: As ``CutReading/read(_:granted:)``.
  package func read(
    _ digests: Digests,
    granted: inout Grants
  ) async throws -> CutReading.Answer {
    let want = digests.continued
    return try await hub.transaction(HubHeader.statements(hub, want)) { connection, rows in
      let header = try HubHeader(hub, rows)
      // Without the log, links are resolved anew: a search costs less than all changes at each step.
      let scopes = try await cuts.scopes(
        of: &granted,
        header,
        since: nil,
        [],
        connection
      )
      if let base = want.cursor,
        !header.hasLog(for: want.scopes.restricted(to: scopes), since: base)
      {
        return .reset(digests.ended(in: header.cursor.epoch))
      }
      let start = ResetBuilder.start(
        digests,
        cursor: header.cursor,
        history: try await header.history(for: want.cursor, on: connection),
        granted: scopes,
        record: header.record,
        verdicts: header.verdicts,
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
    _ header: HubHeader,
    _ connection: Connection
  ) async throws -> CutReading.Answer {
    try await forEach(in: builder.compared, builder.marks, connection) {
      builder.add(reduced($0.row, $0.key), at: $0.key)
      return true
    }
    switch builder.step() {
    case .refine(let refine): return .refine(refine)
    case .send(let ranges):
      try await forEach(in: ranges, builder.marks, connection) { builder.send($0) }
      switch builder.end() {
      case .refine(let refine): return .refine(refine)
      case .cut(let cut):
        let changes = try await cuts.changes(for: cut, header.logged, connection)
        var end: [Statement] = []
        return try await cuts.finish(cut, changes, header.logged, connection, ending: &end)
      }
    }
  }

  /// Passes the objects in ranges that a device with the marks has to a body, by ascending keys, until
  /// the body returns false.
  private func forEach(
    in ranges: [KeyRange],
    _ marks: ScopeMarks,
    _ connection: Connection,
    _ body: (KeyedRow) -> Bool
  ) async throws {
    var rest = ranges[...]
    while let first = rest.first {
      let next = rest.prefix { $0.entity == first.entity }
      rest = rest.dropFirst(next.count)
      guard let entity = hub.entity(first.entity) else { continue }
      let goesOn = try await forEach(of: entity, in: next.map(\.ids), marks, connection, body)
      if !goesOn { return }
    }
  }

  /// Returns false if the body has.
  private func forEach(
    of entity: SyncedEntity,
    in ranges: [ClosedRange<UInt64>],
    _ marks: ScopeMarks,
    _ connection: Connection,
    _ body: (KeyedRow) -> Bool
  ) async throws -> Bool {
    let scopes = marks.elements.map(\.scope).filter { $0.entity == entity.uid }
    var ranges = ranges[...]
    // True while the first range has more objects than a page: it is read alone.
    var isDense = false
    while let first = ranges.first {
      let batch = ranges.prefix(isDense ? 1 : Self.rangesAtOnce)
      let page =
        batch.count == 1
        ? HubRows.page(entity, scopes, first, limit: pageSize, size: .page(pageBytes))
        : HubRows.page(entity, scopes, in: batch, limit: pageSize, size: .page(pageBytes))
      guard let page else { return true }
      var rows = HubRows(entity)
      let result = try await connection.run([page])[0]
      let found = try rows.add(result)
      rows.addPairs(try await connection.run(HubRows.pairStatements(entity, ids: found)))
      for id in found {
        let key = ObjectKey(entity: entity.uid, id: id)
        guard let row = rows.rows[id], marks.contain(row.values, at: key) else { continue }
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
