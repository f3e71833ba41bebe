internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// Reads the next part of first fills: objects of scopes by ascending IDs.
///
/// A part is limited by its size in bytes, since objects of one entity are small and those of another
/// are large. Its first pages are small. A later one has about the objects that are left if they are as
/// large as those so far. The database ends a page earlier if its objects are larger.
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
  private static let longestPage = 8_000
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
    // Only the first pages are several.
    let bytesLeft = max(limits.bytes - bytes, 1) / batch.count
    let pages = batch.map { fill in
      let limit = min(page, limits.objects - fill.count)
      let ids = min(fill.after + 1, HubRows.greatestID)...HubRows.greatestID
      let statement = fill.entity.flatMap {
        HubRows.page($0, [fill.scope], ids, limit: limit, bytes: bytesLeft)
      }
      return (limit: limit, statement: statement)
    }
    // Pages are planned for their values: to sort all objects is best for a scope of few without an index.
    let settings = Statement("SET LOCAL enable_seqscan TO DEFAULT")
    var results = try await connection.run([settings] + pages.compactMap(\.statement)).dropFirst()
    var open: [Fill] = []
    for (index, page) in pages.enumerated() {
      guard let entity = batch[index].entity, page.statement != nil else {
        builder.fill(batch[index].scope, with: RowBatch(), isLast: true)
        continue
      }
      let result = results.removeFirst()
      let isFull = Self.total(result) >= bytesLeft
      let rows = try await objects(result, of: entity)
      let isLast = rows.count < page.limit && !isFull
      builder.fill(batch[index].scope, with: rows, isLast: isLast)
      guard !isLast, let last = rows.lastKey else { continue }
      // The rest of these scopes is read one after the other.
      width = 1
      batch[index].after = last.id
      batch[index].count += rows.count
      if batch[index].count < limits.objects { open.append(batch[index]) }
    }
    fills.replaceSubrange(..<batch.count, with: open)
    let left = max(limits.bytes - bytes, 0) / max(bytes / max(count, 1), 1) / width
    page = max(1, min(left, 4 * max(count, Self.firstPage), Self.longestPage))
  }

  /// The bytes that a page would have without a limit of bytes.
  private static func total(_ result: ResultRows) -> Int {
    guard result.count > 0 else { return 0 }
    return result.integer(0, result.columnCount - 1) ?? 0
  }

  /// Returns the objects of a page with their pairs, and counts them.
  private mutating func objects(
    _ result: ResultRows,
    of entity: SyncedEntity
  ) async throws -> RowBatch {
    var reader = HubRowReader(entity)
    var pairs = HubPairs()
    if !entity.pairs.isEmpty, result.count > 0 {
      let ids = result.ids()
      pairs.add(try await connection.run(HubRows.pairStatements(entity, ids: ids)), of: entity)
    }
    var rows = RowBatch()
    try reader.append(result, pairs, to: &rows)
    bytes += rows.byteCount
    count += rows.count
    return rows
  }
}
