internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// Reads the next part of first fills: objects of scopes by ascending IDs.
///
/// A part is limited by its size in bytes, since the sizes of objects differ between entities. Its first pages are
/// small, and end by the sum of their sizes. A later page has about a quarter of a part, if its objects are as large as
/// the previous ones. It ends before an object that is much larger, and then all further pages end by the sum of their
/// sizes. While a page of objects of similar size is written into the part, the database reads the next one.
struct FillReading {
  /// The limits of a part.
  struct Limits: Sendable {
    /// The approximate size of a part in bytes; it ends with the page that reaches this size.
    var bytes = 1 << 20
    /// The greatest number of objects of one scope.
    var objects = Int.max
  }

  private struct Fill {
    let scope: Scope
    let entity: SyncedEntity?
    var after: UInt64
    /// The number of objects in this part.
    var count = 0
  }

  /// The next objects of a scope.
  private struct Page {
    let fill: Fill
    let limit: Int
    /// Nil when no object can be in the scope.
    let statement: Statement?
  }

  /// The objects of a page that are not in the part yet.
  private struct Arrival {
    let scope: Scope
    let entity: SyncedEntity
    let rows: ResultRows
    /// The number of objects of the page; further rows do not belong to it.
    let count: Int
    let isLast: Bool
  }

  /// The sizes of the objects of a part.
  private enum Sizes {
    case unknown
    /// A page had no object that is much larger than the others.
    case even
    case uneven
  }

  /// The number of objects in the first pages.
  private static let firstPage = 256
  /// The greatest number of objects in a page.
  private static let longestPage = 8_000
  /// The least number of pages of a part, unless its objects become larger.
  private static let leastPages = 4
  /// The number of scopes that are read in one round trip, as long as they are small.
  private static let width = 8

  private let connection: Connection
  private let limits: Limits
  private var fills: [Fill]
  /// The greatest number of objects in the next page.
  private var length = Self.firstPage
  private var width = Self.width
  private var sizes = Sizes.unknown
  private var bytes = 0
  private var count = 0
  /// The last objects of the part, all of one scope: pages that follow each other are not copied together.
  private var rows = RowBatch()
  private var scope: Scope?

  /// Creates the reading of a part.
  ///
  /// - Parameters:
  ///   - serverLog: The server log.
  ///   - fills: The incomplete scopes, each with the ID that it has reached.
  ///   - limits: The limits of the part.
  ///   - connection: The connection with the transaction of the delta.
  init(
    _ serverLog: ServerLog,
    _ fills: [(scope: Scope, after: UInt64)],
    _ limits: Limits,
    _ connection: Connection
  ) {
    self.connection = connection
    self.limits = limits
    self.fills = fills.map {
      Fill(scope: $0.scope, entity: serverLog.entity($0.scope.entity), after: $0.after)
    }
  }

  /// Reads the part into a delta.
  ///
  /// - Throws: ``ServerLogError`` `corrupt`; `ClusterError`.
  mutating func read(into builder: inout DeltaBuilder) async throws {
    guard var pages = nextPages() else { return }
    // The plans may scan tables: for a small scope without an index, sorting all objects is best.
    let settings = Statement("SET LOCAL enable_seqscan TO DEFAULT")
    var results = try await connection.run([settings] + pages.compactMap(\.statement)).dropFirst()
    while true {
      let arrivals = take(pages, results, into: &builder)
      let pending = arrivals.reduce(0) { $0 + $1.count }
      let isComplete = arrivals.allSatisfy { $0.entity.pairs.isEmpty }
      // The size of a part is not known before its first objects are counted.
      if isComplete, count > 0, sizes == .even, let next = nextPages(behind: pending) {
        let statements = next.compactMap(\.statement)
        async let following = connection.run(statements)
        for arrival in arrivals { try add(arrival, ServerPairs(), to: &builder) }
        results = try await following[...]
        pages = next
      } else {
        for arrival in arrivals { try add(arrival, try await pairs(of: arrival), to: &builder) }
        guard let next = nextPages() else { return endScope(false, in: &builder) }
        results = try await connection.run(next.compactMap(\.statement))[...]
        pages = next
      }
    }
  }

