import Foundation
import ObjectBoxTestSupport
import Testing

@testable import ObjectBox
@testable import ObjectBoxCluster

/// Random queries on random data, compared between both stores.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct RandomQueryTests {
  /// The number of queries; 10,000 take about two minutes.
  private static let count =
    ProcessInfo.processInfo.environment["OBJECTBOX_RANDOM_QUERIES"].flatMap { Int($0) } ?? 1_000
  private static let queriesOfData = 1_000
  private static let ownerCount = 25

  @Test(.tags(.slow))
  func `random queries have the same results in both stores, in the same order`() async throws {
    var sums = Sums()
    for seed in 0..<max(1, Self.count / Self.queriesOfData) {
      let count = min(Self.count, Self.queriesOfData)
      try await compare(seed: seed, count: count, &sums)
    }
    print("\(sums)")
    #expect(sums.withResults > sums.queries / 3)
  }

  private struct Sums: CustomStringConvertible {
    var queries = 0
    var withResults = 0
    var refused = 0
    var aggregates = 0

    var description: String {
      "\(queries) random queries, \(withResults) of them with results and \(refused) refused, "
        + "and \(aggregates) values of property queries"
    }
  }

  private func compare(seed: Int, count: Int, _ sums: inout Sums) async throws {
    let stores = try await QueryStores()
    var random = RandomQueries(seed: seed, stores.cluster.tables.model)
    try await fill(stores, &random)
    for number in 0..<count {
      sums.queries += 1
      if number % 3 == 0 {
        let entity = random.entity("QueryOwner")
        try await compare(QueryOwner.self, random.selection(entity), stores, &random, &sums)
      } else {
        let selection = random.selection(random.entity("QueryRow"))
        try await compare(QueryRow.self, selection, stores, &random, &sums)
        if number % 4 == 0 { try await compareValues(selection, stores, &random, &sums) }
      }
    }
  }

  private func fill(_ stores: QueryStores, _ random: inout RandomQueries) async throws {
    let owners = (0..<Self.ownerCount).map { _ in random.owner() }
    let box = stores.embedded.box(for: QueryOwner.self)
    // Relations among owners are put before all owners are copied.
    try box.put(owners)
    for owner in owners {
      if !random.chance(3) { owner.superior.targetId = EntityId(random.pick(owners).id) }
      for friend in owners where random.chance(12) { owner.friends.append(friend) }
    }
    try await stores.put(owners)
    try await stores.copyFriends()
    try await stores.put((0..<300).map { _ in random.row(owners: Self.ownerCount) })
  }

  private func compare<E>(
    _ type: E.Type,
    _ selection: Selection,
    _ stores: QueryStores,
    _ random: inout RandomQueries,
    _ sums: inout Sums
  ) async throws
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    let query = TestedQuery<E>(selection)
    let offset = random.pick([0, 0, 3])
    let limit = random.pick([0, 0, 5])
    let place = (stores.embeddedQueries, stores.clusterQueries)
    do {
      let expected = try await place.0.ids(query, offset: offset, limit: limit)
      let found = try await place.1.ids(query, offset: offset, limit: limit)
      let text = "\(ClusterQueries(cluster: stores.cluster)) \(selection)"
      #expect(found == expected, "\(text)")
      let counts = (try await place.0.count(query), try await place.1.count(query))
      #expect(counts.0 == counts.1, "\(text)")
      let isPaged = selection.orders.allSatisfy { $0.path.isEmpty }
      if isPaged, random.chance(6) { try await comparePages(query, place, counts.0, &random) }
      if !expected.isEmpty { sums.withResults += 1 }
    } catch {
      let kinds = (
        await kindThrown { _ = try await place.0.count(query) },
        await kindThrown { _ = try await place.1.count(query) }
      )
      #expect(kinds.0 != nil && kinds.0 == kinds.1, "\(error) \(selection)")
      sums.refused += 1
    }
  }

  /// Compares the pages of both stores, which continue each other's, with one search.
  private func comparePages<E>(
    _ query: TestedQuery<E>,
    _ place: (any QueryStore, any QueryStore),
    _ count: Int,
    _ random: inout RandomQueries
  ) async throws {
    let expected = try await place.0.ids(query, offset: 0, limit: 0)
    let limit = random.pick([1, 3, 20, 100])
    let least = (
      try await place.0.count(query, limit: limit), try await place.1.count(query, limit: limit)
    )
    #expect(least.0 == min(limit, count) && least.1 == min(limit, count))
    var ids: [UInt64] = []
    var cursor: PageCursor?
    var pages = 0
    repeat {
      let isCluster = random.chance(3)
      let page = try await (isCluster ? place.1 : place.0).page(query, after: cursor, limit: limit)
      ids += page.objects.map { E.entityBinding.entityId(of: $0) }
      cursor = page.next
      pages += 1
    } while cursor != nil && pages < 30
    #expect(ids == Array(expected.prefix(30 * limit)), "\(query.selection)")
  }

  // MARK: Updates

  @Test func `random updates change the same objects in both stores to the same values`()
    async throws
  {
    let stores = try await QueryStores()
    var random = RandomQueries(seed: 77, stores.cluster.tables.model)
    try await fill(stores, &random)
    let table = try #require(
      stores.cluster.tables.table(entity: QueryRow.entityInfo.entitySchemaId)
    )
    let encoding = RecordEncoding<QueryRow>(table)
    func records(_ queries: any QueryStore) async throws -> [[UInt8]] {
      try await queries.objects(TestedQuery<QueryRow>(nil)).map {
        try encoding.row(of: $0, id: $0.id, store: stores.cluster.shape).record
      }
    }
    let place = (stores.embeddedQueries, stores.clusterQueries)
    var changed: UInt64 = 0
    for number in 0..<120 {
      let query = TestedQuery<QueryRow>(random.selection(random.entity("QueryRow")))
      let values = random.row(owners: Self.ownerCount)
      let mask = Int.random(in: 0..<(1 << 12), using: &random.random)
      guard let count = try? await place.0.update(query, { Self.set(values, mask, &$0) }) else {
        let kind = await kindThrown {
          _ = try await place.1.update(query) { Self.set(values, mask, &$0) }
        }
        #expect(kind != nil)
        continue
      }
      #expect(try await place.1.update(query) { Self.set(values, mask, &$0) } == count)
      changed += count
      if number % 10 == 9 { #expect(try await records(place.0) == records(place.1)) }
    }
    #expect(try await records(place.0) == records(place.1))
    #expect(changed > 100)
  }

  /// Sets the properties that a mask selects to the values of a row.
  private static func set(_ row: QueryRow, _ mask: Int, _ update: inout ObjectUpdate<QueryRow>) {
    if mask & 1 != 0 { update.set(QueryRow.flag, to: row.flag) }
    if mask & 2 != 0 { update.set(QueryRow.tinyUnsigned, to: row.tinyUnsigned) }
    if mask & 4 != 0 { update.set(QueryRow.plainNumber, to: row.plainNumber) }
    if mask & 8 != 0 { update.set(QueryRow.largeUnsigned, to: row.largeUnsigned) }
    if mask & 16 != 0 { update.set(QueryRow.double, to: row.double) }
    if mask & 32 != 0 { update.set(QueryRow.text, to: row.text) }
    if mask & 64 != 0 { update.set(QueryRow.bytes, to: row.bytes) }
    if mask & 128 != 0 {
      update.set(QueryRow.date, to: row.date)
      update.set(QueryRow.exactDate, to: row.exactDate)
    }
    if mask & 256 != 0 {
      update.set(QueryRow.uuid, to: row.uuid)
      update.set(QueryRow.link, to: row.link)
    }
    if mask & 512 != 0 { update.set(QueryRow.price, to: row.price) }
    if mask & 1024 != 0 {
      update.set(QueryRow.numbers, to: row.numbers)
      update.set(QueryRow.texts, to: row.texts)
    }
    if mask & 2048 != 0 { update.set(QueryRow.owner, to: row.owner.targetId) }
  }

  // MARK: Values

  private func compareValues(
    _ selection: Selection,
    _ stores: QueryStores,
    _ random: inout RandomQueries,
    _ sums: inout Sums
  ) async throws {
    let embedded = stores.embedded.box(for: QueryRow.self)
    let isDistinct = random.chance(3)
    let cluster = try? ClusterQueries(cluster: stores.cluster).query(
      TestedQuery<QueryRow>(selection)
    )
    guard let cluster, let query = try? Query(checking: selection, in: embedded) else { return }
    let values = ComparedValues(embedded: query, cluster: cluster, isDistinct: isDistinct)
    let pairs = try await values.pairs(random.pick(Array(0..<ComparedValues.kinds)))
    for (name, expected, found) in pairs {
      sums.aggregates += 1
      #expect(found == expected, "\(name) \(isDistinct ? "distinct " : "")\(selection)")
    }
  }
}

