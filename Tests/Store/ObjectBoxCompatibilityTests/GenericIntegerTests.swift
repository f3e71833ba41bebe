import ObjectBox
import Testing

// The helper functions are generic over the property's type, as in programs.

/// Four numbers of a type, then the second number again with null in the optional property.
struct GenericIntegerTests {
  private let stores: NumbersStore
  private var box: Box<Numbers> { stores.box }

  init() throws {
    stores = try NumbersStore()
  }

  private func ids(_ condition: QueryCondition<Numbers>) throws -> [Id] {
    try box.query { condition }.build().findIds().map(\.value)
  }

  private func put<T: FixedWidthInteger & EntityPropertyTypeConvertible>(
    _ number: ReferenceWritableKeyPath<Numbers, T>,
    _ optional: ReferenceWritableKeyPath<Numbers, T?>
  ) throws {
    try box.put(
      [(T.min, T.min), (1, 1), (5, 5), (T.max, T.max), (1, nil)].map { (value: T, other: T?) in
        let numbers = Numbers()
        numbers[keyPath: number] = value
        numbers[keyPath: optional] = other
        return numbers
      }
    )
  }

  // MARK: Conditions

  private func check<T: FixedWidthInteger & EntityPropertyTypeConvertible>(
    _ property: Property<Numbers, T, Void>
  ) throws {
    let (one, five): (T, T) = (1, 5)
    #expect(try box.query { property > 1 && property < T.max }.build().findIds() == [3])
    #expect(try ids(property == 1) == [2, 5])
    #expect(try ids(property == T.max) == [4])
    #expect(try ids(property != one) == [1, 3, 4])
    #expect(try ids(property < 5) == [1, 2, 5])
    #expect(try ids(property < T.min) == [])
    #expect(try ids(property <= five) == [1, 2, 3, 5])
    #expect(try ids(property > five) == [4])
    #expect(try ids(property > T.max) == [])
    #expect(try ids(property >= 5) == [3, 4])
    #expect(try ids(property == 5 || property >= T.max) == [3, 4])
    #expect(try ids(property ∈ 1...5) == [2, 3, 5])
    #expect(try ids(property ∈ T.min...T.max) == [1, 2, 3, 4, 5])
    #expect(try ids(property ∈ 1..<5) == [2, 5])
    #expect(try ids(property ∈ T.min..<1) == [1])
    #expect(try ids(property ∈ one..<T.max) == [2, 3, 5])
    #expect(try ids(property ∈ five..<five) == [])
    #expect(try ids(property ∈ [1, T.max]) == [2, 4, 5])
    #expect(try ids(property ∉ [1, T.max]) == [1, 3])
    try checkWords(property)
  }

  private func checkWords<T: FixedWidthInteger & EntityPropertyTypeConvertible>(
    _ property: Property<Numbers, T, Void>
  ) throws {
    let (one, five): (T, T) = (1, 5)
    #expect(try ids(property.isEqual(to: 1)) == [2, 5])
    #expect(try ids(property.isNotEqual(to: one)) == [1, 3, 4])
    #expect(try ids(property.isLessThan(5)) == [1, 2, 5])
    #expect(try ids(property.isGreaterThan(five)) == [4])
    #expect(try ids(property.isLessOrEqual(5)) == [1, 2, 3, 5])
    #expect(try ids(property.isGreaterOrEqual(five)) == [3, 4])
    #expect(try ids(property.isBetween(5, and: one)) == [2, 3, 5])
    #expect(try ids(property.isIn(1...5)) == [2, 3, 5])
    #expect(try ids(property.isIn(1..<five)) == [2, 5])
    #expect(try ids(property.isIn([1, T.max])) == [2, 4, 5])
    #expect(try ids(property.isNotIn([1, T.max])) == [1, 3])
    #expect(try ids(property.isNil()) == [])
    #expect(try ids(property.isNotNil()) == [1, 2, 3, 4, 5])
    let condition: PropertyQueryCondition<Numbers, T> = property > 1
    #expect(try ids(condition && property ∈ [5]) == [3])
  }

