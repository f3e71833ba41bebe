import Foundation
import ObjectBox
import ObjectBoxDynamic
import Testing

extension Columns {
  static func encodedValues() -> [Column] {
    let uuids = [
      "00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000001",
      "7FFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", "80000000-0000-0000-0000-000000000000",
      "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
    ]
    .compactMap { UUID(uuidString: $0) }
    let urls = ["https://example.org", "https://example.org/a?b=c#d", "file:///a%20b", "a"]
      .compactMap { URL(string: $0) }
    let decimals = [
      "-99999999999999999999999999999999999999", "-10", "-1.5", "0", "0.0000001", "1.1", "9", "10",
      "99999999999999999999999999999999999999",
    ]
    .compactMap { Decimal(string: $0) }
    func bytes(_ id: UUID) -> [UInt8] { withUnsafeBytes(of: id.uuid) { Array($0) } }
    func isBefore(_ a: UUID, _ b: UUID) -> Bool { bytes(a).lexicographicallyPrecedes(bytes(b)) }
    func isBefore(_ a: URL, _ b: URL) -> Bool { a.absoluteString < b.absoluteString }
    return encoded("uuid", \.uuid, Row.uuid, uuids, isBefore)
      + encoded("maybe uuid", \.maybeUuid, Row.maybeUuid, uuids, isBefore)
      + encoded("indexedUuid", \.indexedUuid, Row.indexedUuid, uuids, isBefore)
      + encoded("maybe indexedUuid", \.maybeIndexedUuid, Row.maybeIndexedUuid, uuids, isBefore)
      + encoded("url", \.url, Row.url, urls, isBefore)
      + encoded("maybe url", \.maybeUrl, Row.maybeUrl, urls, isBefore)
      + encoded("indexedUrl", \.indexedUrl, Row.indexedUrl, urls, isBefore)
      + encoded("maybe indexedUrl", \.maybeIndexedUrl, Row.maybeIndexedUrl, urls, isBefore)
      + encoded("decimal", \.decimal, Row.decimal, decimals, <, ranges(Row.decimal))
      + encoded(
        "maybe decimal",
        \.maybeDecimal,
        Row.maybeDecimal,
        decimals,
        <,
        ranges(Row.maybeDecimal)
      )
      + encoded(
        "indexedDecimal",
        \.indexedDecimal,
        Row.indexedDecimal,
        decimals,
        <,
        ranges(Row.indexedDecimal)
      )
      + encoded(
        "maybe indexedDecimal",
        \.maybeIndexedDecimal,
        Row.maybeIndexedDecimal,
        decimals,
        <,
        ranges(Row.maybeIndexedDecimal)
      )
  }

  /// The ranges of Swift; a UUID and a URL are `Comparable` on some systems only.
  private static func ranges<P: EncodedPropertyType>(_ property: Property<Row, P, Void>)
    -> (Decimal, Decimal) -> [Cell<Decimal>] where P.Encoded == Decimal
  {
    { a, b in
      guard a <= b else { return [] }
      return [
        Cell(name: "∈ \(a)...\(b)", typed: property ∈ a...b) { a <= $0 && $0 <= b },
        Cell(name: "∈ \(a)..<\(b)", typed: property ∈ a..<b) { a <= $0 && $0 < b },
      ]
    }
  }