/// The values and aggregates of one query in both stores.
private struct ComparedValues {
  static let kinds = 14

  let embedded: Query<QueryRow>
  let cluster: ClusterQuery<QueryRow>
  let isDistinct: Bool

  typealias Pair = (name: String, expected: String, found: String)

  /// Returns pairs of values of one kind of property.
  func pairs(_ kind: Int) async throws -> [Pair] {
    switch kind {
    case 0: try await integers(QueryRow.tiny)
    case 1: try await integers(QueryRow.tinyUnsigned)
    case 2: try await integers(QueryRow.numberUnsigned)
    case 3: try await integers(QueryRow.large)
    case 4: try await integers(QueryRow.largeUnsigned)
    case 5: try await doubles(QueryRow.double)
    case 6: try await doubles(QueryRow.real)
    case 7: try await texts()
    case 8: try await decimals()
    case 9: try await dates()
    case 10: try await integers(QueryRow.plainTiny)
    case 11: try await integers(QueryRow.plainNumber)
    case 12: try await integers(QueryRow.plainLarge)
    default: try await counts()
    }
  }

  private func words(_ value: () async throws -> Any) async -> String {
    do {
      let value = try await value()
      // The sign of zero and of NaN may differ in the server's aggregates.
      if let double = value as? Double { return double.isNaN ? "nan" : "\(double + 0)" }
      if let float = value as? Float { return float.isNaN ? "nan" : "\(float + 0)" }
      return "\(value)"
    } catch { return "\(error)" }
  }

