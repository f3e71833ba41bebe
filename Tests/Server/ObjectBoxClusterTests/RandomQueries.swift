import Foundation
import ObjectBoxTestSupport

@testable import ObjectBox

/// Random objects, and queries for them with every type, operator and order.
struct RandomQueries {
  var random: SplitMix
  let schema: StoreSchema

  private static let integers: [Int64] = [
    0, 1, -1, 5, 127, 128, -128, 255, 256, 40_000, 65_535, .max, .min, Int64(Int32.max),
    Int64(Int32.min), 4_000_000_000, -7,
  ]
  private static let texts = [
    "", "a", "A", "ab", "Ab", "aB", "abc", "ABC", "ä", "Ä", "ſ", "s", "S", "ß", "ẞ", "ς", "σ", "Σ",
    "K", "k", "İ", "i", "I", "ı", "%", "_", "\\", "a%b", "a_b", "a\\b", "\u{D7FF}", "\u{E000}",
    "\u{FFFF}", "\u{10FFFF}", "\u{10FFFF}a", "😀", "e\u{301}", "é", "Ꭰ", "ꭰ", "ϐ", "β", "z\u{7F}",
    "zz", " a", "a ", "日本", "'", "\"", "$1", "\u{1}",
  ]
  private static let doubles: [Double] = [
    0, -0.0, 1, -1, 0.1, Double(Float(0.1)), .nan, -.nan, .infinity, -.infinity,
    .leastNonzeroMagnitude, 3.4e38, 1e300, -2.5,
  ]
  private static let floats: [Float] = [
    0, -0.0, 1, -1, 0.1, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, 3.4e38, -2.5,
  ]
  /// Seconds since 1970; the last two are the limits of PostgreSQL's range.
  private static let seconds: [Double] = [
    0, 1, -1, 0.001, -0.001, 1e9, 1.5e9 + 0.123, -62_135_596_800, 253_402_300_799.999, 1.0005,
    -210_866_803_200, 9_224_318_015_999,
  ]
  private static let decimals = [
    "0", "1", "-1", "1.5", "-12.50", "100", "0.1", "0.10", "1e30", "-1e-30",
    "12345678901234567890123456789.012345678", "3e127",
  ].compactMap { Decimal(string: $0) }
  private static let uuids = [(0, 0), (0, 1), (1, 0), (127, 255), (128, 0), (255, 255)].map {
    UUID(uuid: ($0, 0, 0, 0, 0, 0, 64, 0, 128, 0, 0, 0, 0, 0, 0, $1))
  }
  private static let links = ["https://a.org", "https://A.org", "https://b.org/x?y", "file:///tmp"]
    .compactMap { URL(string: $0) }

  init(seed: Int, _ schema: StoreSchema) {
    random = SplitMix(seed: seed)
    self.schema = schema
  }

  // MARK: Values

  mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  mutating func pick<T>(_ values: [T]) -> T { random.pick(values) }

  private mutating func some<T>(_ value: T) -> T? { chance(5) ? nil : value }

  private mutating func text() -> String {
    chance(3) ? pick(Self.texts) + pick(Self.texts) : pick(Self.texts)
  }

  /// A text for an operand, which may be one that PostgreSQL cannot store.
  private mutating func operandText() -> String {
    chance(20) ? pick(Self.texts) + "\u{0}" + pick(Self.texts) : text()
  }

  private mutating func integer<T: FixedWidthInteger>(_ type: T.Type) -> T {
    T(truncatingIfNeeded: pick(Self.integers))
  }

  private mutating func bytes() -> [UInt8] {
    list(3) { $0.pick([0, 1, 0x61, 0x80, 0xFF] as [UInt8]) }
  }

  private mutating func list<T>(_ end: Int, _ element: (inout Self) -> T) -> [T] {
    (0..<Int.random(in: 0..<end, using: &random)).map { _ in element(&self) }
  }

  /// A date in the range of 64-bit nanoseconds since 1970.
  private mutating func exactDate() -> Date {
    Date(timeIntervalSince1970: pick(Self.seconds.filter { abs($0) < 9e9 }))
  }

  private mutating func date() -> Date { Date(timeIntervalSince1970: pick(Self.seconds)) }

  // MARK: Objects

  mutating func owner() -> QueryOwner { QueryOwner(text(), rank: some(integer(Int32.self))) }

