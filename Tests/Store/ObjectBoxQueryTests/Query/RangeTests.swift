import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Ranges that exclude their upper bound.
struct RangeTests {
  private static let start = Date(timeIntervalSince1970: 1_000_000)

  private static func date(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

  private func store(isIndexed: Bool) throws -> Store {
    let builder = try ModelBuilder()
    let moment = try builder.entityBuilder(for: Moment.self, id: 1, uid: 1)
    let types: [(PropertyType, [PropertyFlags])] = [
      (.date, []), (.dateNano, []), (.long, []), (.long, [.unsigned]),
    ]
    try moment.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 1)
    for (place, (type, flags)) in types.enumerated() {
      let id = UInt32(place + 2)
      try moment.addProperty(
        name: ["date", "exact", "number", "size"][place],
        type: type,
        flags: flags + (isIndexed ? [.indexed] : []),
        id: id,
        uid: UInt64(id),
        indexId: isIndexed ? id : 0,
        indexUid: isIndexed ? UInt64(id) * 100 : 0
      )
    }
    try moment.lastProperty(id: 5, uid: 5)
    builder.lastEntity(id: 1, uid: 1)
    if isIndexed { builder.lastIndex(id: 5, uid: 500) }
    return try Store(
      model: builder.finish(),
      directory: Store.inMemoryPrefix + UUID().uuidString
    )
  }

  /// Returns a box with an object for each number of seconds after the start.
  private func moments(_ seconds: [Double], isIndexed: Bool) throws -> Box<Moment> {
    let box = try store(isIndexed: isIndexed).box(for: Moment.self)
    try box.put(seconds.map { Moment(Self.date($0)) })
    return box
  }

  private func ids(_ box: Box<Moment>, _ condition: QueryCondition<Moment>) throws -> [Id] {
    try box.query { condition }.build().findIds().map(\.value)
  }

  @Test(arguments: [false, true])
  func `a range of dates ends at its upper bound, to the nanosecond`(isIndexed: Bool) throws {
    let box = try moments([-0.000_01, 0, 0.999, 0.9992, 0.999_99, 1], isIndexed: isIndexed)
    let range = Self.date(0)..<Self.date(1)
    #expect(try ids(box, Moment.exact ∈ range) == [2, 3, 4, 5])
    #expect(try ids(box, Moment.exact.isIn(range)) == [2, 3, 4, 5])
    // Dates are rounded to milliseconds: object 1 up to the start, object 5 up to the end.
    #expect(try ids(box, Moment.date ∈ range) == [1, 2, 3, 4])
    #expect(try ids(box, Moment.exact ∈ Self.date(0)...Self.date(1)) == [2, 3, 4, 5, 6])
  }

  @Test(arguments: [false, true])
  func `a range of less than a millisecond matches nothing before it`(isIndexed: Bool) throws {
    let box = try moments([-0.001, -0.0003, 0, 0.0003, 0.0005], isIndexed: isIndexed)
    #expect(try ids(box, Moment.exact ∈ Self.date(0)..<Self.date(0.0005)) == [3, 4])
    #expect(try ids(box, Moment.exact ∈ Self.date(0)..<Self.date(0)) == [])
    // Both bounds round to the same millisecond.
    #expect(try ids(box, Moment.date ∈ Self.date(0)..<Self.date(0.0004)) == [])
  }

  @Test(arguments: [false, true])
  func `a range of dates reaches to the ends of what a date can be`(isIndexed: Bool) throws {
    let box = try moments([-1, 0, 1], isIndexed: isIndexed)
    #expect(try ids(box, Moment.exact ∈ .distantPast..<Self.date(0)) == [1])
    #expect(
      try ids(box, Moment.exact ∈ Self.date(0)..<Date(timeIntervalSince1970: 1e300)) == [2, 3]
    )
    #expect(try ids(box, Moment.date ∈ Date(timeIntervalSince1970: -1e300)..<Self.date(0)) == [1])
  }

  @Test func `bounds that are set later are both included, also those of an empty range`() throws {
    let box = try moments([0, 1, 2, 3], isIndexed: true)
    let days = try box.query { Moment.exact ∈ Self.date(0)..<Self.date(1) }.build()
    #expect(try days.findIds() == [1])
    days.setParameters(Moment.exact, to: Self.date(1), Self.date(2))
    #expect(try days.findIds() == [2, 3])
    let empty = try box.query { "numbers" .= Moment.number ∈ 5..<5 }.build()
    #expect(try empty.count() == 0)
    empty.setParameters("numbers", to: 9, -9)
    #expect(try empty.count() == 4)
  }

  @Test func `a range uses the index, and is told in the words of conditions`() throws {
    let box = try moments((0..<100).map(Double.init), isIndexed: true)
    let dates = try box.query { Moment.exact ∈ Self.date(3)..<Self.date(7) }.build()
    #expect(
      try dates.explain()
        == "index on 'exact' (value), range: (exact >= 1970-01-12T13:46:43Z AND "
        + "exact < 1970-01-12T13:46:47Z); about 4 of 100 objects"
    )
    #expect(try dates.findIds() == [4, 5, 6, 7])
    let numbers = try box.query { Moment.number ∈ -3..<5 || Moment.number == 7 }.build()
    #expect("\(numbers)".contains("((number >= -3 AND number < 5) OR number == 7)"))
  }
}

/// A date in both precisions, and integers.
private final class Moment: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Moment
  typealias EntityBindingType = MomentBinding
  static let entityInfo = EntityInfo(name: "Moment", id: 1)
  static let entityBinding = MomentBinding()

  var id: Id = 0
  var date: Date
  var number = 0
  var size: UInt64 = 0
  var _id: EntityId<Moment> { EntityId(id) }

  init(_ date: Date) {
    self.date = date
  }

  static var date: Property<Moment, Date, Void> { Property(propertyId: 2) }
  static var exact: Property<Moment, Date, Void> { Property(propertyId: 3) }
  static var number: Property<Moment, Int, Void> { Property(propertyId: 4) }
  static var size: Property<Moment, UInt64, Void> { Property(propertyId: 5) }
}

private final class MomentBinding: EntityBinding, Sendable {
  typealias EntityType = Moment
  typealias IdType = Id
  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Moment, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Moment) -> Id { entity.id }
  func collect(
    fromEntity entity: Moment,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) throws {
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(entity.date, at: 6)
    propertyCollector.collectNanos(entity.date, at: 8)
    propertyCollector.collect(entity.number, at: 10)
    propertyCollector.collect(entity.size, at: 12)
  }
  func createEntity(entityReader: RecordReader, store: Store) -> Moment {
    let moment = Moment(entityReader.read(at: 6))
    moment.id = entityReader.read(at: 4)
    return moment
  }
}
