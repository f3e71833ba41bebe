import ObjectBox
import ObjectBoxLive

/// Changes as sequences, and changes of one object.
enum Observing {
  static func watch(_ store: Store) throws -> Task<[Int], any Error> {
    let query = try store.box(for: Person.self).query { Person.age > 30 }.build()
    let changes = try store.changes(query)
    return Task {
      var counts: [Int] = []
      for await change in changes {
        counts.append(change.results.count)
        if counts.last == 1 { break }
      }
      return counts
    }
  }

  static func nextCommit(of store: Store) throws -> Task<Int, any Error> {
    let commits = try store.commits()
    return Task {
      for await commit in commits { return commit.changes["Person"]?.inserted.count ?? 0 }
      return 0
    }
  }

  @MainActor static func renaming(of id: Id, in store: Store) async throws -> [String] {
    let (names, continuation) = AsyncStream.makeStream(of: String.self)
    let token = try store.observe(Person.self, id: id, properties: [Person.name]) { change in
      switch change {
      case .change(let properties):
        for property in properties { continuation.yield(property.name) }
      case .deleted:
        continuation.finish()
      }
    }
    defer { token.invalidate() }
    try await store.write { transaction in
      try transaction.modify(EntityId<Person>(id)) { $0.name = "Augusta" }
    }
    var told: [String] = []
    for await name in names {
      told.append(name)
      break
    }
    return told
  }
}
