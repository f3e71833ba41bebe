import Foundation
import ObjectBox

/// A property of ``Widened``: the values of an earlier model, and what must be read after its
/// migration.
struct Widening {
  let property: String
  /// Returns the value that a row had in the earlier model, for a dynamic box.
  let value: (Int) -> Any?
  /// Returns whether a migrated row has the value that its number says.
  let isRead: (Widened, Int) -> Bool
  /// Conditions on the new property, with the numbers of the rows that match.
  var conditions: [(condition: QueryCondition<Widened>, expected: [Int])] = []

  /// Makes a property whose new values come from the earlier ones by a function.
  init<Old, New: Equatable>(
    _ property: String,
    _ path: KeyPath<Widened, New>,
    _ values: [Old],
    hasNulls: Bool,
    isSame: @escaping (New, New) -> Bool = { $0 == $1 },
    _ widen: @escaping (Old?) -> New
  ) {
    let rows = ColumnValues(values, of: property, hasNulls: hasNulls).rows
    self.property = property
    value = { rows[$0].map { Portable.stored($0) } }
    isRead = { isSame($0[keyPath: path], widen(rows[$1])) }
  }

  /// Makes a property of integers that were not null.
  init<Old: FixedWidthInteger, New: FixedWidthInteger & ScalarPropertyType>(
    _ property: String,
    _ path: KeyPath<Widened, New>,
    _ stored: Property<Widened, New, Void>,
    _: Old.Type
  ) where New.Scalar == New {
    let values = Columns<Row>.values(of: Old.self)
    self.init(property, path, values, hasNulls: false) { New($0 ?? 0) }
    let rows = ColumnValues(values, of: property, hasNulls: false).rows
    for value in values {
      conditions.append((stored == New(value), rows.indices.filter { rows[$0] == value }))
      conditions.append(
        (stored > New(value), rows.indices.filter { rows[$0].map { $0 > value } ?? false })
      )
    }
  }

  /// Makes a property of optional integers.
  init<Old: FixedWidthInteger, New: FixedWidthInteger>(
    _ property: String,
    _ path: KeyPath<Widened, New?>,
    _ stored: Property<Widened, New?, Void>,
    _: Old.Type
  ) where New?: ScalarPropertyType, New?.Scalar == New {
    let values = Columns<Row>.values(of: Old.self)
    self.init(property, path, values, hasNulls: true) { $0.map { New($0) } }
    let rows = ColumnValues(values, of: property, hasNulls: true).rows
    conditions.append((stored.isNil(), rows.indices.filter { rows[$0] == nil }))
    for value in values {
      conditions.append((stored == New(value), rows.indices.filter { rows[$0] == value }))
      conditions.append(
        (stored > New(value), rows.indices.filter { rows[$0].map { $0 > value } ?? false })
      )
    }
  }

  static var all: [Widening] { integers + others }

  private static var integers: [Widening] {
    [
      Widening("int8", \.int8, Widened.int8, Int8.self),
      Widening("maybeInt8", \.maybeInt8, Widened.maybeInt8, Int8.self),
      Widening("int16", \.int16, Widened.int16, Int16.self),
      Widening("maybeInt16", \.maybeInt16, Widened.maybeInt16, Int16.self),
      Widening("int32", \.int32, Widened.int32, Int32.self),
      Widening("uint8", \.uint8, Widened.uint8, UInt8.self),
      Widening("maybeUint8", \.maybeUint8, Widened.maybeUint8, UInt8.self),
      Widening("uint16", \.uint16, Widened.uint16, UInt16.self),
      Widening("maybeUint16", \.maybeUint16, Widened.maybeUint16, UInt16.self),
      Widening("uint32", \.uint32, Widened.uint32, UInt32.self),
      Widening("maybeUint32", \.maybeUint32, Widened.maybeUint32, UInt32.self),
    ]
  }

  private static var others: [Widening] {
    let int32 = Columns<Row>.values(of: Int32.self)
    let int64 = Columns<Row>.values(of: Int64.self)
    let uint64 = Columns<Row>.values(of: UInt64.self)
    let floats: [Float] = [
      -.infinity, -0.0, 0.1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .nan,
    ]
    let dates = [-0.25, 0, 1_000_000_000.75].map { Date(timeIntervalSinceReferenceDate: $0) }
    let uuids = [Row.noUUID, UUID(uuidString: "FFFFFFFF-0000-0000-0000-000000000001")].compactMap(
      \.self
    )
    func isSame(_ a: Double?, _ b: Double?) -> Bool {
      a.map { $0.isNaN ? UInt64.max : $0.bitPattern }
        == b.map { $0.isNaN ? UInt64.max : $0.bitPattern }
    }
    return [
      Widening("maybeInt32", \.maybeInt32, int32, hasNulls: true) { $0.map(Int.init) ?? -7 },
      Widening("int64", \.int64, int64, hasNulls: false) { Decimal($0 ?? 0) },
      Widening("maybeUint64", \.maybeUint64, uint64, hasNulls: true) { $0.map { Decimal($0) } },
      Widening("bool", \.bool, [false, true], hasNulls: false) { $0 == true ? 1 : 0 },
      Widening("maybeBool", \.maybeBool, [false, true], hasNulls: true) { $0.map { $0 ? 1 : 0 } },
      Widening("float", \.float, floats, hasNulls: false, isSame: isSame) { Double($0 ?? 0) },
      Widening("maybeFloat", \.maybeFloat, floats, hasNulls: true, isSame: isSame) {
        $0.map(Double.init)
      },
      Widening("maybePrecise", \.maybePrecise, dates, hasNulls: true) { $0 },
      Widening("uuid", \.uuid, uuids, hasNulls: false) { $0?.uuidString ?? "" },
      Widening("maybeWord", \.maybeWord, [Word.a, .b], hasNulls: true) { $0.map { [$0.rawValue] } },
    ]
  }
}
