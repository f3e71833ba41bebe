import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxDynamic
import Testing

extension Columns {
  static func encodedValues() -> [Column<E>] {
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
    return encoded("uuid", \.uuid, E.uuid, uuids, isBefore)
      + encoded("maybe uuid", \.maybeUuid, E.maybeUuid, uuids, isBefore)
      + encoded("indexedUuid", \.indexedUuid, E.indexedUuid, uuids, isBefore)
      + encoded("maybe indexedUuid", \.maybeIndexedUuid, E.maybeIndexedUuid, uuids, isBefore)
      + encoded("url", \.url, E.url, urls, isBefore)
      + encoded("maybe url", \.maybeUrl, E.maybeUrl, urls, isBefore)
      + encoded("indexedUrl", \.indexedUrl, E.indexedUrl, urls, isBefore)
      + encoded("maybe indexedUrl", \.maybeIndexedUrl, E.maybeIndexedUrl, urls, isBefore)
      + self.decimals("decimal", \.decimal, E.decimal, decimals)
      + self.decimals("maybe decimal", \.maybeDecimal, E.maybeDecimal, decimals)
      + self.decimals("indexedDecimal", \.indexedDecimal, E.indexedDecimal, decimals)
      + self.decimals(
        "maybe indexedDecimal",
        \.maybeIndexedDecimal,
        E.maybeIndexedDecimal,
        decimals
      )
  }

  private static func decimals<P: EncodedPropertyType & RecordValue>(
    _ name: String,
    _ path: WritableKeyPath<E, P>,
    _ property: Property<E, P, Void>,
    _ values: [Decimal]
  ) -> [Column<E>] where P.Encoded == Decimal {
    var columns = encoded(name, path, property, values, <, ranges(property))
    let rows = ColumnValues(values, of: name, hasNulls: P.self == Decimal?.self).rows
    columns[0].checks.append(decimalSummary(rows, property))
    return columns
  }

  /// The ranges of Swift; a UUID and a URL are `Comparable` on some systems only.
  private static func ranges<P: EncodedPropertyType>(_ property: Property<E, P, Void>)
    -> (Decimal, Decimal) -> [Cell<E, Decimal>] where P.Encoded == Decimal
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
    _ path: WritableKeyPath<E, P>,
    _ property: Property<E, P, Void>,
    _ values: [P.Encoded],
    _ precedes: @escaping (P.Encoded, P.Encoded) -> Bool,
    _ more: (P.Encoded, P.Encoded) -> [Cell<E, P.Encoded>] = { _, _ in [] }
  ) -> [Column<E>] where P.Encoded: SortedEncodedValue & Equatable {
    var cells: [Cell<E, P.Encoded>] = []
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
    let present = rows.compactMap(\.self)
    column.checks.append(encodedParameters(property, rows, values, precedes: precedes))
    column.checks.append(
      Check(
        name: "property query",
        onStore: { store in
          let found = try store.query.property(property).find()
          #expect(found == present)
        },
        onCluster: { rows in
          let found = try await rows.query().property(property).find()
          #expect(found == present)
        }
      )
    )
    return [column]
  }
}
