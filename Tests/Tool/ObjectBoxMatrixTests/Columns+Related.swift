import Foundation
import ObjectBox

extension Column<Row>.Condition {
  /// Conditions on holders by links to the rows that match: to-one, backlink, and their number.
  var links: [Column<Row>.Related] {
    guard let typed else { return [] }
    func link(
      _ name: String,
      _ condition: QueryCondition<Holder>,
      _ matches: @escaping (_ first: Int?, _ rows: [Int], Set<Int>) -> Bool
    ) -> Column<Row>.Related {
      Column<Row>.Related(name: "\(name) \(self.name)", condition: condition) {
        let found = Set(expected)
        return (0..<Holder.count).filter {
          matches(Holder.first(of: $0), Holder.rows(of: $0), found)
        }
      }
    }
    return [
      link("first", Holder.first.link { typed }) { first, _, found in
        first.map(found.contains) ?? false
      },
      link("rows", Holder.rows.link { typed }) { !$2.isDisjoint(with: $1) },
      link("several rows", Holder.rows.count { typed } > 1) { _, rows, found in
        rows.count(where: found.contains) > 1
      },
    ]
  }
}

extension Columns {
  typealias Related = Column<E>.Related

  /// Conditions on aggregates of each holder's rows, with the holders that match.
  struct RelatedConditions<Value> {
    /// The values of each holder's rows, without nulls.
    let ofHolders: [[Value]]
    private(set) var all: [Related] = []

    init(_ rows: [Value?]) {
      ofHolders = (0..<Holder.count).map { holder in
        Holder.rows(of: holder).compactMap { rows[$0] }
      }
    }

    mutating func add(
      _ name: String,
      _ condition: QueryCondition<Holder>,
      _ matches: @escaping ([Value]) -> Bool
    ) {
      let matching = { [ofHolders] in ofHolders.indices.filter { matches(ofHolders[$0]) } }
      all.append(Related(name: name, condition: condition, matching: matching))
    }
  }

  /// The rows without those whose `bool` is false.
  private static func trueRows<Value>(_ rows: [Value?]) -> [Value?] {
    let bools = ColumnValues([false, true], of: "bool", hasNulls: false).rows
    return zip(rows, bools).map { $1 == true ? $0 : nil }
  }

  static func relatedIntegers<P: ScalarPropertyType, S: MatrixInteger>(
    _ property: Property<E, P, Void>,
    _ rows: [S?],
    _ values: [S]
  ) -> [Related] where P.Scalar == S {
    guard let property = property as? Property<Row, P, Void> else { return [] }
    var conditions = RelatedConditions(rows)
    var conditionsOnTrue = RelatedConditions(trueRows(rows))
    for a in values {
      conditions.add("max == \(a)", Holder.rows.max(property) == a) { $0.max() == a }
      conditions.add("min > \(a)", Holder.rows.min(property) > a) {
        $0.min().map { $0 > a } ?? false
      }
      conditionsOnTrue.add("max < \(a) of some", Holder.rows.max(property) { Row.bool == true } < a)
      {
        $0.max().map { $0 < a } ?? false
      }
      let bound = Double(a) / 3 + 0.3
      conditions.add("average < \(bound)", Holder.rows.average(property) < bound) {
        mean($0).map { $0 < bound } ?? false
      }
      guard let number = Int(exactly: a) else { continue }
      conditions.add("sum > \(number)", Holder.rows.sum(property) > number) {
        sum($0) > Int128(number)
      }
      conditions.add("sum < \(number)", Holder.rows.sum(property) < number) {
        sum($0) < Int128(number)
      }
    }
    for a in [values[0], values[3], values[6]] {
      conditions.add("max != \(a)", Holder.rows.max(property) != a) {
        $0.max().map { $0 != a } ?? false
      }
      conditions.add("min <= \(a)", Holder.rows.min(property) <= a) {
        $0.min().map { $0 <= a } ?? false
      }
    }
    for mean in conditions.ofHolders.prefix(5).compactMap(mean) {
      conditions.add("average == \(mean)", Holder.rows.average(property) == mean) {
        self.mean($0) == mean
      }
    }
    conditions.add("sum == 0", Holder.rows.sum(property) == 0) { sum($0) == 0 }
    conditionsOnTrue.add("sum >= 1 of some", Holder.rows.sum(property) { Row.bool == true } >= 1) {
      sum($0) >= 1
    }
    return conditions.all + conditionsOnTrue.all
  }

