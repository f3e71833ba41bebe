import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

/// Puts with enough new objects for COPY.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct BulkPutTests {
  private static let count = PutStatements.copiedRows + 100

  /// Returns objects in which each property is null, zero, or another value.
  private static func everything() -> [Everything] {
    (0..<count).map { index in
      let object = Everything()
      func value<T>(_ number: Int, _ zero: T, _ other: @autoclosure () -> T) -> T? {
        switch (index + number) % 3 {
        case 0: nil
        case 1: zero
        default: other()
        }
      }
      object.flag = value(0, false, true)
      object.small = value(1, 0, Int8(truncatingIfNeeded: index))
      object.smallUnsigned = value(2, 0, UInt8(truncatingIfNeeded: index))
      object.short = value(3, 0, Int16(truncatingIfNeeded: index &* 31))
      object.shortUnsigned = value(4, 0, UInt16(truncatingIfNeeded: index &* 77))
      object.number = value(5, .min, Int32(truncatingIfNeeded: index &* 7_919_777))
      object.numberUnsigned = value(6, .max, UInt32(truncatingIfNeeded: index &* 7_919_777))
      object.large = value(7, .min, index &* 7_919_777_771)
      object.largeUnsigned = value(8, .max, UInt64(index))
      object.real = value(9, -0.0, Float(index) / 3)
      object.double = value(10, .nan, Double(index) / 7)
      object.text = value(11, "", "Straße\t\\N'\"{\(index)}")
      object.bytes = value(12, Data(), Data([0, 255, UInt8(truncatingIfNeeded: index)]))
      object.date = value(
        13,
        Date(timeIntervalSince1970: 0),
        Date(timeIntervalSince1970: -Double(index))
      )
      object.exactDate = value(14, Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 0.5))
      object.uuid = value(15, UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), UUID())
      object.link = URL(string: "https://example.org/\(index)")
      object.price = value(16, 0, Decimal(string: "-\(index)000.0\(index)")) ?? nil
      object.numbers = value(17, [], [1, -2, Int32(index)])
      object.larges = value(18, [], [.min, Int64(index)])
      object.reals = value(19, [], [0.5, .nan])
      object.texts = value(20, [], ["", "a,b", "{\"x\"}", "Ä\(index)"])
      return object
    }
  }

  @Test func `copied objects come back as they were`() async throws {
    let cluster = try await TestServer.cluster()
    let box = cluster.box(for: Everything.self)
    let all = Self.everything()
    try await box.put(all)
    #expect(all.map(\.id) == (1...Id(Self.count)).map { $0 })
    let table = try #require(cluster.tables.table(named: "Everything"))
    let encoding = RecordEncoding<Everything>(table)
    func records(_ objects: [Everything]) throws -> [[UInt8]] {
      try objects.map { try encoding.row(of: $0, id: $0.id.value, store: cluster.shape).record }
    }
    #expect(try await records(box.all()) == records(all))
    // Compares with rows written by arrays, including folded texts.
    let few = Array(all.prefix(60))
    for object in few { object.id = 0 }
    try await box.put(few)
    let texts = "SELECT \"text~\", \"texts~\"::text, price::text FROM \(table.name) WHERE id"
    let rows = try await cluster.pool.run([
      Statement("\(texts) <= 60 ORDER BY id"), Statement("\(texts) > \(Self.count) ORDER BY id"),
    ])
    for row in 0..<60 {
      for column in 0..<3 { #expect(rows[0].text(row, column) == rows[1].text(row, column)) }
    }
  }

  @Test func `a put that refuses an object in its middle leaves rows and IDs as before`()
    async throws
  {
    func object(_ text: String) -> Everything {
      let object = Everything()
      object.text = text
      return object
    }
    let cluster = try await TestServer.cluster()
    let kept = object("kept")
    let later = [object("later"), object("last")]
    try await cluster.write { transaction in
      try await transaction.put(kept)
      let refused = [object("new"), kept, object("with \u{0}"), object("not reached")]
      kept.text = "changed"
      await #expect(throws: ObjectBoxError.self) { try await transaction.put(refused) }
      #expect(refused.map(\.id) == [0, kept.id, 0, 0])
      kept.text = "put again"
      // A new object, a stored one, and the new one again, which has its ID by then.
      try await transaction.put([later[0], kept, later[0], later[1]])
    }
    #expect([kept.id] + later.map(\.id) == [1, 2, 3])
    let stored = try await cluster.box(for: Everything.self).all()
    #expect(stored.map(\.text) == ["put again", "later", "last"])
  }

  private func people(_ count: Int = count) -> [Person] {
    (0..<count).map { Person(name: "P\($0)", age: $0, email: "\($0)") }
  }

  @Test func `a violation in copied objects names property and value, and nothing is stored`()
    async throws
  {
    let box = try await TestServer.cluster().box(for: Person.self)
    try await box.put(Person(name: "first", email: "77"))
    let all = people()
    await #expect {
      try await box.put(all)
    } throws: { error in
      guard case ObjectBoxError.uniqueViolation(let message) = error else { return false }
      return message.contains(
        "'Person.email' would be violated: the object with ID 1 already holds '77'"
      )
    }
    #expect(all.allSatisfy { $0.id == 0 })
    #expect(try await box.count() == 1)
    all[77].email = nil
    try await box.put(all)
    #expect(try await box.count() == 1 + all.count)
  }

  @Test func `a transaction sees its copied objects, and takes them back`() async throws {
    struct Stop: Error {}
    let cluster = try await TestServer.cluster()
    let all = people()
    await #expect(throws: Stop.self) {
      try await cluster.write { transaction in
        try await transaction.put(Person(name: "before"))
        try await transaction.put(all)
        #expect(try await transaction.box(for: Person.self).count() == all.count + 1)
        throw Stop()
      }
    }
    #expect(all.allSatisfy { $0.id == 0 })
    try await cluster.write { transaction in
      try await transaction.savepoint { try await transaction.put(all) }
      all[0].name = "changed"
      try await transaction.put(all[0])
    }
    let box = cluster.box(for: Person.self)
    #expect(try await box.count() == all.count)
    #expect(try await box.get(all[0].id)?.name == "changed")
  }

  @Test func `many objects take four round trips`() async throws {
    let cluster = try await TestServer.cluster()
    cluster.changes.close()
    let before = cluster.pool.roundTrips
    try await cluster.box(for: Person.self).put(people())
    #expect(cluster.pool.roundTrips - before == 4)
  }

  @Test func `observers see the IDs of many objects`() async throws {
    let cluster = try await TestServer.cluster()
    let box = cluster.box(for: Person.self)
    try await box.put(Person(name: "first"))
    var commits = try await cluster.commits().makeAsyncIterator()
    var all = people()
    all.removeSubrange(5..<7)
    try await box.put(all)
    let ids = all.map(\.id.value)
    #expect(await commits.next()?.changes == ["Person": .init(ids: ids.sorted())])
    try await box.remove([all[0].id, all[2].id, all[3].id])
    let removed = [0, 2, 3].map { ids[$0] }.sorted()
    #expect(await commits.next()?.changes["Person"]?.ids == removed)
  }

  @Test(arguments: [
    ([], []), ([7], [7]), ([7, 9], [7, 9]), ([7, 8], [7, 8]),
    ([1, 3, 4, 5, 9, 10, 12, 13, 14, 15], [1, 3, -5, 9, 10, 12, -15]),
  ])
  func `IDs that follow one another are the first and the last`(ids: [UInt64], runs: [Int64]) {
    let expected = runs.flatMap { run -> [UInt64] in [UInt64(bitPattern: run)] }
    #expect(CommitLog.runs(of: ids) == expected)
  }

  @Test func `a content that cannot be made ends the COPY`() async throws {
    struct Stop: Error {}
    let cluster = try await TestServer.cluster()
    let table = try #require(cluster.tables.table(named: "Account"))
    let connection = try await cluster.pool.connectAlone()
    let copy = Statement(copying: "COPY \(table.name) FROM STDIN (FORMAT binary)") { part, bytes in
      if part > 0 { throw Stop() }
      bytes += CopyRows.header
      return true
    }
    await #expect(throws: Stop.self) {
      _ = try await connection.run([Statement("BEGIN"), copy, Statement("COMMIT")])
    }
    #expect(connection.isInTransaction)
    let rows = try await connection.run([Statement("ROLLBACK"), Statement("SELECT 1")])
    #expect(rows[1].anyInteger(0, 0) == 1)
  }
}
