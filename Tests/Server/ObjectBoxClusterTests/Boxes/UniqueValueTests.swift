import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

/// Unique values that several objects or programs want at the same time.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct UniqueValueTests {
  // MARK: One program

  @Test func `a put of several can exchange unique values`() async throws {
    let cluster = try await TestServer.cluster()
    let people = cluster.box(for: Person.self)
    let all = ["a", "b", "c", nil].map { Person(name: "P", email: $0) }
    try await people.put(all)
    (all[0].email, all[1].email, all[2].email) = ("b", "c", "a")
    try await people.put(all)
    #expect(try await people.all().map(\.email) == ["b", "c", "a", nil])
    (all[0].email, all[3].email) = (nil, "b")
    try await people.put([all[3], all[0]])
    #expect(try await people.all().map(\.email) == [nil, "c", "a", "b"])

    let badges = cluster.box(for: Badge.self)
    let pair = [Badge(code: "a", number: 1), Badge(code: "b", number: 2)]
    try await badges.put(pair)
    (pair[0].code, pair[1].code) = ("b", "a")
    (pair[0].number, pair[1].number) = (2, 1)
    try await badges.put(pair)
    #expect(try await badges.all().map(\.code) == ["b", "a"])
    #expect(try await badges.all().map(\.number) == [2, 1])

    let spots = cluster.box(for: Spot.self)
    try await spots.put([Spot(id: 0, x: 1, y: 1), Spot(id: 0, x: 1, y: 2)])
    try await spots.put([Spot(id: 1, x: 1, y: 2), Spot(id: 2, x: 1, y: 1)])
    #expect(try await spots.all().map(\.y) == [2, 1])
  }

  @Test func `many objects can exchange unique values`() async throws {
    let people = try await TestServer.cluster().box(for: Person.self)
    let all = (0..<300).map { Person(name: "P", email: "\($0)") }
    try await people.put(all)
    for (index, person) in all.enumerated() { person.email = "\((index + 1) % 300)" }
    try await people.put(all)
    let emails = (1...300).map { "\($0 % 300)" }
    #expect(try await people.all().map(\.email) == emails)
  }

  @Test(arguments: ["UPDATE", "DELETE"])
  func `a put looks by index for the objects that lose their unique values`(
    _ command: String
  ) async throws {
    let cluster = try await TestServer.cluster()
    let box = cluster.box(for: Badge.self)
    let all = (0..<5_000).map { (number: Int) in Badge(code: "\(number)", number: number) }
    try await box.put(all)
    let table = try #require(cluster.writing.table(Badge.entityInfo.entitySchemaId))
    let encoding = RecordEncoding<Badge>(table.table)
    // Stored objects may swap values; new objects replace stored ones.
    let isNew = command == "DELETE"
    let rows = try all.prefix(1_000).map { badge in
      let id = badge.id.value + (isNew ? 10_000 : 0)
      let row = try encoding.row(of: badge, id: id, store: cluster.shape)
      return PendingRow(row: row, isNew: isNew)
    }
    let looks = try PutStatements(table).statements(rows).filter { $0.sql.hasPrefix(command) }
    #expect(looks.count == table.uniques.count)
    let explained = looks.map { look in
      var explaining = Statement(once: "EXPLAIN (ANALYZE, COSTS OFF) \(look.sql)")
      explaining.parameters = look.parameters
      return explaining
    }
    let analyze = Statement(once: "ANALYZE \(table.table.name)")
    for plan in try await cluster.pool.run([analyze] + explained).dropFirst() {
      let lines = (0..<plan.count).compactMap { plan.text($0, 0) }
      #expect(lines.contains { $0.contains("Index") })
      let scans = lines.filter { $0.contains("Seq Scan") && !$0.contains("never executed") }
      #expect(scans.isEmpty)
    }
  }

  @Test func `a put of several that takes the value of an object beside them is refused`()
    async throws
  {
    let people = try await TestServer.cluster().box(for: Person.self)
    let all = ["a", "b", "c"].map { Person(name: "P", email: $0) }
    try await people.put(all)
    (all[0].email, all[1].email) = ("b", "c")
    await #expect {
      try await people.put([all[0], all[1]])
    } throws: { error in
      guard case ObjectBoxError.uniqueViolation(let message) = error else { return false }
      return message.contains("the object with ID 3 already holds 'c'")
    }
    #expect(try await people.all().map(\.email) == ["a", "b", "c"])
  }

  // MARK: Several programs

  /// Clusters in one schema whose server never looks for deadlocks: a deadlock exceeds the
  /// statement time-out.
  private func clusters() async throws -> [Cluster] {
    let address = TestServer.address ?? ""
    let option = "options=-c%20deadlock_timeout%3D600s"
    var configuration = Cluster.Configuration(
      address + (address.contains("?") ? "&" : "?") + option
    )
    configuration.schema = TestServer.newSchema()
    configuration.statementTimeout = .seconds(60)
    // Many transactions compete for one value.
    configuration.attemptLimit = 1_000
    return [
      try await Cluster(configuration: configuration),
      try await Cluster(configuration: configuration),
    ]
  }

  /// Runs a body in 8 tasks that begin each round together, alternating between two clusters.
  private func race(
    rounds: Int,
    _ body: @escaping @Sendable (Cluster, _ task: Int, _ round: Int) async throws -> Void
  ) async throws -> [Cluster] {
    let clusters = try await clusters()
    for round in 0..<rounds {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<8 {
          group.addTask { try await body(clusters[task % 2], task, round) }
        }
        try await group.waitForAll()
      }
    }
    return clusters
  }

  @Test func `programs that put the same new value wait for each other, and one has it`()
    async throws
  {
    let clusters = try await race(rounds: 25) { cluster, _, round in
      do {
        try await cluster.box(for: Person.self).put(Person(name: "P", email: "\(round)"))
      } catch ObjectBoxError.uniqueViolation(_) {}
    }
    let all = try await clusters[0].box(for: Person.self).all()
    #expect(all.count == 25)
    #expect(Set(all.map(\.email)) == Set((0..<25).map { "\($0)" }))
  }

  @Test
  func `programs that replace the same new value wait for each other, and the last one has it`()
    async throws
  {
    let clusters = try await race(rounds: 25) { cluster, task, round in
      try await cluster.box(for: Badge.self).put(Badge(code: "\(round)", text: "\(task)"))
    }
    let all = try await clusters[0].box(for: Badge.self).all()
    #expect(all.count == 25)
    #expect(Set(all.map(\.code)) == Set((0..<25).map { "\($0)" }))
  }

  @Test func `programs that put several of the same new values do not deadlock`() async throws {
    let clusters = try await race(rounds: 10) { cluster, task, round in
      let codes = (0..<10).map { "\(round) \(($0 * 3 + task * 7) % 10)" }
      try await cluster.box(for: Badge.self).put(codes.map { Badge(code: $0, text: "\(task)") })
    }
    let all = try await clusters[0].box(for: Badge.self).all()
    #expect(all.count == 100)
    #expect(Set(all.map(\.code)).count == 100)
  }
}