  mutating func row(owners: Int) -> QueryRow {
    let row = QueryRow()
    row.flag = some(pick([true, false]))
    row.tiny = some(integer(Int8.self))
    row.tinyUnsigned = some(integer(UInt8.self))
    row.short = some(integer(Int16.self))
    row.shortUnsigned = some(integer(UInt16.self))
    row.number = some(integer(Int32.self))
    row.numberUnsigned = some(integer(UInt32.self))
    row.large = some(integer(Int64.self))
    row.largeUnsigned = some(integer(UInt64.self))
    row.plainTiny = integer(UInt8.self)
    row.plainShort = integer(UInt16.self)
    row.plainNumber = integer(UInt32.self)
    row.plainLarge = integer(UInt64.self)
    row.real = some(pick(Self.floats))
    row.double = some(pick(Self.doubles))
    row.text = some(text())
    row.name = text()
    row.bytes = some(Data(bytes()))
    row.date = some(date())
    row.exactDate = some(exactDate())
    row.uuid = some(pick(Self.uuids))
    row.link = some(pick(Self.links))
    row.price = some(pick(Self.decimals))
    row.numbers = some(list(3) { $0.integer(Int32.self) })
    row.larges = some(list(3) { $0.integer(Int64.self) })
    row.reals = some(list(3) { $0.pick(Self.floats) })
    row.texts = some(list(3) { $0.text() })
    // Some have no target, or a missing one.
    if !chance(5) {
      row.owner.targetId = EntityId(UInt64.random(in: 1...UInt64(owners + 2), using: &random))
    }
    return row
  }

  // MARK: Conditions

  func entity(_ name: String) -> EntitySchema {
    schema.entities.first { $0.name == name } ?? schema.entities[0]
  }

