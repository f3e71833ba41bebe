import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

/// Errors of refused values name the entity and the property.
struct RefusedValueTests {
  // MARK: IDs

  @Test func `after the greatest ID new objects are refused with the name of the entity`() throws {
    let temporary = try TemporaryStore()
    let points = temporary.store.box(for: Point.self)
    let greatest = EntityId<Point>(UInt64.max - 1)
    try points.put(Point(id: greatest, x: 1, y: 2))
    for _ in 0..<3 {
      #expect {
        try points.put(Point(id: 0, x: 3, y: 4))
      } throws: { error in
        guard case ObjectBoxError.illegalState(let message) = error else { return false }
        return message.contains("'Point'") && message.contains("used up")
      }
      #expect(throws: ObjectBoxError.self) { try points.async.put(Point(id: 0, x: 3, y: 4)) }
    }
    try points.put(Point(id: 7, x: 5, y: 6))
    #expect(try points.count() == 2)
    #expect(throws: ObjectBoxError.self) { try points.put(Point(id: EntityId(.max), x: 1, y: 2)) }
    try temporary.reopen()
    #expect(throws: ObjectBoxError.self) {
      try temporary.store.box(for: Point.self).put(Point(id: 0, x: 3, y: 4))
    }
    #expect(try temporary.store.box(for: Point.self).get(greatest)?.x == 1)
  }

  // MARK: Closed stores

  @Test func `a box that is asked of a closed store throws when it is used`() throws {
    let temporary = try TemporaryStore()
    temporary.store.close()
    let people = temporary.store.box(for: Person.self)
    func isClosed(_ error: any Error) -> Bool {
      guard case ObjectBoxError.illegalState(let message) = error else { return false }
      return message.contains("is closed")
    }
    #expect(performing: { try people.put(Person("A")) }, throws: isClosed)
    #expect(performing: { try people.get(1 as Id) }, throws: isClosed)
    #expect(performing: { try people.count() }, throws: isClosed)
    #expect(performing: { try people.all() }, throws: isClosed)
    #expect(performing: { try people.remove(1 as Id) }, throws: isClosed)
    #expect(performing: { try people.removeAll() }, throws: isClosed)
    #expect(performing: { try people.async.put(Person("A")) }, throws: isClosed)
    #expect(performing: { try people.query { Person.age > 1 }.build().find() }, throws: isClosed)
  }

  // MARK: Dates

  private static func names(_ error: any Error) -> Bool {
    guard case ObjectBoxError.illegalArgument(let message) = error else { return false }
    return message.contains("'Sample'") && message.contains("'date'")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e17, -1e17])
  func `an asynchronous put refuses a date that is no number`(_ seconds: Double) throws {
    let samples = try SampleStore(.all)
    let sample = Sample()
    sample.date = Date(timeIntervalSince1970: seconds)
    #expect(performing: { try samples.samples.async.put(sample) }, throws: Self.names)
    #expect(try samples.samples.count() == 0)
    #expect(sample.id == 0)
  }

  @Test func `a condition on a date that is not a number is refused`() throws {
    let samples = try SampleStore(.all)
    let sample = Sample()
    sample.date = Date(timeIntervalSince1970: 5)
    try samples.samples.put(sample)
    let never = Date(timeIntervalSince1970: .nan)
    let query = samples.samples.query { Sample.date.isBefore(never) }
    #expect(throws: ObjectBoxError.self) { try query.build().find() }
    // Infinite dates compare as before or after all others.
    let last = Date(timeIntervalSince1970: .infinity)
    #expect(try samples.samples.query { Sample.date.isBefore(last) }.build().count() == 1)
    #expect(try samples.samples.query { Sample.date.isAfter(last) }.build().count() == 0)
  }
}
