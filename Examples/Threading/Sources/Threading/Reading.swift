import ObjectBox
import ObjectBoxLive

/// Reads of one version, on this thread and others.
enum Reading {
  static func sums(in store: Store) throws -> (Int, Int) {
    try store.read { transaction in
      let accounts = try transaction.all(Account.self)
      return (accounts.count, accounts.map(\.balance).reduce(0, +))
    }
  }

  static func sumElsewhere(in store: Store) async throws -> Int {
    let snapshot = try store.freeze()
    return try await Task.detached {
      try snapshot.query(Account.self).find().map(\.balance).reduce(0, +)
    }.value
  }

  static func versions(in store: Store) throws {
    let snapshot = try store.freeze()
    for version in store.activeVersions { print(version) }
    snapshot.invalidate()
  }

  static func thawed(_ person: FrozenObject<Person>, in store: Store) throws -> Int? {
    let live = try store.live()
    return try person.thaw(in: live)?[Person.age]
  }
}