  private typealias Comparison = PropertyCondition.Comparison
  private static let ordered: [Comparison] = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
  ]

  mutating func condition(_ entity: EntitySchema, depth: Int) -> Condition {
    let kind = Int.random(in: 0..<10, using: &random)
    guard depth > 0, kind < 6 else { return leaf(entity) }
    if kind == 5 { return link(entity, depth: depth - 1) }
    let parts = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
      condition(entity, depth: depth - 1)
    }
    return kind < 2 ? .all(parts) : .any(parts)
  }

  private mutating func link(_ entity: EntitySchema, depth: Int) -> Condition {
    func property(_ name: String, _ entity: EntitySchema) -> UInt32 {
      entity.properties.first { $0.name == name }?.identity.id ?? 0
    }
    let (rows, owners) = (self.entity("QueryRow"), self.entity("QueryOwner"))
    let relation = owners.relations.first?.identity.id ?? 0
    let ends: [(RelationEnd, EntityInfo, EntitySchema)] =
      entity.name == "QueryRow"
      ? [(.toOne(property: property("owner", rows)), QueryOwner.entityInfo, owners)]
      : [
        (.toOneBacklink(property: property("owner", rows)), QueryRow.entityInfo, rows),
        (.toOne(property: property("superior", owners)), QueryOwner.entityInfo, owners),
        (.standalone(relation: relation), QueryOwner.entityInfo, owners),
        (.standaloneBacklink(relation: relation), QueryOwner.entityInfo, owners),
      ]
    let (end, target, schema) = pick(ends)
    var link = LinkCondition(end, to: target, condition(schema, depth: depth))
    if chance(2) { link.aggregate = aggregate(of: schema) }
    return .link(link)
  }

  private mutating func aggregate(of entity: EntitySchema) -> LinkAggregate {
    let comparison = pick(Self.ordered)
    if chance(3) { return .count(comparison, pick([0, 1, 2, 3, 8])) }
    let types: [PropertyType] = [
      .byte, .short, .char, .int, .long, .float, .double, .date, .dateNano,
    ]
    let property = pick(entity.properties.filter { types.contains($0.type) })
    let function = pick([.sum, .average, .min, .max] as [LinkAggregate.Function])
    let operand: LinkAggregate.Operand
    switch property.type {
    case .float, .double: operand = .double(pick(Self.doubles))
    case .date, .dateNano:
      return LinkAggregate(
        pick([.min, .max]),
        of: property.identity.id,
        comparison,
        chance(5) ? .integer(Int128(pick(Self.integers))) : .date(exactDate())
      )
    default:
      let number = pick(Self.integers)
      operand = function == .average ? .double(Double(number)) : .integer(Int128(number))
    }
    return LinkAggregate(function, of: property.identity.id, comparison, operand)
  }

  private mutating func leaf(_ entity: EntitySchema) -> Condition {
    let property = pick(entity.properties)
    if chance(10) { return condition(property, pick([.isNil, .isNotNil]), .none) }
    switch property.type {
    case .bool: return condition(property, pick([.equal, .notEqual]), .integers([pick([0, 1])]))
    case .byte, .short, .char, .int, .long, .relation: return integers(property)
    case .float, .double:
      let comparison = pick(
        [.less, .lessOrEqual, .greater, .greaterOrEqual, .between] as [Comparison]
      )
      return condition(property, comparison, .doubles([pick(Self.doubles), pick(Self.doubles)]))
    case .date, .dateNano: return dates(property)
    case .string: return property.collation == .decimal ? decimals(property) : texts(property)
    case .byteVector: return property.name == "uuid" ? uuids(property) : bytes(property)
    case .intVector, .longVector:
      let comparison = pick(
        [.equal, .less, .lessOrEqual, .greater, .greaterOrEqual] as [Comparison]
      )
      return condition(property, comparison, .integers([pick(Self.integers)]))
    case .floatVector:
      let comparison = pick([.less, .lessOrEqual, .greater, .greaterOrEqual] as [Comparison])
      return condition(property, comparison, .doubles([pick(Self.doubles)]))
    case .stringVector:
      return condition(property, .containsElement, .texts([operandText()]), pick([true, false]))
    default: return condition(property, .isNil, .none)
    }
  }

  private func condition(
    _ property: PropertySchema,
    _ comparison: PropertyCondition.Comparison,
    _ operand: PropertyCondition.Operand,
    _ isCaseSensitive: Bool = true
  ) -> Condition {
    .property(
      PropertyCondition(
        propertyID: property.identity.id,
        comparison: comparison,
        operand: operand,
        isCaseSensitive: isCaseSensitive
      )
    )
  }

  /// Returns the operands that a comparison needs.
  private mutating func operands<T>(
    _ comparison: PropertyCondition.Comparison,
    _ value: (inout Self) -> T
  ) -> [T] {
    if comparison.isOfList { return list(5, value) }
    return [.between, .inRange].contains(comparison)
      ? [value(&self), value(&self)] : [value(&self)]
  }

  private mutating func integers(_ property: PropertySchema) -> Condition {
    let isID = property.has(.id) || property.type == .relation
    let comparison = pick(Self.ordered + [.between, .inRange, .isIn, .isNotIn])
    let values = operands(comparison) { random in
      isID && !random.chance(4)
        ? Int64.random(in: 1...30, using: &random.random) : random.pick(Self.integers)
    }
    return condition(property, comparison, .integers(values))
  }

  private mutating func dates(_ property: PropertySchema) -> Condition {
    let comparison = pick(
      [.equal, .notEqual, .less, .greater, .between, .inRange, .isIn, .isNotIn] as [Comparison]
    )
    // Also numbers of dates beyond PostgreSQL's range.
    if chance(10) {
      return condition(
        property,
        comparison,
        .integers(operands(comparison) { $0.pick(Self.integers) })
      )
    }
    return condition(property, comparison, .dates(operands(comparison) { $0.date() }))
  }

  private mutating func texts(_ property: PropertySchema) -> Condition {
    let comparison = pick(Self.ordered + [.hasPrefix, .hasSuffix, .contains, .isIn, .isNotIn])
    let values = operands(comparison) { $0.operandText() }
    return condition(property, comparison, .texts(values), pick([true, false]))
  }

  private mutating func bytes(_ property: PropertySchema) -> Condition {
    condition(property, pick(Self.ordered), .bytes([bytes()]))
  }

  private mutating func uuids(_ property: PropertySchema) -> Condition {
    if chance(10) { return bytes(property) }
    let comparison = pick([.equal, .notEqual, .isIn, .isNotIn] as [Comparison])
    let values = operands(comparison) { $0.pick(Self.uuids) }
    return condition(property, comparison, .encoded(EncodedOperand(values)))
  }

  private mutating func decimals(_ property: PropertySchema) -> Condition {
    let comparison = pick(Self.ordered + [.between, .isIn, .isNotIn])
    let values = operands(comparison) { $0.pick(Self.decimals) }
    return condition(property, comparison, .encoded(EncodedOperand(values)))
  }

  // MARK: Queries

  /// Returns an order by an owner, or by one of the superiors.
  private mutating func relatedOrder(_ entity: EntitySchema, _ flags: UInt32) -> QueryOrder {
    let owner = self.entity("QueryOwner")
    func step(_ name: String, of entity: EntitySchema) -> QueryOrder.Step {
      QueryOrder.Step(
        relationID: entity.properties.first { $0.name == name }?.identity.id ?? 0,
        target: owner.identity.id
      )
    }
    var order = QueryOrder(propertyID: pick(owner.properties).identity.id, flags: flags)
    order.path = [step(entity.name == "QueryRow" ? "owner" : "superior", of: entity)]
    while chance(3) { order.path.append(step("superior", of: owner)) }
    return order
  }

  /// Returns a selection without orders by vectors, which differ between the stores.
  mutating func selection(_ entity: EntitySchema) -> Selection {
    var selection = Selection(of: chance(20) ? nil : condition(entity, depth: 3))
    let vectors: [PropertyType] = [.intVector, .longVector, .floatVector, .stringVector]
    let ordered = entity.properties.filter { !vectors.contains($0.type) }
    for _ in 0..<Int.random(in: 0..<3, using: &random) {
      let flags = UInt32.random(in: 0..<32, using: &random)
      if chance(3) {
        selection = selection.ordered(by: relatedOrder(entity, flags))
        continue
      }
      selection = selection.ordered(
        by: QueryOrder(propertyID: pick(ordered).identity.id, flags: flags)
      )
    }
    return selection
  }
}
