/// Stands for a vector of integers as the value type of a ``Property``.
public protocol IntegerVectorPropertyType: EntityPropertyTypeConvertible {
  /// The type of the elements.
  associatedtype Element: FixedWidthInteger
}

/// Stands for a vector of floating point numbers as the value type of a ``Property``.
public protocol FloatVectorPropertyType: EntityPropertyTypeConvertible {}

/// Stands for a vector with a nearest-neighbour index as the value type of a ``Property``.
public protocol IndexedVectorPropertyType: FloatVectorPropertyType {}

/// Stands for a vector of texts as the value type of a ``Property``.
public protocol StringVectorPropertyType: EntityPropertyTypeConvertible {}

extension Optional: IntegerVectorPropertyType where Wrapped: IntegerVectorPropertyType {
  /// The type of the elements.
  public typealias Element = Wrapped.Element
}
extension Optional: FloatVectorPropertyType where Wrapped: FloatVectorPropertyType {}
extension Optional: IndexedVectorPropertyType where Wrapped: IndexedVectorPropertyType {}
extension Optional: StringVectorPropertyType where Wrapped: StringVectorPropertyType {}

/// Stands for `[Int32]` as the value type of a ``Property``.
public class Int32ArrayPropertyType: IntegerVectorPropertyType {
  /// The type of the elements.
  public typealias Element = Int32
  /// The type in the database.
  public class var entityPropertyType: PropertyType { .intVector }
}

/// Stands for `[Int64]` as the value type of a ``Property``.
public class Int64ArrayPropertyType: IntegerVectorPropertyType {
  /// The type of the elements.
  public typealias Element = Int64
  /// The type in the database.
  public class var entityPropertyType: PropertyType { .longVector }
}

/// Stands for `[Float]` as the value type of a ``Property``.
public class FloatArrayPropertyType: FloatVectorPropertyType {
  /// The type in the database.
  public class var entityPropertyType: PropertyType { .floatVector }
}

/// Stands for `[Float]` with a nearest-neighbour index as the value type of a ``Property``.
public class HnswIndexPropertyType: FloatArrayPropertyType, IndexedVectorPropertyType {}

/// Stands for `[String]` as the value type of a ``Property``.
public class StringArrayPropertyType: StringVectorPropertyType {
  /// The type in the database.
  public class var entityPropertyType: PropertyType { .stringVector }
}
