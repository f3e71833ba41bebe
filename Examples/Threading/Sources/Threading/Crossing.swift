import ObjectBox
import ObjectBoxLive

/// Ways to pass a stored object to another isolation.
enum Crossing {
  static func rename(
    @ThreadSafe person: FrozenObject<Person>?,
    to name: String,
    in store: Store
  ) async throws {
    try await Task.detached { [$person] in
      try await store.write { transaction in
        try transaction.modify($person) { $0.name = name }
      }
    }.value
  }

  /// The ways to pass a live handle to a `@ThreadSafe` parameter.
  @MainActor static func rename(
    shown person: LiveObject<Person>,
    to name: String,
    in store: Store
  ) async throws {
    @ThreadSafe var shown: FrozenObject<Person>? = person
    try await rename($person: $shown, to: name, in: store)
    try await rename($person: ThreadSafe(person), to: name, in: store)
    try await rename(person: person.freeze(), to: name, in: store)
  }

  @MainActor static func ageElsewhere(
    of person: LiveObject<Person>,
    in store: Store
  ) async throws -> Int? {
    let reference = try ThreadSafeReference(to: person)
    return try await Task.detached {
      try await store.write { transaction -> Int? in
        guard let person: Person = try transaction.resolve(reference) else { return nil }
        person.age += 1
        try transaction.put(person)
        return person.age
      }
    }.value
  }

  static func removeAll(_ people: FrozenResults<Person>, from store: Store) async throws -> Int {
    try await store.write(passing: people) { transaction, people in
      guard let people else { return 0 }
      for person in people { try transaction.remove(person) }
      return people.count
    }
  }
}
