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

  @Test(
    .tags(.slow),
    .enabled(if: address != nil, reason)
  )
  func `a cluster reads, finds and orders by the values of the rows`() async throws {
    let columns = Columns.all(hasZeros: false)
    var configuration = Cluster.Configuration(Self.address ?? "")
    configuration.schema = "matrix \(UUID().uuidString)"
    let rows = try await Cluster(configuration: configuration).box(for: Row.self)
    try await rows.put(MatrixStore.rows(columns))
    for (number, row) in try await rows.all().enumerated() {
      for column in columns {
        #expect(column.isRead(row, number), "\(column.name), row \(number)")
      }
    }
    for column in columns {
      for condition in column.conditions {
        guard let typed = condition.typed else { continue }
        let found = MatrixStore.numbers(try await rows.query { typed }.build().findIds())
        #expect(found == condition.expected, "\(column.name) \(condition.name)")
      }
      guard let order = column.order, let ordered = column.orderedOfCluster else { continue }
      for flags in Column.orderings {
        let query = try ordered(rows.query(), flags + order.flags).build()
        let found = MatrixStore.numbers(try await query.findIds())
        #expect(found == column.numbers(flags), "\(column.name) \(flags)")
        let some = try await query.findIds(offset: 5, limit: 9)
        #expect(MatrixStore.numbers(some) == Array(found.dropFirst(5).prefix(9)), "\(column.name)")
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
  }
}
