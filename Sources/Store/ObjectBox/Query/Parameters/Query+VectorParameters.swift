extension Query {
  /// Sets the vector of the first nearest-neighbour condition on a property.
  public func setParameter<V: FloatVectorPropertyType>(
    _ property: Property<E, V, Void>,
    to vector: [Float]
  ) {
    set(property, to: .nearest(vector: vector, maxCount: 0))
  }

  /// Sets the vector of the nearest-neighbour condition with the given alias.
  public func setParameter(_ alias: String, to vector: [Float]) {
    set(alias: alias, to: .nearest(vector: vector, maxCount: 0))
  }

  /// Sets the `maxCount` of the first nearest-neighbour condition on a property.
  public func setParameter<V: FloatVectorPropertyType, T: FixedWidthInteger>(
    _ property: Property<E, V, Void>,
    to maxCount: T
  ) {
    set(property, to: .integers([Int64(clamping: maxCount)]))
  }

  /// Sets the number of the first condition on a vector.
  public func setParameter<V: IntegerVectorPropertyType, T: FixedWidthInteger>(
    _ property: Property<E, V, Void>,
    to value: T
  ) {
    set(property, to: .integers(of: value))
  }

  /// Sets the number of the first condition on a vector.
  public func setParameter<V: FloatVectorPropertyType, T: BinaryFloatingPoint>(
    _ property: Property<E, V, Void>,
    to value: T
  ) {
    set(property, to: .doubles([Double(value)]))
  }

  /// Sets the text of the first condition on a vector.
  public func setParameter<V: StringVectorPropertyType>(
    _ property: Property<E, V, Void>,
    to text: String
  ) {
    set(property, to: .texts([text]))
  }
}
