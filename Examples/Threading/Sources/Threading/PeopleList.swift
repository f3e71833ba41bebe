import ObjectBox
import ObjectBoxLive

/// A list on the main actor that follows the store.
@MainActor
final class PeopleList {
  private let live: LiveStore
  private let people: LiveResults<Person>
  private var token: NotificationToken?
  private(set) var names: [String] = []
  private(set) var calls = 0

  init(_ store: Store) throws {
    live = try store.live()
    people = try live.query(Person.self).ordered(by: Person.name)
  }

  func start() throws {
    token = try people.observe { [weak self] change in self?.apply(change) }
  }

  private func apply(_ change: CollectionChange<LiveResults<Person>>) {
    calls += 1
    switch change {
    case .initial(let people):
      names = people.map { $0.name }
    case .update(let people, let deletions, let insertions, _):
      for place in deletions.reversed() { names.remove(at: place) }
      for place in insertions { names.insert(people[place].name, at: place) }
    }
  }

  /// The list already shows the row, so its observer is left out.
  func addLast(_ name: String) throws {
    names.append(name)
    try live.write(withoutNotifying: token.map { [$0] } ?? []) { transaction in
      try transaction.put(Person(name, age: 3))
    }
  }

  func first() -> LiveObject<Person>? { people.first }

  /// Waits until all commits so far are shown.
  func catchUp() async throws { try await live.asyncRefresh() }
}
