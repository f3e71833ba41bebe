import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxDynamic
import ObjectBoxLive
import Testing

/// A value of any type, without optionality.
private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrapped: Any? { map { $0 as Any } }
}

extension Column {
  private static func value<P, Value>(_ value: Value?, isOptional: Bool) -> P {
    let value = isOptional ? value as Any : value.unsafelyUnwrapped
    guard let value = value as? P else { preconditionFailure("\(value) is no \(P.self)") }
    return value
  }

  /// Makes a column; `P` is `Value` or its optional.
  init<P, V: RecordValue, Value>(
    _ name: String,
    _ path: WritableKeyPath<E, P>,
    _ property: Property<E, V, Void>,
    _ values: [Value],
    isSame: @escaping (Value, Value) -> Bool,
    precedes: ((Value, Value) -> Bool)? = nil,
    orderFlags: [OrderFlags] = [],
    _ cells: [Cell<E, Value>]
  ) {
    let isOptional = P.self == Value?.self
    let turned = ColumnValues(values, of: name, hasNulls: !isOptional)
    let values = ColumnValues(values, of: name, hasNulls: isOptional)
    self.name = name
    fill = { row, number in
      row[keyPath: path] = Self.value(values.rows[number], isOptional: isOptional)
    }
    func isRead(_ row: E, _ expected: Value?) -> Bool {
      let read = row[keyPath: path] as? Value
      guard let expected, let read else { return expected == nil && read == nil }
      return isSame(expected, read)
    }
    self.isRead = { isRead($0, values.rows[$1]) }
    let all =
      cells + [
        Cell(
          name: "isNil",
          typed: property.isNil(),
          dynamic: { $0.isNil() },
          matches: { _ in false },
          matchesNull: true
        ),
        Cell(
          name: "isNotNil",
          typed: property.isNotNil(),
          dynamic: { $0.isNotNil() },
          matches: { _ in true }
        ),
      ]
    ordered = { builder, flags in builder.ordered(by: property, flags: flags) }
    if let property = property as? Property<Row, V, Void> {
      let related = Holder.first.at(property)
      orderedOfHolders = { holders, flags in
        switch flags.count {
        case 0: holders.ordered(by: related)
        case 1: holders.ordered(by: related, flags: flags[0])
        case 2: holders.ordered(by: related, flags: flags[0], flags[1])
        default: holders.ordered(by: related, flags: flags[0], flags[1], flags[2])
        }
      }
    }
    orderedOfCluster = { query, flags in query.ordered(by: property, flags: flags) }
    conditions = all.map(values.condition)
    let empty = E()[keyPath: path] as? Value
    self.turned = Turned(
      value: { number in turned.rows[number].map { Portable.stored($0) } },
      isRead: { isRead($0, turned.rows[$1] ?? empty) },
      conditions: all.map(turned.condition)
    )
    portable = Portable(values.rows, isPrecise: name.hasSuffix("recise"))
    // A projection has the stored form of an enumeration: its raw value.
    func isStored(_ projection: Any?, _ number: Int) -> Bool {
      let projection = projection.flatMap { ($0 as? any OptionalValue).map(\.wrapped) ?? $0 }
      guard let expected = values.rows[number] else { return projection == nil }
      if let read = projection as? Value { return isSame(expected, read) }
      if let expected = expected as? [UInt8] { return Data(expected) == projection as? Data }
      let raw = (expected as? any RawRepresentable)?.rawValue ?? expected
      return "\(raw)" == "\(projection ?? "")"
    }
    self.isStored = isStored
    isChange = { change, old, new in
      let isEqual =
        switch (values.rows[old], values.rows[new]) {
        case (nil, nil): true
        case (let old?, let new?): isSame(old, new)
        default: false
        }
      guard let change else { return isEqual }
      return !isEqual && isStored(change.oldValue, old)
        && isStored(change.newValue, new)
    }
    let count = values.rows.count { $0 != nil }
    checks = [
      Check(
        name: "frozen values",
        isOfObjects: true,
        onStore: { store in
          let frozen = try store.store.freeze().query(E.self)
          let all = try frozen.values(of: property)
          for (number, object) in frozen.enumerated() {
            #expect(isStored(all[number], number), "values, row \(number)")
            #expect(try isStored(object[property], number), "row \(number)")
          }
        }
      ),
      Check(
        name: "number of values",
        onStore: { store in
          let found = try store.query.property(property).count()
          #expect(found == count)
        },
        onCluster: { rows in
          let found = try await rows.query().property(property).count()
          #expect(found == count)
        }
      ),
    ]
    if let precedes {
      let (numbers, ranks) = values.order(by: precedes)
      order = (orderFlags, numbers, ranks)
    }
  }
}