  private func check<T: FixedWidthInteger & EntityPropertyTypeConvertible>(
    _ property: Property<Numbers, T?, Void>
  ) throws {
    let (one, five): (T, T) = (1, 5)
    #expect(try box.query { property > 1 && property < T.max }.build().findIds() == [3])
    #expect(try ids(property == 1) == [2])
    #expect(try ids(property != one) == [1, 3, 4])
    #expect(try ids(property < 5) == [1, 2])
    #expect(try ids(property <= five) == [1, 2, 3])
    #expect(try ids(property > five) == [4])
    #expect(try ids(property >= 5) == [3, 4])
    #expect(try ids(property ∈ 1...5) == [2, 3])
    #expect(try ids(property ∈ T.min...T.max) == [1, 2, 3, 4])
    #expect(try ids(property ∈ 1..<5) == [2])
    #expect(try ids(property ∈ five..<five) == [])
    #expect(try ids(property ∈ [1, T.max]) == [2, 4])
    #expect(try ids(property ∉ [1, T.max]) == [1, 3])
    #expect(try ids(property.isNil()) == [5])
    #expect(try ids(property.isNotNil()) == [1, 2, 3, 4])
    #expect(try ids(property.isNil() || property == T.min) == [1, 5])
    let condition: PropertyQueryCondition<Numbers, T> = property > 1
    #expect(try ids(condition && property ∈ [five]) == [3])
  }

  // MARK: Parameters

  private func checkParameters<T: FixedWidthInteger & EntityPropertyTypeConvertible>(
    _ property: Property<Numbers, T, Void>
  ) throws {
    let greater = try box.query { property > 1 && property != T.min }.build()
    greater.setParameter(property, to: T.max)
    #expect(try greater.findIds() == [])
    greater.setParameter(property, to: 5)
    #expect(try greater.findIds() == [4])
    let between = try box.query { property.isBetween(1, and: 1) }.build()
    between.setParameters(property, to: 5, 1)
    #expect(try between.findIds() == [2, 3, 5])
    between.setParameters(property, to: T.min, T.max)
    #expect(try between.count() == 5)
    let among = try box.query { property ∈ [] }.build()
    among.setParameters(property, to: [1, 5])
    #expect(try among.findIds() == [2, 3, 5])
    let named = try box.query { "less" .= property < 1 && "among" .= property ∉ [1] }.build()
    named.setParameter("less", to: 5 as T)
    named.setParameters("among", to: [T.min])
    #expect(try named.findIds() == [2, 5])
  }

  private func checkParameters<T: FixedWidthInteger & EntityPropertyTypeConvertible>(
    _ property: Property<Numbers, T?, Void>
  ) throws {
    let greater = try box.query { property > 1 && property != T.min }.build()
    greater.setParameter(property, to: T.max)
    #expect(try greater.findIds() == [])
    greater.setParameter(property, to: 5)
    #expect(try greater.findIds() == [4])
    let between = try box.query { property ∈ 1...1 }.build()
    between.setParameters(property, to: 5, 1)
    #expect(try between.findIds() == [2, 3])
    let among = try box.query { property ∈ [] }.build()
    among.setParameters(property, to: [1, T.max])
    #expect(try among.findIds() == [2, 4])
    let named = try box.query { "less" .= property < 1 && property.isNotNil() }.build()
    named.setParameter("less", to: 5 as T)
    #expect(try named.findIds() == [1, 2])
  }

  // MARK: Values and orders

  private func checkValues<T: FixedWidthInteger & EntityPropertyTypeConvertible>(
    _ property: Property<Numbers, T, Void>
  ) throws {
    let all = try box.query().build().property(property)
    #expect(try all.find() == [T.min, 1, 5, T.max, 1])
    #expect(try all.max() == T.max)
    #expect(try all.min() == T.min)
    #expect(try all.count() == 5)
    #expect(try all.distinct().count() == 4)
    let small = try box.query { property >= 1 && property <= 5 }.build()
    #expect(try small.property(property).sum() == 7)
    #expect(try small.property(property).sumInt() == 7)
    #expect(try small.property(property).sumUnsigned() == 7)
    #expect(try small.property(property).average() == 7.0 / 3)
    #expect(try small.property(property).averageInt() == 2)
    #expect(throws: ObjectBoxError.self) { try small.property(property).findUnique() }
    small.setParameter(property, to: 2)
    #expect(try small.property(property).findUnique() == 5)
    let ordered = try box.query().ordered(by: property, flags: .descending).build()
    #expect(try ordered.findIds() == [4, 3, 2, 5, 1])
  }

