import Dispatch
import Foundation
import ObjectBoxRuntimeTestSupport
import Testing

@testable import ObjectBox
@testable import ObjectBoxLive

@Suite(.timeLimit(.minutes(15)))
struct ObservationTests {
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>
  private let recorder = ChangeRecorder<CollectionEvent>()

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
  }

  private var everybody: Query<Person> {
    get throws { try people.query().build() }
  }

  @Test func `a handler may write, and reads the version that it was called for`() throws {
    let names = ChangeRecorder<[String]>()
    let store = store
    let token = try everybody.observe(on: names.queue) { change in
      if change.results.count == 1 {
        #expect(throws: Never.self) { try store.box(for: Person.self).put(Person("B")) }
      }
      names.note((try? change.results.find().map(\.name)) ?? ["nothing"])
    }
    try people.put(Person("A"))
    #expect(names.take().suffix(2) == [["A"], ["A", "B"]])
    token.invalidate()
  }

  @Test func `results that are kept read what is there later`() throws {
    let kept = Guarded<ObservedResults<Person>?>(nil)
    let queue = SerialQueue()
    try people.put([Person("A"), Person("B"), Person("C")])
    let token = try everybody.observe(on: queue) { change in kept.withLock { $0 = change.results } }
    queue.sync {}
    token.invalidate()
    try people.remove(EntityId(2))
    let results = try #require(kept.withLock { $0 })
    #expect(results.ids.map(\.value) == [1, 2, 3])
    #expect(try results.find().map(\.name) == ["A", "C"])
    #expect(try results.object(at: 0)?.name == "A")
    #expect(try results.object(at: 1) == nil)
    store.close()
    #expect(throws: ObjectBoxError.self) { try results.find() }
  }

  @Test func `a commit sends its own call, whatever step an observer asks for`() throws {
    recorder.whileBusy {
      let changes = ChangeQueue(store.openStore, StoreTracker())
      let target = DeliveryTarget(recorder.queue)
      let delivery = Delivery(to: target, isCoalescing: true) {}
      changes.setNews(.delivery(delivery))
      // The queue has not begun, so that there is a step to ask for.
      changes.signal()
      #expect(delivery.claim())
      #expect(!delivery.claim())
    }
  }

  @Test func `a handler that ends its observation is not called again`() throws {
    let box = Guarded<NotificationToken?>(nil)
    let recorder = recorder
    try recorder.whileBusy {
      let token = try everybody.observe(on: recorder.queue) { change in
        recorder.note(CollectionEvent(change))
        box.withLock(\.self)?.invalidate()
      }
      box.withLock { $0 = token }
    }
    try people.put(Person("A"))
    try people.put(Person("B"))
    #expect(recorder.take().count == 1)
    box.withLock { $0 = nil }
  }

  @Test func `an observation ends with its token and with the store instance`() throws {
    var token: NotificationToken? = try everybody.observe(recorder)
    #expect(recorder.take().count == 1)
    withExtendedLifetime(token) {}
    token = nil
    try people.put(Person("A"))
    #expect(recorder.take() == [])
    let clone = try store.clone()
    let second = try clone.box(for: Person.self).query().build().observe(recorder)
    #expect(recorder.take().count == 1)
    clone.close()
    try people.put(Person("B"))
    #expect(recorder.take() == [])
    second.invalidate()
  }

  @Test func `an observer outside of every actor needs a queue`() throws {
    let error = #expect(throws: ObjectBoxError.self) {
      try everybody.observe { _ in }
    }
    #expect(error?.description.hasPrefix("wrongIsolation: ") ?? false)
  }

  @Test func `an observer cannot begin after changes of its transaction`() throws {
    try store.write { transaction in
      let token = try everybody.observe(recorder)
      try transaction.put(Person("A"))
      let error = #expect(throws: ObjectBoxError.self) { try everybody.observe(recorder) }
      #expect(error?.description.hasPrefix("observerAfterChanges: ") ?? false)
      #expect(throws: ObjectBoxError.self) { try store.observe(on: recorder.queue) { _ in } }
      #expect(throws: ObjectBoxError.self) { try everybody.changeSets() }
      #expect(throws: ObjectBoxError.self) { try store.commits() }
      // The observer begins with the committed state, and gets this whole transaction as a change.
      #expect(recorder.take() == [.initial([])])
      return token
    }.invalidate()
    #expect(try people.count() == 1)
  }

  @Test func `an observer that begins inside a transaction hears each object of it`() throws {
    let ada = Person("Ada")
    try people.put([ada, Person("Bob")])
    let token = try store.write { transaction in
      let token = try everybody.observe(recorder)
      #expect(recorder.take() == [.initial([1, 2])])
      ada.age = 3
      try transaction.put(ada)
      return token
    }
    #expect(recorder.take() == [.update([1, 2], [], [], [0])])
    token.invalidate()
  }

  @Test func `of a transaction that began before anybody listened all objects may have changed`()
    throws
  {
    try people.put([Person("A"), Person("B")])
    let token = try store.write { transaction in
      try transaction.put(Person("C"))
      let begun = Guarded<NotificationToken?>(nil)
      // The other thread has no open transaction.
      let hasBegun = DispatchSemaphore(value: 0)
      let thread = Thread { [people, recorder] in
        let token = try? people.query().build().observe(recorder)
        begun.withLock { $0 = token }
        hasBegun.signal()
      }
      let first = recorder.values.count
      thread.start()
      hasBegun.wait()
      #expect(recorder.take().count == first + 1)
      return begun.withLock(\.self)
    }
    #expect(recorder.take() == [.update([1, 2, 3], [], [2], [0, 1])])
    token?.invalidate()
  }

  @Test func `a closed store cannot be observed`() throws {
    let query = try everybody
    store.close()
    let error = #expect(throws: ObjectBoxError.self) { try query.observe(recorder) }
    #expect(error?.description.hasPrefix("closed: ") ?? false)
  }

  @Test func `a read-only store can be observed and says nothing`() throws {
    try people.put(Person("A"))
    store.close()
    let readOnly = try Store(
      model: try TemporaryStore.model(),
      directory: temporary.path,
      readOnly: true
    )
    let token = try readOnly.box(for: Person.self).query().build().observe(recorder)
    #expect(recorder.take() == [.initial([1])])
    token.invalidate()
    readOnly.close()
  }

  @Test func `an actor hears in its isolation, and is not kept alive`() async throws {
    let watcher = Watcher()
    try await watcher.begin(try people.query().build())
    for name in ["A", "B"] { try await store.write { try $0.put(Person(name)) } }
    while await watcher.ids.last != [1, 2] { await Task.yield() }
    weak var weakWatcher: Watcher?
    do {
      let other = Watcher()
      weakWatcher = other
      try await other.begin(try people.query().build())
      while await other.ids.isEmpty { await Task.yield() }
    }
    while weakWatcher != nil { await Task.yield() }
    try people.put(Person("C"))
    while await watcher.ids.last != [1, 2, 3] { await Task.yield() }
  }

  private actor Watcher {
    private(set) var ids: [[Id]] = []
    private var token: NotificationToken?

    func begin(_ query: sending Query<Person>) throws {
      token = try query.observe { [weak self] change in
        self?.assumeIsolated { $0.ids.append(change.results.ids.map(\.value)) }
      }
    }
  }
}