  /// Plans the next page of each of the next scopes.
  ///
  /// - Parameter pending: The number of objects that have arrived but are not counted yet.
  /// - Returns: The pages; nil when the part is complete.
  private func nextPages(behind pending: Int = 0) -> [Page]? {
    let average = max(bytes / max(count, 1), 1)
    let left = limits.bytes - bytes - pending * average
    guard !fills.isEmpty, left > 0 else { return nil }
    let batch = fills.prefix(width)
    var length = length
    if count > 0 {
      let share = min(left, limits.bytes / Self.leastPages) / batch.count
      length = max(1, min(length, share / average))
    }
    return batch.map { fill in
      let limit = min(length, limits.objects - fill.count)
      let ids = min(fill.after + 1, ServerRows.greatestID)...ServerRows.greatestID
      let size: ServerRows.SizeLimit =
        sizes == .even && batch.count == 1
        ? .object(limits.bytes / limit) : .page(max(1, left / batch.count))
      let statement = fill.entity.flatMap {
        ServerRows.page($0, [fill.scope], ids, limit: limit, size: size)
      }
      return Page(fill: fill, limit: limit, statement: statement)
    }
  }

  /// Processes the results of the next pages.
  ///
  /// - Returns: The pages with objects, without pages of scopes that are complete and have no further objects.
  private mutating func take(
    _ pages: [Page],
    _ results: ArraySlice<ResultRows>,
    into builder: inout DeltaBuilder
  ) -> [Arrival] {
    var results = results
    var arrivals: [Arrival] = []
    var open: [Fill] = []
    var isDelta = false
    for page in pages {
      var fill = page.fill
      guard let entity = fill.entity, page.statement != nil else {
        builder.fill(fill.scope, with: RowBatch(), isLast: true)
        continue
      }
      let rows = results.removeFirst()
      let count = rows.objectCount
      if count < rows.count { isDelta = true }
      let isLast = rows.count < page.limit && count == rows.count
      arrivals.append(
        Arrival(scope: fill.scope, entity: entity, rows: rows, count: count, isLast: isLast)
      )
      guard !isLast else { continue }
      if count > 0 { fill.after = rows.integer(count - 1, 0) ?? fill.after }
      fill.count += count
      if fill.count < limits.objects { open.append(fill) }
    }
    fills.replaceSubrange(..<pages.count, with: open)
    if isDelta {
      if sizes == .even, pages.count == 1 { sizes = .uneven }
    } else if !open.isEmpty {
      length = min(4 * (pages.map(\.limit).max() ?? 1), Self.longestPage)
      if sizes == .unknown { sizes = .even }
    }
    // The remaining objects of these scopes are read one scope after the other.
    if !open.isEmpty { width = 1 }
    return arrivals
  }

  /// Reads the pairs of the objects of a page.
  private func pairs(of arrival: Arrival) async throws -> ServerPairs {
    var pairs = ServerPairs()
    guard !arrival.entity.pairs.isEmpty, arrival.count > 0 else { return pairs }
    let ids = Array(arrival.rows.ids().prefix(arrival.count))
    let statements = ServerRows.pairStatements(arrival.entity, ids: ids)
    pairs.add(try await connection.run(statements), of: arrival.entity)
    return pairs
  }

  /// Adds the objects of a page to the part, and counts them.
  private mutating func add(
    _ arrival: Arrival,
    _ pairs: ServerPairs,
    to builder: inout DeltaBuilder
  ) throws {
    if scope != arrival.scope {
      endScope(false, in: &builder)
      scope = arrival.scope
    }
    var reader = ServerRowReader(arrival.entity)
    bytes -= rows.byteCount
    try reader.append(arrival.rows, 0..<arrival.count, pairs, to: &rows)
    bytes += rows.byteCount
    count += arrival.count
    if arrival.isLast { endScope(true, in: &builder) }
  }

  /// Passes the remaining objects to the delta.
  private mutating func endScope(_ isComplete: Bool, in builder: inout DeltaBuilder) {
    guard let scope else { return }
    builder.fill(scope, with: rows, isLast: isComplete)
    rows = RowBatch()
    self.scope = nil
  }
}