  private func checkValues<T: FixedWidthInteger & EntityPropertyTypeConvertible>(
    _ property: Property<Numbers, T?, Void>
  ) throws {
    let all = try box.query().build()
    let values: PropertyQuery<Numbers, T> = all.property(property)
    #expect(try values.find() == [T.min, 1, 5, T.max])
    #expect(try all.property(property).max() == T.max)
    #expect(try all.property(property).min() == T.min)
    #expect(try values.count() == 4)
    let small = try box.query { property >= 1 && property <= 5 }.build()
    #expect(try small.property(property).sum() == 6)
    #expect(try small.property(property).sumInt() == 6)
    #expect(try small.property(property).sumUnsigned() == 6)
    #expect(try small.property(property).average() == 3)
    #expect(try small.property(property).averageInt() == 3)
    small.setParameter(property, to: 2)
    #expect(try small.property(property).findUnique() == 5)
    let ordered = try box.query().ordered(by: property, flags: [.descending, .nullsLast]).build()
    #expect(try ordered.findIds() == [4, 3, 2, 1, 5])
  }

  private func checkAll<T: FixedWidthInteger & EntityPropertyTypeConvertible>(
    _ number: ReferenceWritableKeyPath<Numbers, T>,
    _ property: Property<Numbers, T, Void>,
    _ optional: ReferenceWritableKeyPath<Numbers, T?>,
    _ optionalProperty: Property<Numbers, T?, Void>
  ) throws {
    try put(number, optional)
    try check(property)
    try check(optionalProperty)
    try checkParameters(property)
    try checkParameters(optionalProperty)
    try checkValues(property)
    try checkValues(optionalProperty)
  }

  private func count<T: ScalarPropertyType>(
    _ property: Property<Numbers, T, Void>,
    from value: T.Scalar
  ) throws -> Int where T.Scalar: FixedWidthInteger {
    let query = try box.query { property < 0 || property.isGreaterOrEqual(value) }.build()
    query.setParameter(property, to: 2)
    return try query.count()
  }

  private func isTold<T: EntityScalarPropertyType & FixedWidthInteger>(
    _ property: Property<Numbers, T, Void>
  ) throws -> Bool {
    try box.query { property > 1 && property.isLessThan(T.max) }.build().findFirst() != nil
  }

  @Test func `functions are generic over the protocols of numbers`() throws {
    try put(\.uint16, \.maybeUint16)
    #expect(try count(Numbers.uint16, from: 5) == 5)
    #expect(try count(Numbers.maybeUint16, from: 5) == 4)
    #expect(try isTold(Numbers.uint16))
  }

  @Test func `functions are generic over Int8`() throws {
    try checkAll(\.int8, Numbers.int8, \.maybeInt8, Numbers.maybeInt8)
  }

  @Test func `functions are generic over Int16`() throws {
    try checkAll(\.int16, Numbers.int16, \.maybeInt16, Numbers.maybeInt16)
  }

  @Test func `functions are generic over Int32`() throws {
    try checkAll(\.int32, Numbers.int32, \.maybeInt32, Numbers.maybeInt32)
  }

  @Test func `functions are generic over Int64`() throws {
    try checkAll(\.int64, Numbers.int64, \.maybeInt64, Numbers.maybeInt64)
  }

  @Test func `functions are generic over Int`() throws {
    try checkAll(\.int, Numbers.int, \.maybeInt, Numbers.maybeInt)
  }

  @Test func `functions are generic over UInt8`() throws {
    try checkAll(\.uint8, Numbers.uint8, \.maybeUint8, Numbers.maybeUint8)
  }

  @Test func `functions are generic over UInt16`() throws {
    try checkAll(\.uint16, Numbers.uint16, \.maybeUint16, Numbers.maybeUint16)
  }

  @Test func `functions are generic over UInt32`() throws {
    try checkAll(\.uint32, Numbers.uint32, \.maybeUint32, Numbers.maybeUint32)
  }

  @Test func `functions are generic over UInt64`() throws {
    try checkAll(\.uint64, Numbers.uint64, \.maybeUint64, Numbers.maybeUint64)
  }

  @Test func `functions are generic over UInt`() throws {
    try checkAll(\.uint, Numbers.uint, \.maybeUint, Numbers.maybeUint)
  }
}
