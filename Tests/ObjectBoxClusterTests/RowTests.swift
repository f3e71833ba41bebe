import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct RowTests {
  @Test func everyTypeComesBackAsItWas() async throws {
    let cluster = try await TestServer.cluster()
    let table = try #require(cluster.tables.table(named: "Everything"))
    let object = Everything()
    object.flag = true
    object.small = -3
    object.smallUnsigned = 250
    object.shortUnsigned = 65_000
    object.numberUnsigned = 4_000_000_000
    object.largeUnsigned = .max
    object.real = 1.5
    object.double = .infinity
    object.text = "Größe\n'\\"
    object.bytes = Data([0, 1, 255])
    object.date = Date(timeIntervalSince1970: -1.001)
    object.exactDate = Date(timeIntervalSince1970: 12.5)
    object.uuid = UUID()
    object.link = URL(string: "https://example.org/a?b")
    object.price = Decimal(string: "-12.50")
    object.numbers = [1, -2]
    object.larges = []
    object.reals = [0.5, .nan]
    object.texts = ["", "a"]
    let row = try RecordEncoding<Everything>(table).row(of: object, id: 7, store: cluster.shape)
    let puts = PutStatements(try #require(cluster.writing.table(table.schema.identity.id)))
    _ = try await cluster.pool.run(try puts.statements([PendingRow(row: row, isNew: true)]))
    let rows = try await cluster.pool.run([
      Statement("SELECT \(table.selection) FROM \(table.name)")
    ])
    let found = try RowDecoding<Everything>(table, store: cluster.shape).objects(rows[0])
    #expect(found.count == 1)
    let back = try #require(found.first)
    let again = try RecordEncoding<Everything>(table).row(of: back, id: 7, store: cluster.shape)
    #expect(again.record == row.record)
    #expect(back.id == 7)
    #expect(back.smallUnsigned == 250)
    #expect(back.largeUnsigned == .max)
    #expect(back.short == nil)
    #expect(back.price == object.price)
  }
}
