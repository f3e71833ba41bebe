public import ObjectBox

/// A number or value that is computed for each group of objects.
///
///     let groups = notes.query().grouped(by: Note.author)
///       .select(.count, .sum(Note.stars), .max(Note.created))
public struct Aggregate<Entity, Value>: Sendable {
  package let source: AggregateSource
  let decode: @Sendable (GroupCell) -> Value

  init(_ source: AggregateSource, _ decode: @escaping @Sendable (GroupCell) -> Value) {
    self.source = source
    self.decode = decode
  }
}

/// A property, and how its values are aggregated.
package struct AggregateSource: Sendable, Hashable {
  package enum Function: String, Sendable, Hashable {
    case count, sum, average, min, max
  }

  package var function: Function
  /// The property; nil to count objects.
  package var propertyID: UInt32?
}

extension Aggregate where Value == Int {
  /// The number of objects.
  public static var count: Aggregate<Entity, Int> {
    Aggregate(AggregateSource(function: .count)) { Int($0.integer) }
  }

  /// The number of values that are not null.
  public static func count<V>(_ property: Property<Entity, V, Void>) -> Aggregate<Entity, Int> {
    Aggregate(AggregateSource(function: .count, propertyID: property.propertyId)) {
      Int($0.integer)
    }
  }

  /// The sum of integers; 0 without a value.
  ///
  /// A run throws `ObjectBoxError.unknown` with code 10004 for a sum that does not
  /// fit into 64 bits.
  public static func sum<V: FixedWidthInteger>(
    _ property: Property<Entity, V, Void>
  ) -> Aggregate<Entity, Int> { integerSum(property.propertyId) }

  /// The sum of the integers that are not null; 0 without a value.
  ///
  /// A run throws `ObjectBoxError.unknown` with code 10004 for a sum that does not
  /// fit into 64 bits.
  public static func sum<V: FixedWidthInteger>(
    _ property: Property<Entity, V?, Void>
  ) -> Aggregate<Entity, Int> { integerSum(property.propertyId) }

  private static func integerSum(_ propertyID: UInt32) -> Aggregate<Entity, Int> {
    Aggregate(AggregateSource(function: .sum, propertyID: propertyID)) { Int($0.integer) }
  }
}

extension Aggregate where Value == Double {
  /// The sum of floating point numbers; 0 without a value.
  ///
  /// Added with twice the precision and then rounded, so the order of the objects hardly ever matters.
  public static func sum<V: BinaryFloatingPoint>(
    _ property: Property<Entity, V, Void>
  ) -> Aggregate<Entity, Double> { doubleSum(property.propertyId) }

  /// The sum of the floating point numbers that are not null; 0 without a value.
  ///
  /// Added with twice the precision and then rounded, so the order of the objects hardly ever matters.
  public static func sum<V: BinaryFloatingPoint>(
    _ property: Property<Entity, V?, Void>
  ) -> Aggregate<Entity, Double> { doubleSum(property.propertyId) }

  private static func doubleSum(_ propertyID: UInt32) -> Aggregate<Entity, Double> {
    Aggregate(AggregateSource(function: .sum, propertyID: propertyID)) { $0.double }
  }
}

extension Aggregate where Value == Double? {
  /// The arithmetic mean; nil without a value.
  public static func average<V: Numeric>(
    _ property: Property<Entity, V, Void>
  ) -> Aggregate<Entity, Double?> { mean(property.propertyId) }

  /// The arithmetic mean of the values that are not null; nil without a value.
  public static func average<V: Numeric>(
    _ property: Property<Entity, V?, Void>
  ) -> Aggregate<Entity, Double?> { mean(property.propertyId) }

  private static func mean(_ propertyID: UInt32) -> Aggregate<Entity, Double?> {
    Aggregate(AggregateSource(function: .average, propertyID: propertyID)) {
      $0.content == .null ? nil : $0.double
    }
  }
}

extension Aggregate {
  /// The least value; nil without a value.
  ///
  /// Texts are compared by their bytes.
  public static func min<V: GroupValue>(
    _ property: Property<Entity, V, Void>
  ) -> Aggregate<Entity, V?> where Value == V? { extreme(.min, property.propertyId) }

  /// The least value that is not null; nil without a value.
  ///
  /// Texts are compared by their bytes.
  public static func min<V: GroupValue>(
    _ property: Property<Entity, V?, Void>
  ) -> Aggregate<Entity, V?> where Value == V? { extreme(.min, property.propertyId) }

  /// The greatest value; nil without a value.
  ///
  /// Texts are compared by their bytes.
  public static func max<V: GroupValue>(
    _ property: Property<Entity, V, Void>
  ) -> Aggregate<Entity, V?> where Value == V? { extreme(.max, property.propertyId) }

  /// The greatest value that is not null; nil without a value.
  ///
  /// Texts are compared by their bytes.
  public static func max<V: GroupValue>(
    _ property: Property<Entity, V?, Void>
  ) -> Aggregate<Entity, V?> where Value == V? { extreme(.max, property.propertyId) }

  private static func extreme<V: GroupValue>(
    _ function: AggregateSource.Function,
    _ propertyID: UInt32
  ) -> Aggregate<Entity, V?> where Value == V? {
    Aggregate(AggregateSource(function: function, propertyID: propertyID)) {
      V?.__value(of: $0)
    }
  }
}
