import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxDynamic
import ObjectBoxGrouping
import Testing

private let zero = "\u{0}x"
private let someTexts = [
  "", "a", "A", "ab", "AB", "b", "é", "É", "e\u{301}", "ß", "z", "👨‍👩‍👧", "10", "9",
  #"a "\quoted\" text"#, zero,
  String(repeating: "long ", count: 200), String(repeating: "long ", count: 200) + "!",
]

extension Columns {
  private static func precedes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }
  // Texts with the same characters may have other bytes.
  private static func isSame(_ a: String, _ b: String) -> Bool { Array(a.utf8) == Array(b.utf8) }

  static func texts(hasZeros: Bool) -> [Column<E>] {
    let values = someTexts.filter { hasZeros || $0 != zero }
    return texts("string", \.string, E.string, values)
      + texts("maybe string", \.maybeString, E.maybeString, values)
      + texts("indexedString", \.indexedString, E.indexedString, values)
      + texts("maybe indexedString", \.maybeIndexedString, E.maybeIndexedString, values)
      + texts("hashed", \.hashed, E.hashed, values)
      + texts("maybe hashed", \.maybeHashed, E.maybeHashed, values)
      + texts("long64", \.long64, E.long64, values)
      + texts("maybe long64", \.maybeLong64, E.maybeLong64, values)
      + texts("nocase", \.nocase, E.nocase, values)
      + texts("maybe nocase", \.maybeNocase, E.maybeNocase, values)
  }

  static func bytes() -> [Column<E>] {
    let values = [[], [0], [0, 1], [1], [255], [UInt8](repeating: 7, count: 3000)].map { Data($0) }
    return data("data", \.data, E.data, values)
      + data("maybe data", \.maybeData, E.maybeData, values)
      + bytes("bytes", \.bytes, E.bytes)
      + bytes("maybe bytes", \.maybeBytes, E.maybeBytes)
  }

  private static func texts<P: StringPropertyType & GroupValue & RecordValue>(
    _ name: String,
    _ path: WritableKeyPath<E, P>,
    _ property: Property<E, P, Void>,
    _ values: [String]
  ) -> [Column<E>] {
    var cells: [Cell<E, String>] = []
    // Conditions compare with texts that no row may hold, too.
    for text in someTexts {
      let folded = text.lowercased()
      cells += [
        Cell(name: "== \(text)", typed: property == text, dynamic: { $0 == text }) {
          isSame($0, text)
        },
        Cell(name: "!= \(text)", typed: property != text, dynamic: { $0 != text }) {
          !isSame($0, text)
        },
        Cell(name: "< \(text)", typed: property < text, dynamic: { $0 < text }) {
          precedes($0, text)
        },
        Cell(name: "> \(text)", typed: property > text, dynamic: { $0 > text }) {
          precedes(text, $0)
        },
        Cell(name: "<= \(text)", typed: property <= text, dynamic: { $0 <= text }) {
          !precedes(text, $0)
        },
        Cell(name: ">= \(text)", typed: property >= text, dynamic: { $0 >= text }) {
          !precedes($0, text)
        },
        Cell(
          name: "<= \(text) without case",
          typed: property.isLessOrEqual(text, caseSensitive: false)
        ) { !precedes(folded, $0.lowercased()) },
        Cell(
          name: ">= \(text) without case",
          typed: property.isGreaterOrEqual(text, caseSensitive: false)
        ) { !precedes($0.lowercased(), folded) },
        Cell(
          name: "== \(text) without case",
          typed: property.isEqual(to: text, caseSensitive: false),
          dynamic: { $0.isEqual(to: text, caseSensitive: false) }
        ) { isSame($0.lowercased(), folded) },
        Cell(
          name: "!= \(text) without case",
          typed: property.isNotEqual(to: text, caseSensitive: false),
          dynamic: { $0.isNotEqual(to: text, caseSensitive: false) }
        ) { !isSame($0.lowercased(), folded) },
        Cell(
          name: "startsWith \(text)",
          typed: property.startsWith(text),
          dynamic: { $0.startsWith(text) }
        ) { $0.utf8.starts(with: text.utf8) },
        Cell(
          name: "startsWith \(text) without case",
          typed: property.startsWith(text, caseSensitive: false)
        ) { $0.lowercased().utf8.starts(with: folded.utf8) },
        Cell(
          name: "endsWith \(text)",
          typed: property.endsWith(text),
          dynamic: { $0.endsWith(text) }
        ) {
          $0.utf8.reversed().starts(with: text.utf8.reversed())
        },
        Cell(
          name: "contains \(text)",
          typed: property.contains(text),
          dynamic: { $0.contains(text) }
        ) {
          Data($0.utf8).range(of: Data(text.utf8)) != nil || text.isEmpty
        },
        Cell(
          name: "contains \(text) without case",
          typed: property.contains(text, caseSensitive: false)
        ) { Data($0.lowercased().utf8).range(of: Data(folded.utf8)) != nil || text.isEmpty },
      ]
    }
    for (a, b) in zip(someTexts, someTexts.dropFirst(3)) {
      cells += [
        Cell(
          name: "between \(a), \(b)",
          typed: property.isBetween(a, and: b),
          dynamic: { $0.isBetween(a, and: b) }
        ) { precedes(a, $0) != precedes(b, $0) || isSame(a, $0) || isSame(b, $0) },
        Cell(
          name: "between \(a), \(b) without case",
          typed: property.isBetween(b, and: a, caseSensitive: false)
        ) {
          let bounds = [a.lowercased(), b.lowercased()].sorted(by: precedes)
          return !precedes($0.lowercased(), bounds[0]) && !precedes(bounds[1], $0.lowercased())
        },
      ]
      // Ranges of texts are those of Swift, which may end before they begin by the order of bytes.
      guard a <= b else { continue }
      cells += [
        Cell(name: "∈ \(a)..<\(b)", typed: property ∈ a..<b) {
          !precedes($0, a) && precedes($0, b)
        },
        Cell(name: "∈ \(a)...\(b)", typed: property ∈ a...b) {
          precedes(a, $0) != precedes(b, $0) || isSame(a, $0) || isSame(b, $0)
        },
      ]
    }
    for list in [[], ["a"], ["a", "b", "é", "none"], someTexts] {
      cells += [
        Cell(name: "∈ \(list.count)", typed: property.isIn(list), dynamic: { $0.isIn(list) }) {
          value in
          list.contains { isSame($0, value) }
        },
        Cell(name: "∉ \(list.count)", typed: property ∉ list, dynamic: { $0.isNotIn(list) }) {
          value in
          !list.contains { isSame($0, value) }
        },
        Cell(
          name: "∉ \(list.count) without case",
          typed: property.isNotIn(list, caseSensitive: false)
        ) { value in !list.contains { isSame($0.lowercased(), value.lowercased()) } },
        Cell(name: "∈ \(list.count) without case", typed: property.isIn(list, caseSensitive: false))
        { value in
          list.contains { isSame($0.lowercased(), value.lowercased()) }
        },
      ]
    }
    var column = Column(
      name,
      path,
      property,
      values,
      isSame: isSame,
      precedes: precedes,
      orderFlags: [.caseSensitive],
      cells
    )
    let rows = ColumnValues(values, of: name, hasNulls: P.self == String?.self).rows
    func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
    let present = rows.compactMap { bytes($0) }
    column.checks.append(
      textParameters(property, rows, values, isSame: isSame, precedes: precedes)
    )
    column.related = relatedTexts(property, rows, Array(values.prefix(8)), precedes: precedes)
    column.checks.append(
      Check(
        name: "property query",
        onStore: { store in
          let query = try store.query.property(property)
          #expect(try query.findStrings().map { bytes($0) } == present)
          let distinct = try query.distinct(caseSensitiveCompare: true).findStrings()
          #expect(
            Set(distinct.map { bytes($0) }) == Set(present) && distinct.count == Set(present).count
          )
        },
        onCluster: { rows in
          let query = rows.query().property(property)
          #expect(try await query.findStrings().map { bytes($0) } == present)
          let distinct = try await query.distinct(caseSensitiveCompare: true).findStrings()
          #expect(
            Set(distinct.map { bytes($0) }) == Set(present) && distinct.count == Set(present).count
          )
        }
      )
    )
    if !name.hasSuffix("nocase") {
      column.checks.append(
        groups(
          property,
          rows,
          by: precedes,
          key: { bytes($0 as? String) },
          of: { Array($0.utf8) }
        )
      )
    }
    return [column]
  }

  private static func data<P: DataPropertyType & RecordValue>(
    _ name: String,
    _ path: WritableKeyPath<E, P>,
    _ property: Property<E, P, Void>,
    _ values: [Data]
  ) -> [Column<E>] {
    func precedes(_ a: Data, _ b: Data) -> Bool { a.lexicographicallyPrecedes(b) }
    var cells = values.flatMap { a in
      comparisons(
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
    }
    for list in [[], [values[0], values[3]], values] {
      cells += lists(list, property ∈ list, property ∉ list) { list.contains($0) }
    }
    var column = Column(name, path, property, values, isSame: ==, precedes: precedes, cells)
    let rows = ColumnValues(values, of: name, hasNulls: P.self == Data?.self).rows
    column.checks.append(dataParameters(property, rows, values))
    return [column]
  }

  private static func bytes<P: ByteArrayPropertyType & RecordValue>(
    _ name: String,
    _ path: WritableKeyPath<E, P>,
    _ property: Property<E, P, Void>
  ) -> [Column<E>] {
    let values: [[UInt8]] = [[], [0], [0, 1], [1], [255], [UInt8](repeating: 7, count: 3000)]
    func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool { a.lexicographicallyPrecedes(b) }
    var cells = values.flatMap { a in
      comparisons(
        a,
        named: "\(a.count) bytes",
        by: precedes,
        property == a,
        property != a,
        property < a,
        property <= a,
        property > a,
        property >= a
      )
    }
    for list in [[], [values[0], values[3]], values] {
      cells += lists(list, property ∈ list, property ∉ list) { list.contains($0) }
    }
    var column = Column(name, path, property, values, isSame: ==, precedes: precedes, cells)
    let rows = ColumnValues(values, of: name, hasNulls: P.self == [UInt8]?.self).rows
    column.checks.append(byteParameters(property, rows, values))
    return [column]
  }
}