  private static func encoded<P: EncodedPropertyType & RecordValue>(
    _ name: String,
    _ path: ReferenceWritableKeyPath<Row, P>,
    _ property: Property<Row, P, Void>,
    _ values: [P.Encoded],
    _ precedes: @escaping (P.Encoded, P.Encoded) -> Bool,
    _ more: (P.Encoded, P.Encoded) -> [Cell<P.Encoded>] = { _, _ in [] }
  ) -> [Column] where P.Encoded: SortedEncodedValue & Equatable {
    var cells: [Cell<P.Encoded>] = []
    for (index, a) in values.enumerated() {
      let b = values[(index + 2) % values.count]
      cells += comparisons(
        a,
        named: "\(a)",
        by: precedes,
        property == a,
        property != a,
        property < a,
        property <= a,
        property > a,
        property >= a
      )
      cells.append(
        Cell(
          name: "between \(a), \(b)",
          typed: property.isBetween(a, and: b),
          dynamic: { $0.isBetween(a, and: b) }
        ) { value in
          let bounds = [a, b].sorted(by: precedes)
          return !precedes(value, bounds[0]) && !precedes(bounds[1], value)
        }
      )
      cells += more(a, b)
    }
    for list in [[], [values[0], values[3]], values] {
      cells += lists(list, property ∈ list, property ∉ list) { list.contains($0) }
    }
    var column = Column(
      name,
      path,
      property,
      values,
      isSame: ==,
      precedes: precedes,
      orderFlags: [.caseSensitive],
      cells
    )
    let rows = ColumnValues(values, of: name, hasNulls: P.self == P.Encoded?.self).rows
    column.checks += [
      (
        "property query",
        { store in
          let found = try store.query.property(property).find()
          #expect(found == rows.compactMap(\.self))
        }
      )
    ]
    return [column]
  }

  static func vectors() -> [Column] {
    let int32s: [[Int32]] = [[], [.min], [.max, 0, -1]]
    let int64s: [[Int64]] = [[], [.min], [.max, 0, -1]]
    let floats: [[Float]] = [[], [.infinity], [-0.0, 1.5], [.nan]]
    let strings = [[], [""], ["a", "é", "👨‍👩‍👧"], ["A"]]
    return vector("int32s", \.int32s, Row.int32s, int32s, integers(Row.int32s))
      + vector("maybe int32s", \.maybeInt32s, Row.maybeInt32s, int32s, integers(Row.maybeInt32s))
      + vector("int64s", \.int64s, Row.int64s, int64s, integers(Row.int64s))
      + vector("maybe int64s", \.maybeInt64s, Row.maybeInt64s, int64s, integers(Row.maybeInt64s))
      + vector("floats", \.floats, Row.floats, floats, self.floats(Row.floats))
      + vector("maybe floats", \.maybeFloats, Row.maybeFloats, floats, self.floats(Row.maybeFloats))
      + vector("strings", \.strings, Row.strings, strings, self.strings(Row.strings))
      + vector(
        "maybe strings",
        \.maybeStrings,
        Row.maybeStrings,
        strings,
        self.strings(Row.maybeStrings)
      )
  }

  // One element that fits is enough.

  private static func integers<V: IntegerVectorPropertyType>(
    _ property: Property<Row, V, Void>
  ) -> [Cell<[V.Element]>] {
    [V.Element.min, -1, 0, 7, .max].flatMap { a in
      [
        Cell(name: "== \(a)", typed: property.isEqual(to: a), dynamic: { $0 == a }) {
          $0.contains(a)
        }
      ]
        + elements(
          a,
          property.isLessThan(a),
          property.isLessOrEqual(a),
          property.isGreaterThan(a),
          property.isGreaterOrEqual(a)
        )
    }
  }

  /// The comparisons of a vector's elements with a value.
  private static func elements<S: Comparable>(
    _ a: S,
    _ less: QueryCondition<Row>,
    _ lessOrEqual: QueryCondition<Row>,
    _ greater: QueryCondition<Row>,
    _ greaterOrEqual: QueryCondition<Row>
  ) -> [Cell<[S]>] {
    [
      Cell(name: "< \(a)", typed: less, dynamic: { $0 < a }) { $0.contains { $0 < a } },
      Cell(name: "<= \(a)", typed: lessOrEqual, dynamic: { $0 <= a }) { $0.contains { $0 <= a } },
      Cell(name: "> \(a)", typed: greater, dynamic: { $0 > a }) { $0.contains { $0 > a } },
      Cell(name: ">= \(a)", typed: greaterOrEqual, dynamic: { $0 >= a }) {
        $0.contains { $0 >= a }
      },
    ]
  }

  private static func floats(
    _ property: Property<Row, some FloatVectorPropertyType, Void>
  ) -> [Cell<[Float]>] {
    [-Float.infinity, -1, 0, 1.5, .infinity, .nan].flatMap { a in
      elements(
        a,
        property.isLessThan(a),
        property.isLessOrEqual(a),
        property.isGreaterThan(a),
        property.isGreaterOrEqual(a)
      )
    }
  }