  private func pair(
    _ name: String,
    _ expected: () async throws -> Any,
    _ found: () async throws -> Any
  ) async -> Pair {
    (name, await words(expected), await words(found))
  }

  private func properties<T>(
    _ property: Property<QueryRow, T?, Void>
  ) throws -> (PropertyQuery<QueryRow, T>, ClusterPropertyQuery<QueryRow, T>) {
    try properties(Property<QueryRow, T, Void>(propertyId: property.propertyId))
  }

  private func properties<T>(
    _ property: Property<QueryRow, T, Void>
  ) throws -> (PropertyQuery<QueryRow, T>, ClusterPropertyQuery<QueryRow, T>) {
    let values: PropertyQuery<QueryRow, T> = embedded.property(property)
    let others: ClusterPropertyQuery<QueryRow, T> = cluster.property(property)
    return isDistinct ? (try values.distinct(), others.distinct()) : (values, others)
  }

  private func integers<T: FixedWidthInteger>(
    _ property: Property<QueryRow, T?, Void>
  ) async throws -> [Pair] {
    try await integers(Property<QueryRow, T, Void>(propertyId: property.propertyId))
  }

  private func integers<T: FixedWidthInteger>(
    _ property: Property<QueryRow, T, Void>
  ) async throws -> [Pair] {
    let (a, b) = try properties(property)
    return [
      await pair("sum", { try a.sum() }, { try await b.sum() }),
      await pair("sumUnsigned", { try a.sumUnsigned() }, { try await b.sumUnsigned() }),
      await pair("min", { try a.min() }, { try await b.min() }),
      await pair("max", { try a.max() }, { try await b.max() }),
      await pair("average", { try a.average() }, { try await b.average() }),
      await pair("averageInt", { try a.averageInt() }, { try await b.averageInt() }),
      await pair("count", { try a.count() }, { try await b.count() }),
      await pair("find", { try a.find() }, { try await b.find() }),
      await pair("findUnique", { try a.findUnique() as Any }, { try await b.findUnique() as Any }),
    ]
  }