  static func sum(_ values: [some FixedWidthInteger]) -> Int128 {
    values.reduce(0) { $0 + Int128($1) }
  }

  private static func mean(_ values: [some FixedWidthInteger]) -> Double? {
    values.isEmpty ? nil : MeanTests.mean(sum(values), values.count)
  }

  static func relatedFloats<P: ScalarPropertyType, S: MatrixFloat>(
    _ property: Property<E, P, Void>,
    _ rows: [S?],
    _ values: [S]
  ) -> [Related] where P.Scalar == S {
    guard let property = property as? Property<Row, P, Void> else { return [] }
    var conditions = RelatedConditions(rows)
    for a in values {
      // NaN is no extreme, and meets no comparison.
      conditions.add("max == \(a)", Holder.rows.max(property) == a) {
        $0.filter { !$0.isNaN }.max().map { $0 == a } ?? false
      }
      conditions.add("max >= \(a)", Holder.rows.max(property) >= a) {
        $0.filter { !$0.isNaN }.max().map { $0 >= a } ?? false
      }
      conditions.add("min < \(a)", Holder.rows.min(property) < a) {
        $0.filter { !$0.isNaN }.min().map { $0 < a } ?? false
      }
      let bound = Double(a) * 0.75 + 0.05
      conditions.add("sum > \(bound)", Holder.rows.sum(property) > bound) { sum($0) > bound }
      conditions.add("average <= \(bound)", Holder.rows.average(property) <= bound) {
        $0.isEmpty ? false : sum($0) / Double($0.count) <= bound
      }
    }
    return conditions.all
  }

  /// The exact sum of numbers, rounded: the greatest numbers, which hide others, are counted apart.
  static func sum<S: BinaryFloatingPoint>(_ values: [S]) -> Double {
    let (great, others) = (S.greatestFiniteMagnitude, values.filter { !isGreat($0) })
    let count = values.reduce(0) { isGreat($1) ? $0 + ($1 < 0 ? -1 : 1) : $0 }
    let rest = others.reduce(0) { $0 + Double($1) }
    return count == 0 ? rest : Double(count) * Double(great) + rest
  }

  private static func isGreat<S: BinaryFloatingPoint>(_ value: S) -> Bool {
    value.magnitude == S.greatestFiniteMagnitude
  }

  static func relatedDates<P: DatePropertyType>(
    _ property: Property<E, P, Void>,
    _ rows: [Date?],
    _ values: [Date]
  ) -> [Related] {
    guard let property = property as? Property<Row, P, Void> else { return [] }
    var conditions = RelatedConditions(rows)
    for a in values {
      conditions.add("max == \(a)", Holder.rows.max(property) == a) { $0.max() == a }
      conditions.add("max <= \(a)", Holder.rows.max(property) <= a) {
        $0.max().map { $0 <= a } ?? false
      }
      conditions.add("min > \(a)", Holder.rows.min(property) > a) {
        $0.min().map { $0 > a } ?? false
      }
    }
    return conditions.all
  }

  static func relatedTexts<P: StringPropertyType>(
    _ property: Property<E, P, Void>,
    _ rows: [String?],
    _ values: [String],
    precedes: @escaping (String, String) -> Bool
  ) -> [Related] {
    guard let property = property as? Property<Row, P, Void> else { return [] }
    var conditions = RelatedConditions(rows)
    for a in values {
      conditions.add("max > \(a)", Holder.rows.max(property) > a) {
        $0.max(by: precedes).map { precedes(a, $0) } ?? false
      }
      conditions.add("min <= \(a)", Holder.rows.min(property) <= a) {
        $0.min(by: precedes).map { !precedes(a, $0) } ?? false
      }
    }
    return conditions.all
  }
}