  private static func strings(
    _ property: Property<Row, some StringVectorPropertyType, Void>
  ) -> [Cell<[String]>] {
    ["", "a", "É", "👨‍👩‍👧", "none"].flatMap { a in
      [
        Cell(
          name: "contains \(a)",
          typed: property.containsElement(a),
          dynamic: { $0.contains(a) }
        ) { $0.contains(a) },
        Cell(
          name: "contains \(a) without case",
          typed: property.contains(a, caseSensitive: false),
          dynamic: { $0.contains(a, caseSensitive: false) }
        ) { $0.contains { $0.lowercased() == a.lowercased() } },
      ]
    }
  }

  private static func vector<P, V: RecordValue, Element: Comparable & SendableMetatype>(
    _ name: String,
    _ path: ReferenceWritableKeyPath<Row, P>,
    _ property: Property<Row, V, Void>,
    _ values: [[Element]],
    _ cells: [Cell<[Element]>]
  ) -> [Column] {
    // NaN equals itself here: what is read is what was put.
    func isSame(_ a: [Element], _ b: [Element]) -> Bool {
      a.count == b.count && zip(a, b).allSatisfy { $0 == $1 || $0 != $0 && $1 != $1 }
    }
    return [Column(name, path, property, values, isSame: isSame, cells)]
  }

  static func enumerations() -> [Column] {
    let colors: [Color] = [.red, .blue, .green]
    let words: [Word] = [.a, .b, .c]
    func byColor(_ a: Color, _ b: Color) -> Bool { a.rawValue < b.rawValue }
    func byWord(_ a: Word, _ b: Word) -> Bool { a.rawValue < b.rawValue }
    func colorCells(_ equal: (Int) -> QueryCondition<Row>) -> [Cell<Color>] {
      colors.map { a in
        Cell(name: "== \(a)", typed: equal(a.rawValue), dynamic: { $0 == a.rawValue }) { $0 == a }
      }
    }
    func wordCells(_ equal: (String) -> QueryCondition<Row>) -> [Cell<Word>] {
      words.map { a in
        Cell(name: "== \(a)", typed: equal(a.rawValue), dynamic: { $0 == a.rawValue }) { $0 == a }
      }
    }
    var maybeColor = Column(
      "maybe color",
      \.maybeColor,
      Row.maybeColor,
      colors,
      isSame: ==,
      precedes: byColor,
      colorCells { Row.maybeColor == $0 }
    )
    maybeColor.checks += [
      (
        "update to nil",
        { try $0.update({ $0.set(Row.maybeColor, to: nil) }) { $0.maybeColor == nil } }
      ),
      (
        "update to a case",
        { try $0.update({ $0.set(Row.maybeColor, to: Color.blue) }) { $0.maybeColor == .blue } }
      ),
    ]
    return [
      Column(
        "color",
        \.color,
        Row.color,
        colors,
        isSame: ==,
        precedes: byColor,
        colorCells { Row.color == $0 }
      ),
      maybeColor,
      Column(
        "indexedColor",
        \.indexedColor,
        Row.indexedColor,
        colors,
        isSame: ==,
        precedes: byColor,
        colorCells { Row.indexedColor == $0 }
      ),
      Column(
        "maybe indexedColor",
        \.maybeIndexedColor,
        Row.maybeIndexedColor,
        colors,
        isSame: ==,
        precedes: byColor,
        colorCells { Row.maybeIndexedColor == $0 }
      ),
      Column(
        "word",
        \.word,
        Row.word,
        words,
        isSame: ==,
        precedes: byWord,
        orderFlags: [.caseSensitive],
        wordCells { Row.word == $0 }
      ),
      Column(
        "maybe word",
        \.maybeWord,
        Row.maybeWord,
        words,
        isSame: ==,
        precedes: byWord,
        orderFlags: [.caseSensitive],
        wordCells { Row.maybeWord == $0 }
      ),
    ]
  }
}
