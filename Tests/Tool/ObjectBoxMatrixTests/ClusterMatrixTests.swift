import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxTestSupport
import Testing

/// The same properties, values and expectations on a cluster.
struct ClusterMatrixTests {
  static let address = ProcessInfo.processInfo.environment["OBJECTBOX_TEST_POSTGRES"]
  static let reason: Comment =
    "set OBJECTBOX_TEST_POSTGRES to the address of a server, or run the tests by 'Scripts/postgres.sh run'"

  static func configuration(_ name: String) -> Cluster.Configuration {
    var configuration = Cluster.Configuration(address ?? "")
    configuration.schema = "\(name) \(UUID().uuidString)"
    return configuration
  }

  @Test(.tags(.slow), .enabled(if: address != nil, reason))
  func `a cluster reads, finds and orders by the values of the rows`() async throws {
    let columns = Columns<Row>.all(hasZeros: false)
    let cluster = try await Cluster(configuration: Self.configuration("matrix"))
    let rows = cluster.box(for: Row.self)
    try await expectReads(rows, columns)
    for column in columns {
      for condition in column.conditions {
        guard let typed = condition.typed else { continue }
        let found = Matrix.numbers(try await rows.query { typed }.build().findIds())
        #expect(found == condition.expected, "\(column.name) \(condition.name)")
      }
      guard let order = column.order, let ordered = column.orderedOfCluster else { continue }
      for flags in Matrix.orderings {
        let query = try ordered(rows.query(), flags + order.flags).build()
        let found = Matrix.numbers(try await query.findIds())
        #expect(found == column.numbers(flags), "\(column.name) \(flags)")
        let some = try await query.findIds(offset: 5, limit: 9)
        #expect(Matrix.numbers(some) == Array(found.dropFirst(5).prefix(9)), "\(column.name)")
        var paged: [Int] = []
        var cursor: PageCursor?
        repeat {
          let page = try await query.find(after: cursor, limit: 17)
          paged += page.objects.map { Int($0.id) - 1 }
          cursor = page.next
        } while cursor != nil
        #expect(paged == found, "\(column.name) \(flags) in pages")
      }
    }
    await cluster.close()
  }

  @Test(.tags(.slow), .enabled(if: address != nil, reason))
  func `property queries, groups and related aggregates have the values`() async throws {
    let columns = Columns<Row>.all(hasZeros: false)
    let (cluster, rows, holders) = try await clusterWithHolders(columns)
    for column in columns {
      for check in column.checks {
        do { try await check.onCluster?(rows) } catch {
          Issue.record("\(column.name), \(check.name): \(error)")
        }
      }
      try await expectMatches(column.related, column, holders)
    }
    await cluster.close()
  }

  @Test(.tags(.slow), .enabled(if: address != nil, reason))
  func `links match the holders of matching rows, in both directions`() async throws {
    let columns = Columns<Row>.all(hasZeros: false)
    let (cluster, _, holders) = try await clusterWithHolders(columns)
    for (place, column) in columns.enumerated() {
      let links = column.conditions.enumerated().flatMap { number, condition in
        // Each condition by one link, and by another one in the next column.
        let one = condition.links.dropFirst((place + number) % 3).prefix(1)
        return TestLength.choose(short: Array(one), long: condition.links)
      }
      try await expectMatches(links, column, holders)
    }
    await cluster.close()
  }

  private func clusterWithHolders(
    _ columns: [Column<Row>]
  ) async throws -> (Cluster, ClusterBox<Row>, ClusterBox<Holder>) {
    let cluster = try await Cluster(configuration: Self.configuration("matrix"))
    let (rows, holders) = (cluster.box(for: Row.self), cluster.box(for: Holder.self))
    let all = MatrixStore<Row>.rows(columns)
    try await rows.put(all)
    try await holders.put(Holder.all(with: all))
    try await rows.put(all)
    return (cluster, rows, holders)
  }

  private func expectMatches(
    _ conditions: [Column<Row>.Related],
    _ column: Column<Row>,
    _ holders: ClusterBox<Holder>
  ) async throws {
    for related in conditions {
      let found = try await holders.query { related.condition }.build().findIds()
      #expect(Matrix.numbers(found) == related.matching(), "\(column.name): \(related.name)")
    }
  }

  @Test(.enabled(if: address != nil, reason))
  func `structs are read from a cluster as they were put, new and again`() async throws {
    let cluster = try await Cluster(configuration: Self.configuration("matrix"))
    let rows = cluster.box(for: RowValue.self)
    try await expectReads(rows, Columns<RowValue>.all(hasZeros: false))
    await cluster.close()
  }

  /// Puts the rows with the values of later ones, then with their own, and reads them.
  private func expectReads<E>(_ box: ClusterBox<E>, _ columns: [Column<E>]) async throws {
    var rows = MatrixStore.rows(columns)
    for step in [1, 0] {
      for number in rows.indices {
        for column in columns { column.fill(&rows[number], (number + step) % Matrix.count) }
      }
      try await box.put(&rows)
      let read = try await box.all()
      try #require(read.count == Matrix.count)
      for column in columns {
        for (number, row) in read.enumerated() {
          #expect(
            column.isRead(row, (number + step) % Matrix.count),
            "\(column.name), row \(number)"
          )
        }
      }
    }
  }
}
