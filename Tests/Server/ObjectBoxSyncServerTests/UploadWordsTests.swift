import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

/// Full-text indexes of the server's database.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .serialized)
struct UploadWordsTests {
  /// The column with the words of labels' names.
  private func column(_ test: TestServerLog) throws -> String {
    let table = try #require(test.cluster.tables.table(named: "Label"))
    return try #require(table.texts.first?.columnNames.first)
  }

  /// Returns the words of a label in the database.
  private func words(_ test: TestServerLog, _ id: UInt64) async throws -> String? {
    try await test.sql("SELECT \(column(test))::text FROM @\"Label\" WHERE id = \(id)").first?[0]
  }

  @Test func `a device's texts are in the index with its commit, and texts of SQL soon after`()
    async throws
  {
    let test = try await TestServerLog(findsNames: true)
    var a = TestDevice(1, test, granted: [Scope(entity: TestServerLog.label)])
    try a.insert(
      TestServerLog.label,
      7,
      [(TestServerLog.labelName, .bytes(Array("Data race".utf8)))]
    )
    try a.insert(TestServerLog.label, 8, [])
    try await a.synchronize()
    #expect(a.decisions == [.accepted, .accepted])
    #expect(try await words(test, 7) == "{data,race}")
    #expect(try await words(test, 8) == nil)
    try a.write { device, _ in
      [
        .update(
          try device.reference(TestServerLog.label, 7),
          PropertyList([(TestServerLog.labelName, .bytes(Array("DATA race".utf8)))])
        )
      ]
    }
    try await a.synchronize()
    #expect(try await words(test, 7) == "{data,race}")

    // In one statement: on a busy machine the background work can come before a second one.
    #expect(
      try await test.sql(
        "UPDATE @\"Label\" SET name = 'no race' WHERE id = 7 RETURNING \(column(test))::text"
      ) == [[nil]]
    )
    try await Housekeeping.keepTexts(test.cluster.tables, test.cluster.pool)
    #expect(try await words(test, 7) == "{no,race}")
    try await a.synchronize()
    #expect(
      a.row(TestServerLog.label, 7)?.values[TestServerLog.labelName]
        == .bytes(Array("no race".utf8))
    )
  }
  private func fill(_ test: TestServerLog) async throws {
    try await Housekeeping.keepTexts(test.cluster.tables, test.cluster.pool)
  }

  @Test func `texts that are split afterwards are no changes for devices`() async throws {
    let test = try await TestServerLog(findsNames: true)
    try await test.sql(
      "INSERT INTO @\"Label\" (id, name) SELECT i, 'label ' || i FROM generate_series(1, 500) AS i"
    )
    #expect(try await test.takeLog().count == 500)
    try await fill(test)
    #expect(try await words(test, 500) == "{label,500}")
    #expect(try await test.takeLog() == [])
    // A change that says it is a filling is a change.
    try await test.sql("UPDATE @\"Label\" SET name = 'x' WHERE id = 1")
    #expect(try await test.takeLog().count == 1)
    _ = try await test.connection.run(
      [
        "BEGIN", "SET LOCAL objectbox.fills_words = on",
        "UPDATE @\"Label\" SET name = 'y' WHERE id < 3", "COMMIT",
      ].map { Statement(once: test.complete($0)) }
    )
    #expect(try await test.takeLog().count == 2)
    try await fill(test)
    #expect(try await words(test, 2) == "{y}")
    #expect(try await test.takeLog() == [])
  }
}
