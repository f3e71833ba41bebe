import Foundation
import ObjectBox
import Testing

// The helper functions are generic over the property's type or the entity, as in programs.

struct GenericFloatingPointTests {
  private let stores: NumbersStore
  private var box: Box<Numbers> { stores.box }

  init() throws {
    stores = try NumbersStore()
  }

  private func ids(_ condition: QueryCondition<Numbers>) throws -> [Id] {
    try box.query { condition }.build().findIds().map(\.value)
  }

  private func put<T: BinaryFloatingPoint & EntityPropertyTypeConvertible>(
    _ number: ReferenceWritableKeyPath<Numbers, T>,
    _ optional: ReferenceWritableKeyPath<Numbers, T?>
  ) throws {
    try box.put(
      [(-1.5, -1.5), (1, 1), (2.5, 2.5), (2, nil)].map { (value: T, other: T?) in
        let numbers = Numbers()
        numbers[keyPath: number] = value
        numbers[keyPath: optional] = other
        return numbers
      }
    )
  }

  private func check<T: BinaryFloatingPoint & EntityPropertyTypeConvertible>(
    _ property: Property<Numbers, T, Void>
  ) throws {
    let one: T = 1
    #expect(try box.query { property > 1 && property < 2.5 }.build().findIds() == [4])
    #expect(try ids(property < one) == [1])
    #expect(try ids(property <= 1) == [1, 2])
    #expect(try ids(property > one) == [3, 4])
    #expect(try ids(property >= 2) == [3, 4])
    #expect(try ids(property.isEqual(to: 2.25, tolerance: 0.25)) == [3, 4])
    #expect(try ids(property.isLessThan(one)) == [1])
    #expect(try ids(property.isGreaterThan(1)) == [3, 4])
    #expect(try ids(property.isLessOrEqual(1)) == [1, 2])
    #expect(try ids(property.isGreaterOrEqual(2)) == [3, 4])
    #expect(try ids(property.isBetween(2, and: one)) == [2, 4])
    let condition: PropertyQueryCondition<Numbers, T> = property > 1
    let query = try box.query { condition }.build()
    query.setParameter(property, to: 2)
    #expect(try query.findIds() == [3])
    #expect(try query.property(property).max() == 2.5)
    #expect(try query.property(property).sum() == 2.5)
    let between = try box.query { property.isBetween(8, and: 9) }.build()
    between.setParameters(property, to: 2.0, 1)
    #expect(try between.findIds() == [2, 4])
    between.setParameter(property, toEqual: 2.25, tolerance: 0.25)
    #expect(try between.findIds() == [3, 4])
    #expect(try between.property(property).average() == 2.25)
    let ordered = try box.query().ordered(by: property, flags: .descending).build()
    #expect(try ordered.findIds() == [3, 4, 2, 1])
  }

  private func check<T: BinaryFloatingPoint & EntityPropertyTypeConvertible>(
    _ property: Property<Numbers, T?, Void>
  ) throws {
    let one: T = 1
    #expect(try box.query { property > 0.5 && property < 2.5 }.build().findIds() == [2])
    #expect(try ids(property < one) == [1])
    #expect(try ids(property <= 1) == [1, 2])
    #expect(try ids(property > one) == [3])
    #expect(try ids(property >= 1) == [2, 3])
    #expect(try ids(property.isNil()) == [4])
    let query = try box.query { property > 1 }.build()
    query.setParameter(property, to: T(-2))
    #expect(try query.findIds() == [1, 2, 3])
    #expect(try query.property(property).min() == -1.5)
    #expect(try query.property(property).count() == 3)
  }

  @Test func `functions are generic over Float`() throws {
    try put(\.float, \.maybeFloat)
    try check(Numbers.float)
    try check(Numbers.maybeFloat)
  }

  @Test func `functions are generic over Double`() throws {
    try put(\.double, \.maybeDouble)
    try check(Numbers.double)
    try check(Numbers.maybeDouble)
  }
}

struct GenericValueTests {
  private let stores: ContractStore
  private var box: Box<Reading> { stores.readings }

  /// Objects 1 to 3 hold ascending values.
  init() throws {
    stores = try ContractStore(maxDbSizeInKByte: 10_000)
    try stores.readings.put(
      (1...3).map { number in
        Reading {
          $0.text = "text \(number)"
          $0.maybeText = "text \(number)"
          $0.date = Date(timeIntervalSince1970: Double(number))
          $0.maybeDate = Date(timeIntervalSince1970: Double(number))
          $0.data = Data([UInt8(number)])
          $0.maybeData = Data([UInt8(number)])
        }
      }
    )
  }

