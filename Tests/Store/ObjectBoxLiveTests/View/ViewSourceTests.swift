import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Observation
import Testing

// The declarations of SwiftUI that the views below use, in the same form, since SwiftUI exists on
// Apple's systems only.

/// `SwiftUI.View`.
private protocol View {
  associatedtype Body: View
  @MainActor @ViewBuilder var body: Body { get }
}

/// `SwiftUI.ViewBuilder`, as far as two views and a condition need it.
@MainActor @resultBuilder private enum ViewBuilder {
  static func buildBlock<V: View>(_ view: V) -> V { view }
  static func buildBlock<V: View, W: View>(_ first: V, _ second: W) -> Pair<V, W> {
    Pair(first: first, second: second)
  }
}

extension Never: View {
  var body: Never { fatalError("a primitive view has no body") }
}

/// A view without a body of its own.
private protocol Primitive: View where Body == Never {
  @MainActor var lines: [String] { get }
}

extension Primitive {
  var body: Never { fatalError("a primitive view has no body") }
}

private struct Pair<V: View, W: View>: Primitive {
  var first: V
  var second: W
  var lines: [String] { draw(first) + draw(second) }
}

/// `SwiftUI.Text`.
private struct Text: Primitive {
  var lines: [String]
  init(_ text: String) { lines = [text] }
}

/// `SwiftUI.ForEach`, with rows that are views.
private struct ForEach<Data: RandomAccessCollection, Row: View>: Primitive {
  let data: Data
  let row: @MainActor (Data.Element) -> Row

  init<ID: Hashable>(
    _ data: Data,
    id: KeyPath<Data.Element, ID>,
    @ViewBuilder row: @escaping @MainActor (Data.Element) -> Row
  ) {
    self.data = data
    self.row = row
  }

  var lines: [String] { data.flatMap { draw(row($0)) } }
}

/// Returns the lines that a view shows, as SwiftUI asks bodies.
@MainActor private func draw(_ view: some View) -> [String] {
  (view as? any Primitive)?.lines ?? draw(view.body)
}

// The views of a program, as they are with `import SwiftUI`.

@MainActor private struct PersonRow: View {
  let person: LiveObject<Person>

  var body: some View {
    Text("\(person.name), \(person.age)")
  }
}

@MainActor private struct PeopleList: View {
  let people: LiveResults<Person>

  var body: some View {
    Text("\(people.count) people")
    ForEach(people, id: \.id) { person in
      PersonRow(person: person)
    }
  }
}

/// Sources of views over live results compile, and follow the store.
@MainActor struct ViewSourceTests {
  /// Draws a view whenever Observation tells a change, as SwiftUI does.
  @MainActor private final class Renderer {
    private(set) var frames: [[String]] = []
    private let view: PeopleList
    private let (changes, continuation) = AsyncStream<Void>.makeStream()

    init(_ view: PeopleList) { self.view = view }

    func render() {
      withObservationTracking {
        frames.append(draw(view))
      } onChange: { [continuation] in
        continuation.yield()
      }
    }

    /// Waits for the next change, and draws.
    func next() async {
      for await _ in changes { return render() }
    }
  }

  @Test(.timeLimit(.minutes(15)))
  func `a view shows the newest objects after each commit that changes what it shows`()
    async throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    try store.box(for: Person.self).put([Person("Ann", age: 30), Person("Ben", age: 20)])
    let people = try store.live().query(Person.self) { Person.age > 18 }.ordered(by: Person.name)
    let renderer = Renderer(PeopleList(people: people))
    renderer.render()
    #expect(renderer.frames.last == ["2 people", "Ann, 30", "Ben, 20"])
    try await store.write { transaction in
      // No view shows it.
      try transaction.modify(EntityId<Person>(1)) { $0.email = "ann@example.com" }
    }
    try await store.write { transaction in
      try transaction.modify(EntityId<Person>(2)) { $0.name = "Adam" }
      try transaction.put(Person("Cid", age: 40))
    }
    await renderer.next()
    #expect(renderer.frames.last == ["3 people", "Adam, 20", "Ann, 30", "Cid, 40"])
    try await store.write { transaction in _ = try transaction.remove(EntityId<Person>(1)) }
    await renderer.next()
    #expect(renderer.frames.last == ["2 people", "Adam, 20", "Cid, 40"])
    #expect(renderer.frames.count == 3)
  }
}
