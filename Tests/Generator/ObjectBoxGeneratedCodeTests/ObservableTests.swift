import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxTestSupport
import Observation
import Testing

/// Entities with the macro `@Observable`.
struct ObservableTests {
  private let folder: TemporaryDirectory
  private let store: Store

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
  }

  @Test func `an observable class is stored, found and read with its relations`() throws {
    let errands = store.box(for: Errand.self)
    let errand = Errand("buy milk")
    errand.due = Date(timeIntervalSince1970: 1)
    errand.level = 200
    errand.note = "two"
    errand.journey.target = Journey("to town")
    let helper = Helper()
    helper._id = "h"
    errand.helpers.append(helper)
    try errands.put(errand)
    #expect(errand.id == 1)
    let read = try #require(
      try errands.query { Errand.level > 128 && Errand.name == "buy milk" }.build().findUnique()
    )
    #expect(read.note == "two" && read.due == errand.due)
    #expect(read.journey.target?.name == "to town")
    #expect(read.helpers.map(\._id) == ["h"])
    #expect(read.helpers[0].errands.map(\.name) == ["buy milk"])
    let journey = try #require(try store.box(for: Journey.self).all().first)
    #expect(journey.errands.map(\.name) == ["buy milk"])
    #expect(try errands.get(where: Errand.name, equals: "buy milk")?.id == 1)
  }

  @Test func `a change of a property of an object is observed`() throws {
    let errands = store.box(for: Errand.self)
    try errands.put(Errand("old"))
    let errand = try #require(try errands.get(1))
    nonisolated(unsafe) var changes = 0
    withObservationTracking {
      _ = errand.name
    } onChange: {
      changes += 1
    }
    errand.note = "not observed"
    #expect(changes == 0)
    errand.name = "new"
    #expect(changes == 1)
    try errands.put(errand)
    #expect(try errands.get(1)?.name == "new")
  }

  @Test func `a frozen object of an observable class has its values`() throws {
    let errands = store.box(for: Errand.self)
    try errands.put(Errand("one"))
    let frozen = try store.freeze()
    let object = try #require(try frozen.object(Errand.self, 1))
    #expect(try object.value().name == "one")
    #expect(try object[Errand.level] == nil)
  }
}
