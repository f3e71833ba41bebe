import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

/// Conversion of objects to a server's rows, and back.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct RowTests {
  @Test func `nulls, extremes and values of any size do not change those of the next row`()
    async throws
  {
    let least = Everything()
    least.flag = false
    least.small = .min
    least.smallUnsigned = 0
    least.short = .min
    least.number = .min
    least.large = .min
    least.double = -.infinity
    least.text = ""
    least.bytes = Data()
    least.texts = []
    let greatest = Everything()
    greatest.small = .max
    greatest.smallUnsigned = .max
    greatest.short = .max
    greatest.shortUnsigned = .max
    greatest.number = .max
    greatest.numberUnsigned = .max
    greatest.large = .max
    greatest.real = .greatestFiniteMagnitude
    // Larger than the buffer of records, before null and other values.
    greatest.text = String(repeating: "ö", count: 5_000)
    greatest.uuid = UUID()
    greatest.larges = [Int64](0..<3_000)
    greatest.texts = (0..<400).map { String(repeating: "x", count: $0) }
    _ = try await stored([Everything(), greatest, Everything(), least, greatest, least])
  }

  /// Stores objects, reads them back in one result, and expects their original records.
  private func stored(_ objects: [Everything]) async throws -> [Everything] {
    let cluster = try await TestServer.cluster()
    let table = try #require(cluster.tables.table(named: "Everything"))
    let puts = PutStatements(try #require(cluster.writing.table(table.schema.identity.id)))
    func rows(_ objects: [Everything]) throws -> [RecordRow] {
      let encoding = RecordEncoding<Everything>(table)
      return try objects.enumerated().map {
        try encoding.row(of: $1, id: UInt64($0 + 1), store: cluster.shape)
      }
    }
    let records = try rows(objects)
    let pending = records.map { PendingRow(row: $0, isNew: true) }
    _ = try await cluster.pool.run(try puts.statements(pending))
    let result = try await cluster.pool.run([
      Statement("SELECT \(table.selection) FROM \(table.name) ORDER BY id")
    ])
    let found = try RowDecoding<Everything>(table, store: cluster.shape).objects(result[0])
    #expect(found.map(\.id.value) == records.map(\.id))
    #expect(try rows(found).map(\.record) == records.map(\.record))
    let encoding = RowEncoding(table)
    for (number, record) in records.enumerated() {
      #expect(try encoding.row(result[0], number).record == record.record)
    }
    return found
  }
}
