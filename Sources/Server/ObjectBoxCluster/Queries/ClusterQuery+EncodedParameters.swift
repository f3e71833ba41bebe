public import ObjectBox

// MARK: - Encoded values

extension ClusterQuery {
  /// Sets the value of the first condition on a property.
  public mutating func setParameter<V: EncodedPropertyType>(
    _ property: Property<E, V, Void>,
    to value: V.Encoded
  ) {
    set(property, to: .values([value]))
  }

  /// Sets the value of the condition with the given alias.
  public mutating func setParameter<V: EncodedValue>(_ alias: String, to value: V) {
    set(alias: alias, to: .values([value]))
  }

  /// Sets the values of the first condition on a property.
  public mutating func setParameters<V: EncodedPropertyType>(
    _ property: Property<E, V, Void>,
    to values: [V.Encoded]
  ) {
    set(property, to: .values(values))
  }

  /// Sets the values of the condition with the given alias.
  public mutating func setParameters<V: EncodedValue>(_ alias: String, to values: [V]) {
    set(alias: alias, to: .values(values))
  }

  /// Sets the bounds, in either order, of the first condition on a property.
  public mutating func setParameters<V: EncodedPropertyType>(
    _ property: Property<E, V, Void>,
    to a: V.Encoded,
    _ b: V.Encoded
  ) where V.Encoded: SortedEncodedValue {
    set(property, to: .values([a, b]))
  }

  /// Sets the bounds, in either order, of the condition with the given alias.
  public mutating func setParameters<V: SortedEncodedValue>(_ alias: String, to a: V, _ b: V) {
    set(alias: alias, to: .values([a, b]))
  }
}

// MARK: - Vectors

extension ClusterQuery {
  /// Sets the vector of the first nearest-neighbour condition on a property.
  public mutating func setParameter<V: FloatVectorPropertyType>(
    _ property: Property<E, V, Void>,
    to vector: [Float]
  ) {
    set(property, to: .nearest(vector: vector, maxCount: 0))
  }

  /// Sets the vector of the nearest-neighbour condition with the given alias.
  public mutating func setParameter(_ alias: String, to vector: [Float]) {
    set(alias: alias, to: .nearest(vector: vector, maxCount: 0))
  }

  /// Sets the greatest number of matches of the first nearest-neighbour condition on a property.
  public mutating func setParameter<V: FloatVectorPropertyType, T: FixedWidthInteger>(
    _ property: Property<E, V, Void>,
    to maxCount: T
  ) {
    set(property, to: .integers([Int64(clamping: maxCount)]))
  }

  /// Sets the number of the first condition on a vector.
  public mutating func setParameter<V: IntegerVectorPropertyType, T: FixedWidthInteger>(
    _ property: Property<E, V, Void>,
    to value: T
  ) {
    set(property, to: .integers(of: value))
  }

  /// Sets the number of the first condition on a vector.
  public mutating func setParameter<V: FloatVectorPropertyType, T: BinaryFloatingPoint>(
    _ property: Property<E, V, Void>,
    to value: T
  ) {
    set(property, to: .doubles([Double(value)]))
  }

  /// Sets the text of the first condition on a vector.
  public mutating func setParameter<V: StringVectorPropertyType>(
    _ property: Property<E, V, Void>,
    to text: String
  ) {
    set(property, to: .texts([text]))
  }
}
