import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

/// Full-text indexes of the server's database.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .serialized)
struct UploadWordsTests {
  /// Returns the words of a label in the database.
  private func words(_ test: TestHub, _ id: UInt64) async throws -> String? {
    let table = try #require(test.cluster.tables.table(named: "Label"))
    let names = try #require(table.texts.first?.columnNames)
    return try await test.sql("SELECT \(names[0])::text FROM @\"Label\" WHERE id = \(id)").first?[0]
  }

  @Test func `a device's texts are in the index with its commit, and texts of SQL soon after`()
    async throws
  {
    let test = try await TestHub(findsNames: true)
    var a = TestDevice(1, test, granted: [Scope(entity: TestHub.label)])
    try a.insert(TestHub.label, 7, [(TestHub.labelName, .bytes(Array("Data race".utf8)))])
    try a.insert(TestHub.label, 8, [])
    try await a.synchronize()
    #expect(a.verdicts == [.accepted, .accepted])
    #expect(try await words(test, 7) == "{data,race}")
    #expect(try await words(test, 8) == nil)
    try a.write { device, _ in
      [
        .update(
          try device.reference(TestHub.label, 7),
          PropertyList([(TestHub.labelName, .bytes(Array("DATA race".utf8)))])
        )
      ]
    }
    try await a.synchronize()
    #expect(try await words(test, 7) == "{data,race}")

    try await test.sql("UPDATE @\"Label\" SET name = 'no race' WHERE id = 7")
    #expect(try await words(test, 7) == nil)
    try await Housekeeping.keepTexts(test.cluster.tables, test.cluster.pool)
    #expect(try await words(test, 7) == "{no,race}")
    try await a.synchronize()
    #expect(a.row(TestHub.label, 7)?.values[TestHub.labelName] == .bytes(Array("no race".utf8)))
  }
}
