import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
struct ObjectChangeTests {
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>
  private let recorder = ChangeRecorder<String>()

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
  }

  private func observe(
    _ person: Person,
    properties: [any ObservedProperty<Person>]? = nil
  ) throws -> NotificationToken {
    let recorder = recorder
    return try people.observe(person._id, on: recorder.queue, properties: properties) {
      recorder.note($0.text)
    }
  }

  @Test func `an observer gets old and new values of what differs, and the end once`() throws {
    let ada = Person("Ada", age: 36)
    try people.put(ada)
    let token = try observe(ada)
    #expect(recorder.take() == [])
    ada.age = 37
    ada.email = "ada@x"
    try people.put(ada)
    #expect(recorder.take() == ["email: nil -> ada@x, age: 36 -> 37"])
    try people.put(Person("Bob"))
    try people.put(ada)
    #expect(recorder.take() == [])
    try recorder.whileBusy {
      ada.age = 38
      try people.put(ada)
      ada.age = 39
      ada.email = nil
      try people.put(ada)
    }
    #expect(recorder.take() == ["email: ada@x -> nil, age: 37 -> 39"])
    try people.remove(ada)
    #expect(recorder.take() == ["deleted"])
    try store.box(for: Point.self).put(Point(id: 0, x: 0, y: 0))
    try people.put(Person("C"))
    #expect(recorder.take() == [])
    token.invalidate()
  }

  @Test func `only the properties asked for count`() throws {
    let ada = Person("Ada", age: 36)
    try people.put(ada)
    let token = try observe(ada, properties: [Person.name])
    ada.age = 37
    try people.put(ada)
    #expect(recorder.take() == [])
    ada.name = "Adele"
    ada.age = 38
    try people.put(ada)
    #expect(recorder.take() == ["name: Ada -> Adele"])
    token.invalidate()
  }

  @Test func `a change that is taken back before it is told is none`() throws {
    let ada = Person("Ada")
    try people.put(ada)
    let token = try observe(ada)
    try recorder.whileBusy {
      ada.name = "B"
      try people.put(ada)
      ada.name = "Ada"
      try people.put(ada)
    }
    #expect(recorder.take() == [])
    token.invalidate()
  }

  @Test func `removing all objects ends an observation`() throws {
    let ada = Person("Ada")
    try people.put(ada)
    let token = try observe(ada)
    try people.removeAll()
    #expect(recorder.take() == ["deleted"])
    token.invalidate()
  }

  @Test func `silent changes are not told, and the next ones build on them`() throws {
    let ada = Person("Ada", age: 1)
    try people.put(ada)
    let token = try observe(ada)
    ada.age = 2
    try store.write(withoutNotifying: [token]) { try $0.put(ada) }
    #expect(recorder.take() == [])
    ada.name = "Adele"
    try people.put(ada)
    #expect(recorder.take() == ["name: Ada -> Adele"])
    try recorder.whileBusy {
      ada.age = 3
      try people.put(ada)
      ada.name = "Ada"
      try store.write(withoutNotifying: .all) { try $0.put(ada) }
      ada.age = 4
      try people.put(ada)
    }
    #expect(recorder.take() == ["age: 2 -> 3", "age: 3 -> 4"])
    try store.write(withoutNotifying: [token]) { try $0.remove(ada) }
    #expect(recorder.take() == [])
    token.invalidate()
  }

  @Test func `an object must be there to be observed`() throws {
    let error = #expect(throws: ObjectBoxError.self) {
      try people.observe(EntityId(7), on: recorder.queue) { _ in }
    }
    #expect(error?.description.hasPrefix("unmanagedObject: ") ?? false)
    // An observation that failed to begin leaves no listener.
    try people.put(Person("A"))
  }

  @Test func `an object of a store can be observed on a queue`() throws {
    let ada = Person("Ada", age: 36)
    try people.put(ada)
    let recorder = recorder
    let token = try store.observe(
      Person.self,
      id: ada.id,
      on: recorder.queue,
      properties: [Person.age]
    ) { change in
      #expect(recorder.queue.isCurrent)
      recorder.note(change.text)
    }
    ada.name = "Adele"
    try people.put(ada)
    ada.age = 37
    try people.put(ada)
    #expect(recorder.take() == ["age: 36 -> 37"])
    token.invalidate()
    try people.remove(ada)
    #expect(recorder.take() == [])
    store.close()
    let error = #expect(throws: ObjectBoxError.self) {
      try store.observe(Person.self, id: 1, on: recorder.queue) { _ in }
    }
    #expect(error?.description.hasPrefix("closed: ") ?? false)
  }

  @MainActor @Test func `an observer of an actor is called there`() async throws {
    try store.box(for: Point.self).put(Point(id: 0, x: 1, y: nil))
    var seen: [String] = []
    let token = try store.observe(Point.self, id: 1) { change in
      MainActor.assertIsolated()
      seen.append(change.text)
    }
    let background = store
    try await Task.detached {
      try await background.write { transaction in
        try transaction.modify(EntityId<Point>(1)) { point in
          point.x = 2
          point.y = 0.5
        }
      }
    }.value
    while seen.isEmpty { await Task.yield() }
    #expect(seen == ["x: 1.0 -> 2.0, y: nil -> 0.5"])
    token.invalidate()
  }

  @Test func `values come in the types that they are stored in`() throws {
    let samples = try SampleStore(.init())
    let sample = Sample()
    sample.number = 1
    sample.size = 2
    try samples.keepers.put(Keeper(rank: 1))
    try samples.samples.put(sample)
    let values = ChangeRecorder<[PropertyChange]>()
    let token = try samples.store.observe(Sample.self, id: sample.id, on: values)
    let uuid = UUID()
    sample.size = .max
    sample.text = "text"
    sample.date = Date(timeIntervalSince1970: 1)
    sample.weight = 1.5
    sample.marks = [1, 2]
    sample.words = ["a", ""]
    sample.key = uuid
    sample.keeper.targetId = EntityId(1)
    try samples.samples.put(sample)
    let changes = try #require(values.take().first)
    func new(_ name: String) -> (any Sendable)? {
      changes.first { $0.name == name }?.newValue
    }
    #expect(changes.map(\.name).contains("number") == false)
    #expect(new("size") as? UInt32 == .max)
    #expect(new("text") as? String == "text")
    #expect(new("date") as? Date == Date(timeIntervalSince1970: 1))
    #expect(new("weight") as? Double == 1.5)
    #expect(new("marks") as? [Int32] == [1, 2])
    #expect(new("words") as? [String] == ["a", ""])
    #expect(new("key") as? Data == withUnsafeBytes(of: uuid.uuid) { Data($0) })
    #expect(new("keeper") as? UInt64 == 1)
    token.invalidate()
  }
}

extension Store {
  fileprivate func observe(
    _ type: Sample.Type,
    id: Id,
    on recorder: ChangeRecorder<[PropertyChange]>
  ) throws -> NotificationToken {
    try box(for: type).observe(EntityId(id), on: recorder.queue) { change in
      if case .change(let properties) = change { recorder.note(properties) }
    }
  }
}
