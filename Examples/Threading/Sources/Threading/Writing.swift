import ObjectBox
import ObjectBoxLive

/// All forms of writes.
enum Writing {
  /// One object, in a transaction of its own.
  static func hire(_ name: String, in store: Store) throws -> Person {
    let people = store.box(for: Person.self)
    let person = Person(name, age: 20)
    try people.put(person)  // `person.id` is set now
    person.age += 1
    try people.put(person)  // stores the change
    return person
  }

  /// Blocks the thread, so async functions cannot call it.
  static func openAccounts(in store: Store) throws -> (EntityId<Account>, EntityId<Account>) {
    try store.write { transaction in
      let ada = try transaction.put(Account(owner: "Ada", balance: 100))
      let alan = try transaction.put(Account(owner: "Alan"))
      return (ada, alan)
    }
  }

  static func transfer(
    _ amount: Int,
    from source: EntityId<Account>,
    to target: EntityId<Account>,
    in store: Store
  ) async throws {
    try await store.write { transaction in
      guard let account = try transaction.get(source), account.balance >= amount else {
        throw Refusal.tooLittle  // nothing is written
      }
      try transaction.modify(source) { $0.balance -= amount }
      try transaction.modify(target) { $0.balance += amount }
    }
  }

  /// Called back on the main actor, in the order of the calls.
  @MainActor static func importPeople(_ names: [String], into store: Store) async {
    await withCheckedContinuation { continuation in
      for name in names {
        store.writeAsync(isGroupingAllowed: true) { transaction in
          try transaction.put(Person(name, age: 0))
        } onComplete: { error in
          if let error { print("\(name) was not stored: \(error)") }
          if name == names.last { continuation.resume() }
        }
      }
    }
  }

  /// The block decides whether to commit.
  @MainActor static func add(_ name: String, to store: Store) async -> Bool {
    await withCheckedContinuation { continuation in
      store.beginAsyncWrite { transaction in
        try transaction.put(Person(name, age: 1))
        try transaction.commitAsyncWrite { error in
          continuation.resume(returning: error == nil)
        }
      }
    }
  }

  /// A transaction that a call ends.
  static func addOrNot(_ person: Person, to store: Store) throws {
    let transaction = try store.beginWrite()
    try transaction.put(person)
    if person.name.isEmpty {
      transaction.cancelWrite()
    } else {
      try transaction.commitWrite()
    }
  }

  /// Joins the thread's open transaction, or begins a new one.
  static func birthday(of person: Person, in store: Store) throws {
    try store.runInTransaction {
      person.age += 1
      try store.box(for: Person.self).put(person)
    }
  }

  /// Outside actors, a queue determines where blocks are called.
  static func addLater(_ name: String, to store: Store, on queue: SerialQueue) async -> Bool {
    await withCheckedContinuation { continuation in
      store.writeAsync(on: queue) { transaction in
        try transaction.put(Person(name, age: 2))
      } onComplete: { error in
        continuation.resume(returning: error == nil)
      }
    }
  }
}

/// An actor that returns objects from its blocks.
actor Registry {
  let store: Store
  private var firstAge = 18

  init(_ store: Store) {
    self.store = store
  }

  func register(_ name: String) async throws -> Int {
    let person = try await store.write { transaction in
      let person = Person(name, age: firstAge)
      try transaction.put(person)
      return person
    }
    return person.age
  }
}
