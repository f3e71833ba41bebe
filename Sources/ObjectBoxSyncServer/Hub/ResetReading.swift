internal import ObjectBoxCluster
package import ObjectBoxSyncProtocol

/// Reads the cut that answers a device's digests, after a reset.
///
/// Reads all objects in the device's scopes once, at one snapshot, and sends those of the ranges
/// that differ.
package struct ResetReading: Sendable {
  let hub: Hub
  private let pageSize: Int
  /// Returns a row as the device has it.
  private let reduced: @Sendable (Row, ObjectKey) -> Row

  /// Plans the reading.
  ///
  /// - Parameters:
  ///   - hub: The hub.
  ///   - pageSize: The number of objects that are read at a time.
  ///   - reduced: Returns a row as the device has it, without what its model lacks.
  package init(
    _ hub: Hub,
    pageSize: Int = 5_000,
    reduced: @escaping @Sendable (Row, ObjectKey) -> Row = { row, _ in row }
  ) {
    self.hub = hub
    self.pageSize = pageSize
    self.reduced = reduced
  }

  /// Reads the cut.
  ///
  /// - Parameters:
  ///   - digests: What the device has.
  ///   - granted: The scopes that the user may see.
  /// - Returns: The cut, or that the device needs a new identity.
  /// - Throws: As ``CutReading/read(_:granted:)``.
  package func read(_ digests: Digests, granted: [Scope]) async throws -> CutReading.Answer {
    let want = digests.want
    return try await hub.transaction(HubHeader.statements(hub, want)) { connection, rows in
      let header = try HubHeader(hub, rows)
      guard
        var builder = ResetBuilder(
          digests,
          cursor: header.cursor,
          granted: granted,
          record: header.record,
          verdicts: header.verdicts
        )
      else { return .forked(.forked(want.state.device)) }
      for entity in hub.entities {
        try await forEach(entity, builder.marks, 1...HubRows.greatestID, connection) {
          builder.add(reduced($0.row, $0.key), at: $0.key)
        }
      }
      let width = max(digests.ranges.width, 1)
      var sent: [KeyedRow] = []
      for range in builder.differing {
        guard let entity = hub.entity(range.entity) else { continue }
        let (first, isTooGreat) = range.index.multipliedReportingOverflow(by: width)
        guard !isTooGreat, first <= HubRows.greatestID else { continue }
        let last = min(first &+ (width - 1), HubRows.greatestID)
        try await forEach(entity, builder.marks, first...max(first, last), connection) {
          sent.append($0)
        }
      }
      return .cut(builder.finish(sent.sorted { $0.key < $1.key }))
    }
  }

  /// Passes the objects that a device with the marks has to a body.
  private func forEach(
    _ entity: SyncedEntity,
    _ marks: ScopeMarks,
    _ ids: ClosedRange<UInt64>,
    _ connection: Connection,
    _ body: (KeyedRow) -> Void
  ) async throws {
    let scopes = marks.elements.map(\.scope).filter { $0.entity == entity.uid }
    var first = ids.lowerBound
    while first <= ids.upperBound,
      let page = HubRows.page(entity, scopes, first...ids.upperBound, limit: pageSize)
    {
      var rows = HubRows(entity)
      let found = try rows.add(try await connection.run([page])[0])
      rows.addPairs(try await connection.run(HubRows.pairStatements(entity, ids: found)))
      for id in found {
        let key = ObjectKey(entity: entity.uid, id: id)
        guard let row = rows.rows[id], marks.contain(row.values, at: key) else { continue }
        body(KeyedRow(key: key, row: row))
      }
      guard let last = found.last, found.count == pageSize else { return }
      first = last + 1
    }
  }
}
