import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

/// Boxes of a cluster: refused values, IDs, round trips, transactions.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct ClusterBoxTests {
  // MARK: Refused values

  private func refusal(_ body: () async throws -> Void) async -> String {
    do {
      try await body()
      return ""
    } catch {
      guard case .illegalArgument(let message)? = error as? ObjectBoxError else {
        return "\(error)"
      }
      return message
    }
  }

  @Test
  func `values that PostgreSQL cannot hold are refused with the reason, and nothing is stored`()
    async throws
  {
    let box = try await TestServer.cluster().box(for: Everything.self)
    let object = Everything()
    object.text = "a\0b"
    #expect(await refusal { try await box.put(object) }.contains("'text' has the character U+0000"))
    object.text = nil
    object.texts = ["a", "\0"]
    #expect(await refusal { try await box.put([Everything(), object]) }.contains("'texts' has"))
    object.texts = nil
    object.date = Date(timeIntervalSince1970: -1e12)
    #expect(await refusal { try await box.put(object) }.contains("'date' is a date outside"))
    #expect(object.id == 0)
    #expect(try await box.isEmpty())
  }

  // MARK: IDs

  @Test func `a transaction gets and removes objects by plain IDs and by those of the entity`()
    async throws
  {
    let cluster = try await TestServer.cluster()
    let accounts = cluster.box(for: Account.self)
    try await accounts.put((1...3).map { Account(id: 0, balance: $0) })
    let (first, second): (Id, EntityId<Account>) = (1, 2)
    try await cluster.write { transaction in
      let found: Account? = try await transaction.get(first)
      #expect(found?.balance == 1)
      let typed: Account? = try await transaction.get(second)
      #expect(typed?.balance == 2)
      let gone: Account? = try await transaction.get(99 as Id)
      #expect(gone == nil)
      #expect(try await transaction.remove(Account.self, first))
      #expect(try await transaction.remove(second))
      #expect(try await transaction.remove(Account.self, EntityId<Account>(3)))
      #expect(try await !transaction.remove(Account.self, 0))
    }
    #expect(try await accounts.isEmpty())
  }

  @Test func `two clusters with eight tasks each give no ID twice`() async throws {
    let schema = TestServer.newSchema()
    let clusters = [
      try await TestServer.cluster(in: schema), try await TestServer.cluster(in: schema),
    ]
    let given = try await withThrowingTaskGroup(of: [Id].self) { group in
      for task in 0..<16 {
        group.addTask {
          let box = clusters[task % 2].box(for: Account.self)
          var given: [Id] = []
          for step in 0..<40 {
            if step.isMultiple(of: 3) {
              let accounts = (0..<7).map { Account(id: 0, balance: $0) }
              given += try await box.putAndReturnIDs(accounts)
            } else {
              given.append(try await box.put(Account(id: 0, balance: step), mode: .insert))
            }
          }
          return given
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(given).count == given.count)
    #expect(try await clusters[0].box(for: Account.self).count() == given.count)
  }

  @Test func `failures between the reservation and the commit give no ID twice`() async throws {
    let schema = TestServer.newSchema()
    let clusters = [
      try await TestServer.cluster(in: schema), try await TestServer.cluster(in: schema),
    ]
    struct Stop: Error {}
    let given = try await withThrowingTaskGroup(of: [Id].self) { group in
      for task in 0..<8 {
        group.addTask {
          let cluster = clusters[task % 2]
          var given: [Id] = []
          for step in 0..<30 {
            // Equal values of several tasks would make the server search for deadlocks, a second
            // each time.
            let email = step % 3 == 1 ? "same \(task)" : "\(task) \(step)"
            let person = Person(name: "P", email: email)
            do {
              try await cluster.write { transaction in
                given.append(try await transaction.put(person))
                if step % 3 == 2 { throw Stop() }
              }
            } catch {
              #expect(person.id == 0)
            }
          }
          return given
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    // Includes IDs of transactions that were rolled back or run again.
    #expect(Set(given).count == given.count)
    #expect(given.count >= 240)
  }

  @Test func `assigned IDs of one cluster are above the counter of the other`() async throws {
    let schema = TestServer.newSchema()
    let first = try await TestServer.cluster(in: schema).box(for: Spot.self)
    let second = try await TestServer.cluster(in: schema).box(for: Spot.self)
    #expect(try await first.put(Spot(id: 0, x: nil, y: nil)) == 1)
    try await second.put(Spot(id: 40, x: nil, y: nil))
    #expect(try await first.put(Spot(id: 0, x: nil, y: nil)) == 41)
    try await first.put(Spot(id: 40, x: 1, y: 1))
    #expect(try await second.get(40 as Id)?.x == 1)
    #expect(try await second.put(Spot(id: 0, x: nil, y: nil)) == 42)
  }

  @Test func `an object of another program can be put after its ID was asked for`() async throws {
    let schema = TestServer.newSchema()
    let first = try await TestServer.cluster(in: schema).box(for: Account.self)
    let second = try await TestServer.cluster(in: schema).box(for: Account.self)
    let id = try await first.put(Account(id: 0, balance: 1))
    try await second.put(Account(id: id, balance: 2))
    #expect(try await first.get(id)?.balance == 2)
  }

  @Test func `after the greatest ID new objects are refused`() async throws {
    let box = try await TestServer.cluster().box(for: Spot.self)
    try await box.put(Spot(id: Id(Int64.max) - 1, x: 1, y: 1))
    let message = await { () -> String in
      do {
        try await box.put([Spot(id: 0, x: 2, y: 2), Spot(id: 0, x: 3, y: 3)])
        return ""
      } catch {
        guard case .illegalState(let message)? = error as? ObjectBoxError else { return "\(error)" }
        return message
      }
    }()
    #expect(message.contains("used up"))
    #expect(try await box.count() == 1)
  }

  // MARK: Round trips

  /// Returns the number of round trips that a body makes.
  private func roundTrips(of cluster: Cluster, _ body: () async throws -> Void) async throws -> Int
  {
    let before = cluster.pool.roundTrips + cluster.reservations.roundTrips
    try await body()
    return cluster.pool.roundTrips + cluster.reservations.roundTrips - before
  }

  @Test func `round trips are as few as documented`() async throws {
    let cluster = try await TestServer.cluster()
    // Avoid the round trips of observers.
    cluster.changes.close()
    let people = cluster.box(for: Person.self)
    let accounts = cluster.box(for: Account.self)
    let many = (0..<1_000).map { Person(name: "P\($0)", email: "\($0)") }
    #expect(try await roundTrips(of: cluster) { try await people.put(many) } <= 2)
    try await people.put(Person(name: "reserves IDs"))
    #expect(try await roundTrips(of: cluster) { try await people.put(Person(name: "one")) } == 1)
    #expect(try await roundTrips(of: cluster) { try await people.put(many) } == 1)
    let ids = many.map(\.id)
    #expect(try await roundTrips(of: cluster) { _ = try await people.get(ids) } == 1)
    #expect(try await roundTrips(of: cluster) { _ = try await people.all() } == 1)
    #expect(try await roundTrips(of: cluster) { _ = try await people.remove([1, 2, 3]) } == 1)

    let company = Company(name: "C")
    for number in 0..<500 {
      let person = Person(name: "new \(number)")
      if number % 5 == 0 { person.friends.append(Person(name: "friend")) }
      company.staff.append(person)
    }
    let trips = try await roundTrips(of: cluster) {
      try await cluster.box(for: Company.self).put(company)
    }
    #expect(trips <= 2)
    #expect(try await people.count() == 1_000 + 2 - 3 + 600)

    try await accounts.put([Account(id: 0, balance: 5), Account(id: 0, balance: 5)])
    let transaction = try await roundTrips(of: cluster) {
      try await cluster.write { transaction in
        var from = try #require(try await transaction.get(Account.self, 1 as Id))
        var to = try #require(try await transaction.get(Account.self, 2 as Id))
        from.balance -= 1
        to.balance += 1
        try await transaction.put(from)
        try await transaction.put(to)
      }
    }
    #expect(transaction <= 5)
    #expect(try await accounts.all().map(\.balance) == [4, 6])
  }

  // MARK: Transactions

  @Test func `blocks that have all connections get IDs`() async throws {
    var configuration = TestServer.configuration()
    configuration.connectionLimit = 2
    let cluster = try await Cluster(configuration: configuration)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await cluster.write { transaction in
            try await transaction.put((0..<20).map { Account(id: 0, balance: $0) })
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await cluster.box(for: Account.self).count() == 160)
  }

  @Test func `a savepoint takes back what its part has put and removed`() async throws {
    struct Stop: Error {}
    let cluster = try await TestServer.cluster()
    let company = Company(name: "C")
    try await cluster.box(for: Company.self).put(company)
    try await cluster.write { transaction in
      let kept = Person(name: "kept")
      try await transaction.put(kept)
      let undone = Person(name: "undone")
      await #expect(throws: Stop.self) {
        try await transaction.savepoint {
          try await transaction.put(undone)
          kept.name = "changed"
          try await transaction.put(kept)
          // Removes references too, with statements that are buffered.
          try await transaction.remove(company)
          throw Stop()
        }
      }
      #expect(undone.id == 0)
      try await transaction.put(Person(name: "later"))
    }
    #expect(try await cluster.box(for: Person.self).all().map(\.name) == ["kept", "later"])
    #expect(try await cluster.box(for: Company.self).count() == 1)
  }

  @Test func `a violation in a transaction names property and value as well`() async throws {
    let cluster = try await TestServer.cluster()
    try await cluster.box(for: Person.self).put(Person(name: "A", email: "a"))
    await #expect {
      try await cluster.write { transaction in
        for email in ["b", "a", "c"] { try await transaction.put(Person(name: "B", email: email)) }
      }
    } throws: { error in
      guard case ObjectBoxError.uniqueViolation(let message) = error else { return false }
      return message.contains(
        "'Person.email' would be violated: the object with ID 1 already holds 'a'"
      )
    }
  }

  @Test func `reads of a transaction see its puts and removals`() async throws {
    let cluster = try await TestServer.cluster()
    try await cluster.write { transaction in
      let box = transaction.box(for: Person.self)
      let jane = Person(name: "Jane")
      try await transaction.put(jane)
      #expect(try await box.get(jane.id)?.name == "Jane")
      jane.name = "Janet"
      try await transaction.put(jane)
      #expect(try await box.all().map(\.name) == ["Janet"])
      #expect(try await transaction.remove(jane))
      #expect(try await box.isEmpty())
      try await box.put(jane, Person(name: "John"))
      #expect(try await box.remove(jane))
      #expect(try await box.count() == 1)
    }
    #expect(try await cluster.box(for: Person.self).all().map(\.name) == ["John"])
  }

  @Test func `a put that is refused in a transaction leaves it as it was`() async throws {
    let cluster = try await TestServer.cluster()
    try await cluster.write { transaction in
      try await transaction.put(Person(name: "A"))
      let bad = Person(name: "\0")
      let new = Person(name: "new")
      await #expect(throws: ObjectBoxError.self) { try await transaction.put([new, bad]) }
      #expect(new.id == 0 && bad.id == 0)
      try await transaction.put(Person(name: "B"))
    }
    let all = try await cluster.box(for: Person.self).all()
    #expect(all.map(\.name) == ["A", "B"])
  }

  @Test func `changes name the objects that a transaction has changed`() async throws {
    let cluster = try await TestServer.cluster()
    let person = Person(name: "P")
    let company = Company(name: "C")
    try await cluster.box(for: Company.self).put(company)
    person.employer.target = company
    try await cluster.box(for: Person.self).put(person)
    let people = try #require(cluster.tables.table(named: "Person")?.schema.identity.uid)
    let companies = try #require(cluster.tables.table(named: "Company")?.schema.identity.uid)
    try await cluster.write { transaction in
      try await transaction.remove(company)
      let other = Person(name: "O")
      try await transaction.put(other)
      _ = try transaction.buffer.statements()
      let changes = transaction.buffer.changes
      #expect(changes[companies] == [company.id])
      #expect(changes[people] == [person.id, other.id])
    }
  }
}