  private func doubles<T: BinaryFloatingPoint>(
    _ property: Property<QueryRow, T?, Void>
  ) async throws -> [Pair] {
    let (a, b) = try properties(property)
    return [
      await pair("sum", { try a.sum() }, { try await b.sum() }),
      await pair("min", { try a.min() }, { try await b.min() }),
      await pair("max", { try a.max() }, { try await b.max() }),
      await pair("average", { try a.average() }, { try await b.average() }),
      await pair("count", { try a.count() }, { try await b.count() }),
    ]
  }

  private func texts() async throws -> [Pair] {
    let (a, b) = try properties(QueryRow.text)
    let c: PropertyQuery<QueryRow, String> = embedded.property(QueryRow.text)
    let d: ClusterPropertyQuery<QueryRow, String> = cluster.property(QueryRow.text)
    _ = try c.distinct(caseSensitiveCompare: false)
    let folded = d.distinct(caseSensitiveCompare: false)
    let e: PropertyQuery<QueryRow, String?> = embedded.property(QueryRow.text)
    let f: ClusterPropertyQuery<QueryRow, String?> = cluster.property(QueryRow.text)
    e.with(nullString: "Ä")
    let named = f.with(nullString: "Ä").distinct(caseSensitiveCompare: false)
    _ = try e.distinct(caseSensitiveCompare: false)
    return [
      await pair("findStrings", { try a.findStrings() }, { try await b.findStrings() }),
      await pair("findString", { try a.findString() as Any }, { try await b.findString() as Any }),
      await pair("count", { try a.count() }, { try await b.count() }),
      await pair("folded", { try c.findStrings() }, { try await folded.findStrings() }),
      await pair("named", { try e.findStrings() }, { try await named.findStrings() }),
    ]
  }

  private func decimals() async throws -> [Pair] {
    let (a, b) = try properties(QueryRow.price)
    return [
      await pair("sum", { try a.sum() }, { try await b.sum() }),
      await pair("min", { try a.min() }, { try await b.min() }),
      await pair("max", { try a.max() }, { try await b.max() }),
      await pair("average", { try a.average() }, { try await b.average() }),
      await pair("find", { try a.find() }, { try await b.find() }),
      await pair("count", { try a.count() }, { try await b.count() }),
    ]
  }

  private func dates() async throws -> [Pair] {
    func pairs(
      _ a: PropertyQuery<QueryRow, Int64>,
      _ b: ClusterPropertyQuery<QueryRow, Int64>
    ) async -> [Pair] {
      [
        await pair("find", { try a.find() }, { try await b.find() }),
        await pair("min", { try a.min() }, { try await b.min() }),
        await pair("sum", { try a.sum() }, { try await b.sum() }),
      ]
    }
    let dates = await pairs(
      embedded.propertyInt64(QueryRow.date),
      cluster.propertyInt64(QueryRow.date)
    )
    return dates
      + (await pairs(
        embedded.propertyInt64(QueryRow.exactDate),
        cluster.propertyInt64(QueryRow.exactDate)
      ))
  }

  private func counts() async throws -> [Pair] {
    let (uuids, otherUUIDs) = try properties(QueryRow.uuid)
    let (links, otherLinks) = try properties(QueryRow.link)
    let (flags, otherFlags) = try properties(QueryRow.flag)
    let (bytes, otherBytes) = try properties(QueryRow.bytes)
    return [
      await pair("UUIDs", { try uuids.find() }, { try await otherUUIDs.find() }),
      await pair(
        "UUID",
        { try uuids.findUUID() as Any },
        { try await otherUUIDs.findUUID() as Any }
      ),
      await pair("links", { try links.find() }, { try await otherLinks.find() }),
      await pair("flags", { try flags.count() }, { try await otherFlags.count() }),
      await pair("bytes", { try bytes.count() }, { try await otherBytes.count() }),
    ]
  }
}
