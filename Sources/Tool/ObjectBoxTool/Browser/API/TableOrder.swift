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

  /// Adds the order to a query: texts by bytes, like indexes, and nulls last.
  func ordered(_ builder: DynamicQueryBuilder) -> DynamicQueryBuilder {
    if isByID {
      return isDescending ? builder.ordered(by: property.name, flags: .descending) : builder
    }
    return isDescending
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
    return Cursor(id: record.objectID, value: value)
  }

  /// The condition on objects after a cursor's value.
  ///
  /// Objects with equal values are in the order of their IDs, in both directions. The condition on
  /// the value itself bounds the index scan.
  func isBehind(_ id: UInt64, _ value: any Sendable) -> (DynamicProperties) -> DynamicCondition {
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
  func isNull(_ properties: DynamicProperties) -> DynamicCondition {
    properties[property.name].isNil()
  }
}
