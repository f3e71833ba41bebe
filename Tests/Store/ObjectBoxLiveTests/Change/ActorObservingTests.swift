import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

/// Observers whose handlers use an actor without keeping it alive.
@Suite(.timeLimit(.minutes(15)))
struct ActorObservingTests {
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
    try people.put(Person("Ann"))
  }

  /// Observes everything that can be observed.
  private actor Listener {
    let store: Store
    private var tokens: [NotificationToken] = []
    private(set) var heard: Set<String> = []

    init(_ store: Store) {
      self.store = store
    }

    func got(_ what: String) { heard.insert(what) }

    func listen() throws {
      let box = store.box(for: Person.self)
      let live = try store.live()
      let results = try live.query(Person.self)
      let object = try #require(try live.object(EntityId<Person>(1)))
      tokens = [
        try store.observe(on: self) { me, _ in me.got("store") },
        try box.observe(EntityId(1), on: self) { me, _ in me.got("box") },
        try store.observe(Person.self, id: 1, on: self) { me, _ in me.got("object") },
        try box.query().build().observe(on: self) { me, _ in me.got("query") },
        try live.observe(on: self) { me, _ in me.got("live") },
        try results.observe(on: self, properties: [Person.name]) { me, change in
          if case .initial(let people) = change { me.got("live query \(people.count)") }
        },
        try object.observe(on: self) { me, _ in me.got("live object") },
      ]
    }
  }

  /// A class of the main actor; its handlers capture it weakly.
  @MainActor private final class List {
    private var tokens: [NotificationToken] = []
    private(set) var heard: Set<String> = []

    private func got(_ what: String) { heard.insert(what) }

    func listen(_ store: Store) throws {
      let results = try store.live().query(Person.self)
      tokens = [
        try store.observe { [weak self] _ in self?.got("store") },
        try store.box(for: Person.self).query().build().observe { [weak self] _ in
          self?.got("query")
        },
        try results.observe { [weak self] _ in self?.got("live query") },
      ]
    }
  }

  private func rename() throws {
    let person = try #require(try people.get(1))
    person.name = "Bea"
    try people.put(person)
  }

  @Test func `handlers of an actor use its state`() async throws {
    let listener = Listener(store)
    try await listener.listen()
    try rename()
    let all: Set = [
      "store", "box", "object", "query", "live", "live query 1", "live object",
    ]
    while await listener.heard != all { await Task.yield() }
  }

  @Test func `an observer keeps no actor alive`() async throws {
    weak var gone: Listener?
    do {
      let listener = Listener(store)
      try await listener.listen()
      gone = listener
    }
    try rename()
    while gone != nil { await Task.yield() }
  }

  @Test @MainActor func `handlers of the main actor capture weakly`() async throws {
    let list = List()
    try list.listen(store)
    try rename()
    while list.heard != ["store", "query", "live query"] { await Task.yield() }
  }
}
