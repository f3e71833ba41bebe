import ObjectBox
import Testing

/// Generated code in a module whose default isolation is the main actor.
struct DefaultIsolationTests {
  @Test func `entities of the main actor are stored and found there`() throws {
    let store = try Store(directoryPath: "memory:main-actor-1")
    let box = store.box(for: Draft.self)
    let draft = Draft()
    draft.title = "one"
    draft.style = .fancy
    draft.margins.right = 3
    try box.put(draft)
    #expect(try box.get(draft.id)?.margins == Margins(left: 1, right: 3))
    #expect(try box.query { .title == "one" }.build().findFirst()?.style == .fancy)
    let label = try store.box(for: Label.self).put(struct: Label(id: 0, name: "x"))
    #expect(try store.box(for: Label.self).get(label.id) == label)
    let window = Window()
    window.width = 3
    #expect(try store.box(for: Window.self).put(window) == 1)
    #expect(try store.box(for: Window.self).query { Window.width > 2 }.build().count() == 1)
  }

  @Test func `a store of the main actor is opened with a configuration`() throws {
    var configuration = Store.Configuration(directory: "memory:main-actor-3")
    let store = try Store(configuration: configuration)
    configuration.sharesOpenStore = true
    let shared = try Store(configuration: configuration)
    try store.box(for: Draft.self).put(Draft())
    #expect(try shared.box(for: Draft.self).count() == 1)
  }

  @Test func `a store of the main actor is opened without blocking it`() async throws {
    let store = try await Store.open(directoryPath: "memory:main-actor-4")
    try store.box(for: Draft.self).put(Draft())
    #expect(try store.box(for: Draft.self).count() == 1)
  }

  @Test func `entities of no actor are used from other threads`() async throws {
    let store = try Store(directoryPath: "memory:main-actor-2")
    let found = try await Task.detached {
      let box = store.box(for: Job.self)
      let job = Job()
      job.name = "sweep"
      try box.put(job)
      let step = try store.box(for: Step.self).put(
        struct: Step(id: 0, text: "go", counts: ["a": 1])
      )
      #expect(step.id == 1)
      #expect(try store.box(for: Step.self).get(step.id) == step)
      return try box.query { .name == "sweep" && Job.id == job.id }.build().count()
    }.value
    #expect(found == 1)
    #expect(try store.box(for: Step.self).query { .text == "go" }.build().findIds() == [1])
  }
}
