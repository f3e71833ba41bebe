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

  @Test func `values that only plain SQL stores are read without a part left out`() async throws {
    let cluster = try await TestServer.cluster()
    let box = cluster.box(for: Everything.self)
    try await box.put(Everything())
    let table = try #require(cluster.tables.table(named: "Everything"))
    for date in ["infinity", "-infinity"] {
      let rows = try await cluster.pool.run([
        Statement(
          "UPDATE \(table.name) SET larges = '{{1,2},{3,4}}', numbers = '[5:6]={7,NULL}', "
            + "texts = '{{a,NULL},{bc,d}}', reals = '{{NULL}}', date = '\(date)'"
        ),
        Statement("SELECT \(table.selection) FROM \(table.name)"),
      ])[1]
      let found = try #require(try await box.get(1))
      #expect(found.larges == [1, 2, 3, 4] && found.numbers == [7] && found.reals == [])
      #expect(found.texts == ["a", "bc", "d"])
      #expect(try await box.query { Everything.texts.containsElement("d") }.count() == 1)
      // A copy compares the record with the row.
      let column = try #require(table.columns.firstIndex { $0.property.name == "date" })
      var bytes: [UInt8] = []
      try RowEncoding(table).row(rows, 0).reading(table) {
        #expect(table.forms[column].append($0, to: &bytes))
      }
      var (stored, copied) = (MovingChecksum(), MovingChecksum())
      stored.add(rows.bytes(0, column), of: table.columns[column])
      bytes.withUnsafeBytes { copied.add($0, of: table.columns[column]) }
      #expect(stored == copied, "\(date)")
    }
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
