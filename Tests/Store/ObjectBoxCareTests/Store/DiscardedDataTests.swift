import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxRuntimeTestSupport
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// Discarded retired data, and the file with and without it.
struct DiscardedDataTests {
  private let changing: ChangingStore

  init() throws {
    changing = try ChangingStore()
  }

  @Test func `discarded data does not come back, and the statistics tell of none`() throws {
    try changing.fill(try changing.openPeople())
    do {
      let store = try changing.openPoints()
      let told = try store.statistics.retiredData
      #expect(told.entities.map(\.name) == ["Person"])
      #expect(told.entities.map(\.uid) == [1001])
      #expect(told.entities.map(\.objectCount) == [2])
      #expect(told.sizeInBytes > 0)
      #expect(try store.discardRetiredData() == told)
      #expect(try store.statistics.retiredData.isEmpty)
      #expect(try store.discardRetiredData().isEmpty)
      store.close()
    }
    let store = try changing.openPeople()
    #expect(try store.box(for: Person.self).isEmpty())
    #expect(try store.box(for: Person.self).put(Person("New")) == 1)
  }

  @Test func `the pages of discarded data are used again`() throws {
    do {
      let store = try changing.openPeople([
        ChangingStore.name, ChangingStore.age,
        ChangingStore.Prop(name: "photo", type: .byteVector, id: 5),
      ])
      let photo = Data(repeating: 1, count: 10_000)
      try store.box(for: Person.self).put(
        (0..<50).map { number in
          let person = Person("\(number)")
          person.photo = photo
          return person
        }
      )
      store.close()
    }
    let store = try changing.openPoints()
    try store.discardRetiredData()
    let pages = try store.statistics.pages
    for number in 0..<200 {
      try store.box(for: Point.self).put(Point(id: 0, x: Double(number), y: nil))
    }
    #expect(try store.statistics.pages == pages)
  }

  @Test func `discarded values of a property do not come back`() throws {
    try changing.fill(try changing.openPeople())
    do {
      let store = try changing.openPeople([ChangingStore.name])
      try store.discardRetiredData()
      #expect(try store.box(for: Person.self).all().map(\.name) == ["Jane", "John"])
      store.close()
    }
    let store = try changing.openPeople()
    #expect(try store.box(for: Person.self).all().map(\.email) == [nil, nil])
    #expect(try store.box(for: Person.self).all().map(\.name) == ["Jane", "John"])
  }

  @Test func `data is not discarded in transactions, and stays when it is refused`() throws {
    try changing.fill(try changing.openPeople())
    let store = try changing.openPoints()
    #expect {
      try store.runInTransaction { try store.discardRetiredData() }
    } throws: { error in
      guard case ObjectBoxError.alreadyInWriteTransaction = error else { return false }
      return true
    }
    #expect {
      try store.runInReadOnlyTransaction { try store.discardRetiredData() }
    } throws: { error in
      guard case ObjectBoxError.cannotWriteWhileReading = error else { return false }
      return true
    }
    #expect(try store.statistics.retiredData.entities.map(\.objectCount) == [2])
    store.close()
    #expect(throws: ObjectBoxError.self) { try store.discardRetiredData() }
  }

  // MARK: The file

  @Test(arguments: [
    (0, "no release of the library wrote it; make a new store"),
    (5, "no release of the library wrote it; make a new store"),
    (7, "use the version of the library that wrote it, or a later one"),
  ])
  func `a file of another format is refused with both numbers and advice`(
    format: UInt8,
    advice: String
  ) throws {
    try changing.fill(try changing.openPeople())
    try ChangedFile.changeDescription(changing.path, key: "format", to: [format, 0, 0, 0])
    let text = "file format is \(format), and this version of the library reads 6; \(advice)"
    #expect {
      _ = try changing.openPeople()
    } throws: { error in
      "\(error)".contains(text)
    }
    let report = try Store.verify(directory: changing.path)
    #expect(report.faults.map(\.message).contains { $0.contains(text) })
  }
}
