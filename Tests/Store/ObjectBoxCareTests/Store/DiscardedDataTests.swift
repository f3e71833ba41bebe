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

  private func format() throws -> [UInt8]? {
    let environment = try StorageEnvironment(
      directory: changing.path,
      options: .init(mapSizeInBytes: 64 << 20, maximumTableCount: 4)
    )
    defer { environment.close() }
    let reading = try environment.beginRead()
    defer { reading.abort() }
    let system = try #require(try reading.openTable("objectbox", .plain, create: false))
    return try reading.get(system, key: Array("format".utf8))
  }

  @Test func `a file with checksums has its format with and without retired data`() throws {
    try changing.fill(try changing.openPeople())
    #expect(try format() == [3, 0, 0, 0])
    let store = try changing.openPoints()
    #expect(try format() == [3, 0, 0, 0])
    try store.discardRetiredData()
    store.close()
    #expect(try format() == [3, 0, 0, 0])
    #expect(try Store.verify(directory: changing.path).faults == [])
  }

  @Test func `of older files, only one with retired data has a format that its versions refuse`()
    throws
  {
    try ChangedFile.makeWithoutChecksums(changing.path)
    try changing.fill(try changing.openPeople())
    #expect(try format() == [1, 0, 0, 0])
    try changing.openPoints().close()
    #expect(try format() == [2, 0, 0, 0])
    let store = try changing.openPoints()
    try store.discardRetiredData()
    store.close()
    #expect(try format() == [1, 0, 0, 0])
    #expect(try Store.verify(directory: changing.path).faults == [])
  }

  @Test func `a file of a later format is refused with both numbers`() throws {
    try changing.fill(try changing.openPeople())
    let environment = try StorageEnvironment(
      directory: changing.path,
      options: .init(mapSizeInBytes: 64 << 20, maximumTableCount: 4)
    )
    let writing = try environment.beginWrite()
    let system = try #require(try writing.openTable("objectbox", .plain, create: false))
    try writing.put(system, key: Array("format".utf8), value: [6, 0, 0, 0])
    try writing.commit()
    environment.close()
    #expect {
      _ = try changing.openPeople()
    } throws: { error in
      "\(error)".contains("format is 6") && "\(error)".contains("up to 5")
    }
  }
}
