internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// Reads the next part of first fills: objects of scopes by ascending IDs.
///
/// A part is limited by its size in bytes, since objects of one entity are small and those of another
/// are large. Its first pages are small. A later one has about the size that is left if its objects are
/// as large as those so far, and a limited number of objects, since they may be larger.
struct FillReading {
  /// The limits of a part.
  struct Limits: Sendable {
    /// About the bytes of a part; it ends with the page that reaches them.
    var bytes = 1 << 20
    /// The greatest number of objects of one scope.
    var objects = Int.max
  }

  private struct Fill {
    let scope: Scope
    let entity: SyncedEntity?
    var after: UInt64
    /// Objects of this part.
    var count = 0
  }

  /// The number of objects in the first pages.
  private static let firstPage = 256
  /// The greatest number of objects in a page.
  private static let longestPage = 2_000
  /// The scopes that are read in one round trip, as long as they are small.
  private static let width = 8

  private let connection: Connection
  private let limits: Limits
  private var fills: [Fill]
  private var page = Self.firstPage
  private var width = Self.width
  private var bytes = 0
  private var count = 0

  /// Begins a part.
  ///
  /// - Parameters:
  ///   - hub: The hub.
  ///   - fills: The scopes that are not complete, with the ID that each has reached.
  ///   - limits: The limits of the part.
  ///   - connection: The connection with the transaction of the cut.
  init(
    _ hub: Hub,
    _ fills: [(scope: Scope, after: UInt64)],
    _ limits: Limits,
    _ connection: Connection
  ) {
    self.connection = connection
    self.limits = limits
    self.fills = fills.map {
      Fill(scope: $0.scope, entity: hub.entity($0.scope.entity), after: $0.after)
    }
  }

  /// Reads the part into a cut.
  ///
  /// - Throws: ``HubError`` `corrupt`; `ClusterError`.
  mutating func read(into builder: inout CutBuilder) async throws {
    while !fills.isEmpty, bytes < limits.bytes { try await readPages(into: &builder) }
  }

  /// Reads a page of each of the next scopes.
  private mutating func readPages(into builder: inout CutBuilder) async throws {
    var batch = Array(fills.prefix(width))
    let pages = batch.map { fill in
      let limit = min(page, limits.objects - fill.count)
      let ids = min(fill.after + 1, HubRows.greatestID)...HubRows.greatestID
      let statement = fill.entity.flatMap { HubRows.page($0, [fill.scope], ids, limit: limit) }
      return (limit: limit, statement: statement)
    }
    var results = try await connection.run(pages.compactMap(\.statement))[...]
    var open: [Fill] = []
    for (index, page) in pages.enumerated() {
      guard let entity = batch[index].entity, page.statement != nil else {
        builder.fill(batch[index].scope, with: [], isLast: true)
        continue
      }
      let rows = try await objects(results.removeFirst(), of: entity)
      let isLast = rows.count < page.limit
      builder.fill(batch[index].scope, with: rows, isLast: isLast)
      guard !isLast, let last = rows.last else { continue }
      // The rest of these scopes is read one after the other.
      width = 1
      batch[index].after = last.key.id
      batch[index].count += rows.count
      if batch[index].count < limits.objects { open.append(batch[index]) }
    }
    fills.replaceSubrange(..<batch.count, with: open)
    let left = max(limits.bytes - bytes, 0) / max(bytes / max(count, 1), 1) / width
    page = max(1, min(left, 4 * max(count, Self.firstPage), Self.longestPage))
  }

  /// Returns the objects of a page with their pairs, and counts them.
  private mutating func objects(
    _ result: ResultRows,
    of entity: SyncedEntity
  ) async throws -> [KeyedRow] {
    let reader = HubRowReader(entity)
    var rows: [KeyedRow] = []
    rows.reserveCapacity(result.count)
    var pairs = HubPairs()
    if !entity.pairs.isEmpty, result.count > 0 {
      let ids = result.ids()
      pairs.add(try await connection.run(HubRows.pairStatements(entity, ids: ids)), of: entity)
    }
    for number in 0..<result.count {
      guard let (id, unrelated) = try reader.object(result, number) else { continue }
      var row = unrelated
      if !entity.pairs.isEmpty { row.pairs = pairs[id] }
      rows.append(KeyedRow(key: ObjectKey(entity: entity.uid, id: id), row: row))
      bytes += reader.size(result, number)
    }
    count += rows.count
    return rows
  }
}
