import Foundation
import ObjectBoxRuntimeTestSupport
import ObjectBoxSearch
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

@testable import ObjectBox

/// Updates by queries.
struct UpdateTests {
  private func people(_ temporary: TemporaryStore) throws -> Box<Person> {
    let people = temporary.store.box(for: Person.self)
    try people.put((1...6).map { Person("p\($0)", email: "\($0)", age: Int32($0)) })
    return people
  }

  @Test func `the last value of a property counts, and an update without values writes nothing`()
    throws
  {
    let temporary = try TemporaryStore()
    let people = try people(temporary)
    let query = try people.query { Person.age == 1 }.build()
    try query.update {
      $0.set(Person.email, to: "mail")
      $0.set(Person.email, to: nil)
    }
    #expect(try people.get(1)?.email == nil)
    #expect(try query.update { _ in } == 0)
  }

  @Test func `an update runs in the transaction of its caller`() throws {
    struct Stop: Error {}
    let temporary = try TemporaryStore()
    let people = try people(temporary)
    #expect(throws: Stop.self) {
      try temporary.store.write { _ in
        try people.query().build().update { $0.set(Person.age, to: 0) }
        #expect(try people.query { Person.age == 0 }.build().count() == 6)
        throw Stop()
      }
    }
    #expect(try people.query { Person.age == 0 }.build().count() == 0)
  }

  @Test func `an update that violates a unique value changes nothing, and its caller goes on`()
    throws
  {
    let temporary = try TemporaryStore()
    let people = try people(temporary)
    try temporary.store.write { transaction in
      #expect(throws: ObjectBoxError.self) {
        try people.query { Person.age > 3 }.build().update {
          $0.set(Person.email, to: "same")
          $0.set(Person.age, to: 9)
        }
      }
      try transaction.put(Person("p7", email: "same", age: 7))
    }
    #expect(try people.all().map(\.age) == [1, 2, 3, 4, 5, 6, 7])
  }

  @Test func `an update throws the error of its block before it writes`() throws {
    struct Stop: Error {}
    let temporary = try TemporaryStore()
    let people = try people(temporary)
    #expect(throws: Stop.self) {
      try people.query().build().update {
        $0.set(Person.age, to: 0)
        throw Stop()
      }
    }
    #expect(try people.get(1)?.age == 1)
  }

  @Test func `an update of the ID, or of a property that the model lacks, is refused`() throws {
    let temporary = try TemporaryStore()
    let people = try people(temporary)
    let query = try people.query().build()
    let id = Property<Person, Id, Void>(propertyId: 1, isPrimaryKey: true)
    #expect {
      try query.update { $0.set(id, to: 9) }
    } throws: {
      "\($0)".contains("'Person.id', the ID")
    }
    let missing = Property<Person, Int32, Void>(propertyId: 77)
    #expect {
      try query.update { $0.set(missing, to: 9) }
    } throws: {
      "\($0)".contains("property 77 of 'Person'")
    }
  }

  @Test func `a value that no record holds is refused`() throws {
    let sample = try SampleStore(.all)
    try sample.samples.put([Sample(), Sample()])
    #expect {
      try sample.samples.query().build().update {
        $0.set(Sample.date, to: Date(timeIntervalSince1970: .nan))
      }
    } throws: {
      "\($0)".contains("'date'")
    }
  }

  @Test func `a damaged record is not written again`() throws {
    let temporary = try TemporaryStore()
    let people = try people(temporary)
    try people.writing { writer, _ in
      var bytes = try #require(try writer.table.bytes(of: 2, in: writer.transaction.storage))
      bytes[bytes.count - 1] ^= 1
      try bytes.withUnsafeBytes {
        try writer.transaction.writeCursor(writer.table).put(id: 2, record: $0)
      }
    }
    #expect {
      try people.query().build().update { $0.set(Person.age, to: 0) }
    } throws: {
      "\($0)".contains("damaged")
    }
    #expect(try people.get(1)?.age == 1)
  }

  @Test func `an update sets each kind of value, with its index`() throws {
    let sample = try SampleStore(.all)
    try sample.keepers.put([Keeper(rank: 1), Keeper(rank: 2)])
    try sample.samples.put([Sample(), Sample(), Sample()])
    let key = UUID()
    let date = Date(timeIntervalSince1970: 12)
    let all = try sample.samples.query().build()
    try all.update {
      $0.set(Sample.number, to: 5)
      $0.set(Sample.size, to: .max)
      $0.set(Sample.text, to: "text")
      $0.set(Sample.date, to: date)
      $0.set(Sample.weight, to: -0.5)
      $0.set(Sample.marks, to: [1, 2])
      $0.set(Sample.words, to: ["a", "b"])
      $0.set(Sample.key, to: key)
      $0.set(Sample.keeper, to: EntityId<Keeper>(2))
    }
    let query = try sample.samples.query {
      Sample.number == 5 && Sample.size == UInt32.max && Sample.text == "text"
        && Sample.date == date && Sample.weight < 0 && Sample.marks.isEqual(to: 2)
        && Sample.words.contains("b") && Sample.key == key && Sample.keeper.isEqual(to: 2)
    }.build()
    #expect(try query.count() == 3)
    #expect(
      try sample.keepers.query().link(Keeper.samples) { Sample.number == 5 }.build().findIds()
        .map(\.value) == [2]
    )
    try all.update {
      $0.set(Sample.number, to: nil)
      $0.set(Sample.marks, to: nil)
      $0.set(Sample.key, to: nil)
      $0.set(Sample.keeper, to: nil)
    }
    let cleared = try sample.samples.query {
      Sample.number.isNil() && Sample.marks.isNil() && Sample.key.isNil() && Sample.keeper.isNil()
        && Sample.words.contains("b")
    }.build()
    #expect(try cleared.count() == 3)
    try all.update { $0.set(Sample.keeper, to: 1 as Id) }
    #expect(try sample.samples.query { Sample.keeper.isEqual(to: 1) }.build().count() == 3)
    try all.update { $0.set(Sample.keeper, to: 0 as Id) }
    #expect(try sample.samples.query { Sample.keeper.isNil() }.build().count() == 3)
  }

  private func model(hasEmail: Bool) throws -> OpaquePointer {
    let builder = try ModelBuilder()
    let person = try builder.entityBuilder(for: Person.self, id: 1, uid: 1001)
    try person.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 1)
    try person.addProperty(name: "name", type: .string, id: 2, uid: 2)
    if hasEmail { try person.addProperty(name: "email", type: .string, id: 3, uid: 3) }
    try person.addProperty(name: "age", type: .int, id: 4, uid: 4)
    try person.lastProperty(id: 4, uid: 4)
    builder.lastEntity(id: 1, uid: 1001)
    return builder.finish()
  }

  @Test func `records of an earlier layout get the present one`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/store"
    let old = try Store(model: try model(hasEmail: false), directory: path)
    try old.box(for: Person.self).put([Person("a", age: 1), Person("b", age: 2)])
    old.close()
    let store = try Store(model: try model(hasEmail: true), directory: path)
    let people = store.box(for: Person.self)
    try people.query { Person.age == 2 }.build().update { $0.set(Person.age, to: 4) }
    #expect(try people.all().map(\.age) == [1, 4])
    try people.query().build().update { $0.set(Person.email, to: "x") }
    #expect(try people.all().map(\.email) == ["x", "x"])
    #expect(try people.all().map(\.name) == ["a", "b"])
    store.close()
  }

  @Test func `an update of vectors changes their graph`() throws {
    let sights = try SightStore()
    try sights.box.put((0..<20).map { Sight([Float($0), 0], kind: Int32($0)) })
    try sights.box.query { Sight.kind == 3 }.build().update {
      $0.set(Sight.vector, to: [100, 100])
    }
    try sights.box.query { Sight.kind == 4 }.build().update { $0.set(Sight.vector, to: nil) }
    func nearest(_ vector: [Float]) throws -> UInt64? {
      try sights.box.query { Sight.vector.nearestNeighbors(queryVector: vector, maxCount: 1) }
        .build().findIdsWithScores().first?.id
    }
    #expect(try nearest([99, 99]) == 4)
    #expect(try nearest([4.1, 0]) == 6)
    #expect(throws: ObjectBoxError.self) {
      try sights.box.query().build().update { $0.set(Sight.vector, to: [1]) }
    }
  }

  @Test func `an update of texts changes their words`() throws {
    let pages = try PageStore()
    try pages.box.put([Page("red fox"), Page("blue whale"), Page("red ant")])
    try pages.box.query { Page.text.matches("red") }.build().update {
      $0.set(Page.text, to: "green frog")
    }
    #expect(try pages.ids(matching: "green") == [1, 3])
    #expect(try pages.ids(matching: "red") == [])
    #expect(try pages.faults() == [])
  }

  @Test func `a count stops at its limit`() throws {
    let temporary = try TemporaryStore()
    let people = try people(temporary)
    for query in try [
      people.query().build(), people.query { Person.age > 0 }.build(),
      people.query { Person.name.startsWith("p") }.build(),
      people.query { Person.age.isIn([1, 2, 3, 4, 5, 6]) }.build(),
      people.query { Person.age == 1 || Person.age > 1 }.build(),
    ] {
      #expect(try query.count(limit: 4) == 4)
      #expect(try query.count(limit: 6) == 6)
      #expect(try query.count(limit: 60) == 6)
      #expect(try query.count(limit: 0) == 6)
    }
  }
}
