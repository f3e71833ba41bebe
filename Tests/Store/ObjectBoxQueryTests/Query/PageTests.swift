import Foundation
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

@testable import ObjectBox

/// Pages that begin behind a cursor.
struct PageTests {
  /// Returns the IDs of all pages, each with another cursor that was encoded between them.
  private func ids<E>(_ query: Query<E>, limit: Int) throws -> [UInt64] {
    var ids: [UInt64] = []
    var cursor: PageCursor?
    repeat {
      let page = try query.find(after: cursor, limit: limit)
      ids += page.objects.map { E.entityBinding.entityId(of: $0) }
      #expect(page.objects.count <= limit)
      #expect(page.next == nil || page.objects.count == limit)
      cursor = try page.next.map {
        try JSONDecoder().decode(PageCursor.self, from: JSONEncoder().encode($0))
      }
    } while cursor != nil
    return ids
  }

  private func fill(_ sample: SampleStore, _ random: inout SplitMix, count: Int) throws {
    let samples = (0..<count).map { _ in
      let object = Sample()
      func some<T>(_ value: T) -> T? { random.pick([true, true, false]) ? value : nil }
      object.number = some(random.pick([0, 1, -1, .min, .max, 7]))
      object.size = random.pick([0, 1, .max, 1 << 31])
      object.text = some(random.pick(["", "a", "A", "ab", "Ä", "ä", "z"]))
      object.date = some(Date(timeIntervalSince1970: Double(random.pick([0, -5, 5, 6]))))
      object.weight = some(random.pick([0, -0.0, 1, -1, .nan, .infinity, -.infinity]))
      object.marks = some([random.pick([1, 2])])
      object.key = some(
        UUID(uuid: (random.pick([0, 1]), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
      )
      return object
    }
    try sample.samples.put(samples)
  }

  @Test(arguments: 0..<TestLength.choose(short: 2, long: 4))
  func `pages in any order have the results of one search`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    let sample = try SampleStore(seed % 2 == 0 ? .all : .init())
    try fill(sample, &random, count: 150)
    for id in [3, 50, 149] { try sample.samples.remove(Id(id)) }
    for number in 0..<250 {
      var selection = Selection(
        of: random.pick([
          nil, (Sample.number > 0).condition, Sample.text.isNotNil().condition,
          (Sample.size > 0 || Sample.number.isNil()).condition,
        ])
      )
      for _ in 0..<random.pick([0, 1, 1, 2, 3]) {
        selection = selection.ordered(
          by: QueryOrder(
            propertyID: UInt32(random.pick([1, 2, 3, 4, 5, 6, 7, 10])),
            flags: .random(in: 0..<32, using: &random)
          )
        )
      }
      let query = try Query(checking: selection, in: sample.samples)
      let expected = try query.findIds().map(\.value)
      let limit = number % 3 == 0 ? 40 : 7
      #expect(try ids(query, limit: limit) == expected, "\(selection)")
    }
  }

  /// Returns the first object that the walk of a page visits; nil without a walk.
  private func firstVisited(_ query: Query<Sample>, behind cursor: PageCursor) throws -> UInt64? {
    let orders = query.selection.copy.orders
    return try query.executing(query.selection.copy) { execution, transaction in
      let table = execution.table
      let place = try cursor.withRecord(orders, of: table.schema, table.records.currentLayout) {
        try PagePlace($0, orders, in: table)
      }
      guard case .walk(let walk) = try execution.arrangement(maxCount: 5, behind: place) else {
        return nil
      }
      var first: UInt64?
      try walk.forEach(in: transaction.storage, sorting: { $0 }) { id in
        first = id
        return false
      }
      return first
    }
  }

  private static let flags: [[OrderFlags]] = [
    [], [.descending], [.nullsLast], [.descending, .nullsLast],
  ]

  @Test(arguments: [false, true], flags)
  func `a page begins at its place among equal values and nulls`(
    isWriting: Bool,
    flags: [OrderFlags]
  ) throws {
    let sample = try SampleStore(.all)
    func check<T>(_ property: Property<Sample, T, Void>, _ query: QueryBuilder<Sample>) throws {
      let query = try query.ordered(by: property, flags: flags + [.caseSensitive]).build()
      var found: [Id] = []
      var page = try query.find(after: nil, limit: 60)
      while let next = page.next {
        found += page.objects.map(\.id)
        #expect(try firstVisited(query, behind: next) == next.id)
        // Behind a removed object.
        try sample.samples.remove(next.id)
        page = try query.find(after: next, limit: 60)
      }
      #expect(found.count + page.objects.count == 2000)
      #expect(Set(found + page.objects.map(\.id)).count == 2000)
      let removed = found.enumerated().filter { $0.offset % 60 == 59 }.map(\.element)
      try put(removed)
    }
    func put(_ ids: [Id]) throws {
      let objects = ids.map { id in
        let object = Sample()
        object.id = id
        let (isNull, value) = (id % 3 == 0, Int(id) % 2)
        object.number = isNull ? nil : Int32(value)
        object.size = 5
        object.text = isNull ? nil : "text \(value)"
        object.date = isNull ? nil : Date(timeIntervalSince1970: Double(value))
        object.weight = isNull ? nil : value == 0 ? .nan : 1.5
        return object
      }
      if try sample.samples.isEmpty() { objects.forEach { $0.id = 0 } }
      try sample.samples.put(objects)
    }
    try sample.store.runInTransaction { try put(Array(1...2000)) }
    func checkAll() throws {
      try check(Sample.number, sample.samples.query())
      try check(Sample.number, sample.samples.query { Sample.size == 5 })
      try check(Sample.size, sample.samples.query())
      try check(Sample.text, sample.samples.query())
      try check(Sample.date, sample.samples.query())
      try check(Sample.weight, sample.samples.query())
    }
    if isWriting { try sample.store.runInTransaction(checkAll) } else { try checkAll() }
  }

  @Test func `a page begins behind an object that was changed or removed`() throws {
    let temporary = try TemporaryStore()
    let people = temporary.store.box(for: Person.self)
    try people.put((1...9).map { Person("p\($0)", age: Int32($0)) })
    let query = try people.query().ordered(by: Person.age).build()
    let page = try query.find(after: nil, limit: 3)
    try people.remove(3)
    try people.put(Person("new", age: 0))
    let second = try query.find(after: page.next, limit: 3)
    #expect(second.objects.map(\.id) == [4, 5, 6])
    let moved = second.objects[2]
    moved.age = 100
    try people.put(moved)
    let third = try query.find(after: second.next, limit: 30)
    #expect(third.objects.map(\.id) == [7, 8, 9, 6])
    #expect(third.next == nil)
  }

  @Test func `a page without a limit has all results behind its cursor`() throws {
    let temporary = try TemporaryStore()
    let people = temporary.store.box(for: Person.self)
    try people.put((1...9).map { Person("p\($0)", age: Int32($0)) })
    let query = try people.query { Person.age > 1 }.build()
    let page = try query.find(after: nil, limit: 2)
    #expect(try query.find(after: page.next, limit: 0).objects.map(\.id) == [4, 5, 6, 7, 8, 9])
    #expect(try query.find(after: nil, limit: 0).objects.count == 8)
    #expect(try query.find(after: page.next, limit: .max).next == nil)
  }

  @Test func `a cursor of other orders, or of another entity, is refused`() throws {
    let temporary = try TemporaryStore()
    let people = temporary.store.box(for: Person.self)
    try people.put((1...9).map { Person("p\($0)", age: Int32($0)) })
    let byAge = try people.query().ordered(by: Person.age).build()
    let cursor = try byAge.find(after: nil, limit: 3).next
    for other in try [
      people.query().build(), people.query().ordered(by: Person.name).build(),
      people.query().ordered(by: Person.age, flags: .descending).build(),
    ] {
      #expect {
        try other.find(after: cursor, limit: 3)
      } throws: {
        "\($0)".contains("other orders")
      }
    }
    let points = try temporary.store.box(for: Point.self).query().build()
    #expect {
      try points.find(after: cursor, limit: 3)
    } throws: {
      "\($0)".contains("another entity")
    }
  }

  @Test func `a cursor with a value of another type is refused`() throws {
    let temporary = try TemporaryStore()
    let people = temporary.store.box(for: Person.self)
    try people.put((1...9).map { Person("p\($0)", age: Int32($0)) })
    let query = try people.query().ordered(by: Person.name).build()
    let next = try #require(try query.find(after: nil, limit: 3).next)
    var text = String(decoding: try JSONEncoder().encode(next), as: UTF8.self)
    text = text.replacing(/\{"bytes":\{"_0":\[[0-9,]*\]\}\}/, with: #"{"integer":{"_0":4}}"#)
    let changed = try JSONDecoder().decode(PageCursor.self, from: Data(text.utf8))
    #expect(changed != next)
    #expect {
      try query.find(after: changed, limit: 3)
    } throws: {
      "\($0)".contains("values that its properties cannot have")
    }
  }

  @Test func `a page of the nearest neighbours has the neighbours of the whole search`() throws {
    let sights = try SightStore()
    let row = (0..<30).map { (place: Int) -> Sight in
      Sight([Float(place), 0], kind: Int32(30 - place))
    }
    try sights.box.put(row)
    let query = try sights.box.query {
      Sight.vector.nearestNeighbors(queryVector: [0, 0], maxCount: 9)
    }.ordered(by: Sight.kind).build()
    #expect(try ids(query, limit: 4) == [9, 8, 7, 6, 5, 4, 3, 2, 1])
  }
}
