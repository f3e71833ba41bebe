internal import Foundation
internal import ObjectBox
internal import ObjectBoxDynamic

/// The order of a table by one property, and the place where its next page begins.
struct TableOrder {
  /// The last object of a page.
  struct Cursor {
    var id: UInt64
    /// The value of the ordering property; nil for null, and for an order by ID.
    var value: (any Sendable)?
    var isNotNumber = false
  }

  /// Objects that follow a cursor, found by one query.
  struct Part {
    enum Kind {
      /// Objects with values that conditions compare, in the order of the table.
      case values
      /// Objects with not-a-number, which no comparison matches, before other objects with values.
      case notNumbers
      /// Objects without a value, by their IDs.
      case nulls
    }

    var kind: Kind
    /// The ID after which the objects follow; 0 for all.
    var id: UInt64 = 0
    var condition: (DynamicProperties) -> DynamicCondition
  }

  let property: PropertySchema
  let isDescending: Bool
  private let idName: String

  /// Makes an order from a property's name; a leading `-` makes it descending.
  init(_ text: String, of entity: EntitySchema) throws(BrowserAPI.Fault) {
    guard let id = entity.idProperty else {
      throw BrowserAPI.Fault(422, "'\(entity.name)' has no ID property in the schema")
    }
    idName = id.name
    isDescending = text.hasPrefix("-")
    let name = isDescending ? String(text.dropFirst()) : text
    guard let found = name.isEmpty ? id : entity.properties.first(where: { $0.name == name })
    else { throw BrowserAPI.Fault(422, "'\(entity.name)' has no property '\(name)'") }
    property = found
    guard Self.isSortable(found) else {
      throw BrowserAPI.Fault(422, "values of '\(name)' have no order to list objects by")
    }
  }

  var isByID: Bool { property.has(.id) }

  /// Returns whether a page can begin after a value of the property.
  ///
  /// Vectors and bytes have no useful order.
  static func isSortable(_ property: PropertySchema) -> Bool {
    switch property.type {
    case .bool, .byte, .short, .char, .int, .long, .float, .double, .date, .dateNano,
      .relation:
      true
    case .string: property.collation == .binary
    default: false
    }
  }

  /// Adds the order of a part to a query: texts by bytes, like indexes, and nulls last.
  func ordered(
    _ builder: DynamicQueryBuilder,
    _ kind: Part.Kind = .values
  ) -> DynamicQueryBuilder {
    if isByID {
      return isDescending ? builder.ordered(by: property.name, flags: .descending) : builder
    }
    if kind == .nulls { return builder }
    // Not-a-number is above all numbers.
    return isDescending || kind == .notNumbers
      ? builder.ordered(by: property.name, flags: .caseSensitive, .nullsLast, .descending)
      : builder.ordered(by: property.name, flags: .caseSensitive, .nullsLast)
  }

  /// Returns the cursor after an object of a box.
  func cursor(behind record: RecordReader, in box: DynamicBox) -> Cursor {
    var value: (any Sendable)?
    switch (record.exact(property), property.type) {
    case _ where isByID: break
    // Not every tick has a `Date`.
    case (.integer(let ticks), .date), (.integer(let ticks), .dateNano):
      value = StoredDate(ticks: ticks)
    default: value = box.object(from: record)[property.name]
    }
    return Cursor(id: record.objectID, value: value, isNotNumber: isNotNumber(in: record))
  }

  /// Returns whether the property of an object is not-a-number.
  func isNotNumber(in record: RecordReader) -> Bool {
    switch record.exact(property) {
    case .float(let number): number.isNaN
    case .double(let number): number.isNaN
    default: false
    }
  }

  /// Returns the objects after a cursor, in the order of the table.
  ///
  /// Not-a-numbers have a part of their own, since no condition on the value matches them.
  func parts(behind cursor: Cursor) -> [Part] {
    guard let value = cursor.value else {
      return [Part(kind: .nulls, id: cursor.id, condition: isNull)]
    }
    let nulls = Part(kind: .nulls, condition: isNull)
    if cursor.isNotNumber {
      let others = Part(kind: .notNumbers) { properties in
        properties[property.name].isNotNil() && properties[idName] > cursor.id
      }
      let numbers = Part(kind: .values) { $0[property.name] <= Double.infinity }
      return isDescending ? [others, numbers, nulls] : [others, nulls]
    }
    let values = Part(kind: .values, condition: isBehind(cursor.id, value))
    guard !isDescending, [.float, .double].contains(property.type) else { return [values, nulls] }
    return [values, Part(kind: .notNumbers) { $0[property.name].isNotNil() }, nulls]
  }

  /// The condition on objects after a cursor's value.
  ///
  /// Objects with equal values are in the order of their IDs, in both directions. The condition on
  /// the value itself bounds the index scan.
  private func isBehind(_ id: UInt64, _ value: any Sendable) -> (DynamicProperties) ->
    DynamicCondition
  {
    { properties in
      let own = properties[property.name]
      let isLater = properties[idName] > id
      if let flag = value as? Bool {
        let others = own == !flag
        return flag == isDescending ? others || (own == flag && isLater) : own == flag && isLater
      }
      return isDescending
        ? own <= value && (own < value || isLater) : own >= value && (own > value || isLater)
    }
  }

  /// The condition on objects without a value.
  private func isNull(_ properties: DynamicProperties) -> DynamicCondition {
    properties[property.name].isNil()
  }
}