  private func ids(_ condition: QueryCondition<Reading>) throws -> [Id] {
    try box.query { condition }.build().findIds().map(\.value)
  }

  private func checkTexts<T: StringPropertyType>(_ property: Property<Reading, T, Void>) throws {
    #expect(try box.query { property > "text 1" && property < "text 3" }.build().findIds() == [2])
    #expect(try ids(property == "text 2") == [2])
    #expect(try ids(property != "text 2") == [1, 3])
    #expect(try ids(property ∈ ["text 1", "text 3"]) == [1, 3])
    #expect(try ids(property.isEqual(to: "TEXT 2", caseSensitive: false)) == [2])
    #expect(try ids(property.startsWith("te")) == [1, 2, 3])
    #expect(try ids(property.hasSuffix("3")) == [3])
    #expect(try ids(property.contains("2")) == [2])
    let query = try box.query { property == "" }.build()
    query.setParameter(property, to: "text 3")
    #expect(try query.property(property).findStrings() == ["text 3"])
    let among = try box.query { property ∈ [] }.build()
    among.setParameters(property, to: ["text 1"])
    #expect(try among.findIds() == [1])
  }

  private func checkDates<T: DatePropertyType>(_ property: Property<Reading, T, Void>) throws {
    func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }
    #expect(try box.query { property > date(1) && property < date(3) }.build().findIds() == [2])
    #expect(try ids(property == date(2)) == [2])
    #expect(try ids(property != date(2)) == [1, 3])
    #expect(try ids(property ∈ date(1)..<date(2)) == [1])
    #expect(try ids(property ∈ date(1)...date(2)) == [1, 2])
    #expect(try ids(property ∈ [date(3)]) == [3])
    #expect(try ids(property ∉ [date(3)]) == [1, 2])
    #expect(try ids(property.isBetween(date(3), and: date(2))) == [2, 3])
    let query = try box.query { property.isBefore(date(1)) }.build()
    query.setParameter(property, to: date(2))
    #expect(try query.propertyInt64(property).find() == [1000])
    let between = try box.query { property.isBetween(date(0), and: date(0)) }.build()
    between.setParameters(property, to: date(2), date(1))
    #expect(try between.findIds() == [1, 2])
  }

  private func checkBytes<T: DataPropertyType>(_ property: Property<Reading, T, Void>) throws {
    #expect(try box.query { property > Data([1]) && property < Data([3]) }.build().count() == 1)
    #expect(try ids(property == Data([2])) == [2])
    let query = try box.query { property > Data([9]) }.build()
    query.setParameter(property, to: Data([2]))
    #expect(try query.findIds() == [3])
  }

  @Test func `functions are generic over texts, dates and bytes`() throws {
    try checkTexts(Reading.text)
    try checkTexts(Reading.maybeText)
    try checkDates(Reading.date)
    try checkDates(Reading.maybeDate)
    try checkBytes(Reading.data)
    try checkBytes(Reading.maybeData)
  }

  /// A layer over boxes that compares the properties of any entity.
  private func first<E, T: FixedWidthInteger & EntityPropertyTypeConvertible>(
    in box: Box<E>,
    where property: Property<E, T, Void>,
    isAtLeast value: T
  ) throws -> E?
  where E: Entity & EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try box.query { property >= value }.ordered(by: property).build().findFirst()
  }

  @Test func `functions are generic over entity and type`() throws {
    try stores.contacts.put([Contact(name: "a", age: 5), Contact(name: "b", age: 7)])
    try stores.markers.put([Marker(kind: 3), Marker(kind: 1)])
    #expect(try first(in: stores.contacts, where: Contact.age, isAtLeast: 6)?.name == "b")
    #expect(try first(in: stores.markers, where: Marker.kind, isAtLeast: 1)?.id == 2)
  }

  private func object<I: IdBase & ExpressibleByIntegerLiteral>(
    _ property: Property<Reading, I, I>
  ) throws -> [Id] {
    try ids(property == 2) + ids(property.isEqual(to: 3))
  }

  @Test func `functions are generic over the type of IDs`() throws {
    #expect(try object(Reading.id) == [2, 3])
  }
}
