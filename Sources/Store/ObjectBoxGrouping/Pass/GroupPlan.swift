internal import Foundation
package import ObjectBox

/// The columns, keys and aggregates of a pass, checked against the entity.
package struct GroupPlan: Sendable {
  package let keys: [KeySource]
  /// The different aggregates.
  package let aggregates: [AggregateSource]
  /// The different properties of keys and aggregates.
  package private(set) var columns: [RecordColumns.Column] = []
  private let entity: EntitySchema

  /// - Throws: `ObjectBoxError` when a property is not in the model or has another type.
  init(keys: [KeySource], aggregates: [AggregateSource], entity: EntitySchema) throws {
    self.keys = keys
    self.entity = entity
    var distinct: [AggregateSource] = []
    for source in aggregates where !distinct.contains(source) { distinct.append(source) }
    self.aggregates = distinct
    for key in keys { try add(key.propertyID) }
    for id in distinct.compactMap(\.propertyID) { try add(id) }
    // Throws for sums of texts before anything is read.
    for source in distinct { _ = try accumulator(of: source) }
  }

  private mutating func add(_ propertyID: UInt32) throws {
    if columns.contains(where: { $0.propertyID == propertyID }) { return }
    let property = try property(propertyID)
    let kind: RecordColumns.Column.Kind =
      switch property.type {
      case .float, .double: .double
      case .string, .byteVector, .flex, .boolVector, .shortVector, .charVector, .intVector,
        .longVector, .floatVector, .doubleVector, .stringVector, .dateVector, .dateNanoVector:
        .text
      case .bool, .byte, .short, .char, .int, .long, .date, .dateNano, .relation, .unknown: .integer
      }
    columns.append(RecordColumns.Column(propertyID: propertyID, kind: kind))
  }

  package func property(_ id: UInt32) throws -> PropertySchema {
    try entity.property(ofGroups: id)
  }

  /// Returns the index of a property among the columns.
  package func column(_ propertyID: UInt32) -> Int {
    columns.firstIndex { $0.propertyID == propertyID } ?? 0
  }

  // MARK: States

  /// Returns the numbers of a key's values.
  ///
  /// - Parameters:
  ///   - key: One of the plan's keys.
  ///   - showsTexts: True if the value of a text without case is the least of the texts, false if it
  ///     is the folded text.
  /// - Returns: Numbers.
  /// - Throws: `ObjectBoxError` when the property is not in the model.
  func numbers(of key: KeySource, showsTexts: Bool) throws -> any ValueNumbers {
    let property = try property(key.propertyID)
    let column = column(key.propertyID)
    if columns[column].kind == .text { return texts(of: key, property, column, showsTexts) }
    if columns[column].kind == .double {
      return NumberNumbers(column: column, key: NumberRank.one, content: Self.double)
    }
    let isNano = property.type == .dateNano
    guard let intervals = CalendarIntervals(key.function, isNano: isNano) else {
      return NumberNumbers(column: column, content: Self.content(of: property))
    }
    if case .part = key.function {
      return NumberNumbers(column: column, key: intervals.value) { .integer($0) }
    }
    return NumberNumbers(
      column: column,
      key: intervals.value,
      content: Self.content(of: property)
    )
  }

  private func texts(
    of key: KeySource,
    _ property: PropertySchema,
    _ column: Int,
    _ showsTexts: Bool
  ) -> any ValueNumbers {
    switch key.function {
    case .folded: TextNumbers(column: column, key: FoldedText.bytes)
    case .firstLetter: TextNumbers(column: column, key: FirstLetter.bytes)
    default:
      property.collation == .nocase
        ? TextNumbers(column: column, showsTexts: showsTexts, key: FoldedText.bytes)
        : TextNumbers(column: column)
    }
  }

  /// Returns the state of an aggregate; nil for the number of objects.
  func accumulator(of source: AggregateSource) throws -> (any Accumulator)? {
    guard let id = source.propertyID else { return nil }
    let property = try property(id)
    let column = column(id)
    let kind = columns[column].kind
    switch (source.function, kind) {
    case (.count, _): return ValueCounter(column: column)
    case (.sum, .integer), (.average, .integer):
      return IntegerSums(
        column: column,
        IntegerOrder(property),
        isMean: source.function == .average
      )
    case (.sum, .double), (.average, .double):
      return DoubleSums(column: column, isMean: source.function == .average)
    case (.min, .integer), (.max, .integer):
      return NumberExtremes(
        column: column,
        isMax: source.function == .max,
        .integer(IntegerOrder(property)),
        content: Self.content(of: property)
      )
    case (.min, .double), (.max, .double):
      return NumberExtremes(
        column: column,
        isMax: source.function == .max,
        .double,
        content: Self.double
      )
    case (.min, .text), (.max, .text):
      return TextExtremes(column: column, isMax: source.function == .max)
    case (.sum, .text), (.average, .text):
      throw ObjectBoxError.mismatch(of: property, in: entity, wanted: "numbers")
    }
  }

  private static func double(_ bits: Int64) -> GroupCell.Content {
    .double(Double(bitPattern: UInt64(bitPattern: bits)))
  }

  /// Returns the function from stored integers of a property to values.
  private static func content(
    of property: PropertySchema
  ) -> @Sendable (Int64) -> GroupCell.Content {
    switch property.type {
    case .date: return { .date(DateCodec.date(milliseconds: $0)) }
    case .dateNano: return { .date(DateCodec.date(nanoseconds: $0)) }
    default:
      let order = IntegerOrder(property)
      if order.flip != 0 { return { .integer($0) } }
      if order.mask == .max { return { .unsigned(UInt64(bitPattern: $0)) } }
      let mask = order.mask
      return { .integer(Int64(bitPattern: UInt64(bitPattern: $0) & mask)) }
    }
  }
}

extension NumberRank {
  /// Returns the bits of a floating point number, the same for all zeros, and for all NaNs.
  static func one(_ bits: Int64) -> Int64 { NumberRank.double.value(NumberRank.double.rank(bits)) }
}

/// The first letter of a text.
enum FirstLetter {
  /// Returns the folded first character; nothing for an empty text.
  static func bytes(of text: UnsafeRawBufferPointer) -> [UInt8] {
    // A mark may follow any other second byte.
    if text.count == 1 || text.count > 1 && text[1] < 0x80 && text[0] < 0x80 && text[0] != 0x0D {
      return FoldedText.bytes(of: UnsafeRawBufferPointer(rebasing: text[..<1]))
    }
    guard let first = String(decoding: text, as: UTF8.self).first else { return [] }
    return Array(String(first).utf8).withUnsafeBytes(FoldedText.bytes)
  }
}

extension EntitySchema {
  fileprivate func property(ofGroups id: UInt32) throws -> PropertySchema {
    try ConditionTypes.property(id, in: self)
  }
}
