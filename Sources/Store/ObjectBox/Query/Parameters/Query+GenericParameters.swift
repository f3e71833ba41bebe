// Parameters for functions that are generic over the number type, where a property's type is not
// known to be a `ScalarPropertyType`. Disfavoured, like the conditions for such functions.

extension Query {
  /// Sets the number of the first condition on a property.
  @_disfavoredOverload
  public func setParameter<V: FixedWidthInteger, T: FixedWidthInteger>(
    _ property: Property<E, V, Void>,
    to value: T
  ) {
    set(property, to: .integers(of: value))
  }

  /// Sets the bounds of the first condition on a property.
  @_disfavoredOverload
  public func setParameters<V: FixedWidthInteger, T: FixedWidthInteger>(
    _ property: Property<E, V, Void>,
    to a: T,
    _ b: T
  ) {
    set(property, to: .integers(of: a, b))
  }

  /// Sets the numbers of the first condition on a property.
  @_disfavoredOverload
  public func setParameters<V: FixedWidthInteger, T: FixedWidthInteger>(
    _ property: Property<E, V, Void>,
    to values: [T]
  ) {
    set(property, to: .integers(of: values))
  }

  /// Sets the number of the first condition on a property.
  @_disfavoredOverload
  public func setParameter<V: BinaryFloatingPoint, T: BinaryFloatingPoint>(
    _ property: Property<E, V, Void>,
    to value: T
  ) {
    set(property, to: .doubles([Double(value)]))
  }

  /// Sets the bounds, in either order, of the first condition on a property.
  @_disfavoredOverload
  public func setParameters<V: BinaryFloatingPoint, T: BinaryFloatingPoint>(
    _ property: Property<E, V, Void>,
    to a: T,
    _ b: T
  ) {
    set(property, to: .doubles([Double(a), Double(b)]))
  }

  /// Sets the value and the tolerance of the first condition on a property.
  @_disfavoredOverload
  public func setParameter<V: BinaryFloatingPoint, T: BinaryFloatingPoint>(
    _ property: Property<E, V, Void>,
    toEqual value: T,
    tolerance: T
  ) {
    set(property, to: .doubles([Double(value - tolerance), Double(value + tolerance)]))
  }
}
