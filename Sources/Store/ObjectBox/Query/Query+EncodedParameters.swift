extension Query {
  /// Sets the value of the first condition on a property.
  public func setParameter<V: EncodedPropertyType>(
    _ property: Property<E, V, Void>,
    to value: V.Encoded
  ) {
    set(property, to: .values([value]))
  }

  /// Sets the value of the condition with the given alias.
  public func setParameter<V: EncodedValue>(_ alias: String, to value: V) {
    set(alias: alias, to: .values([value]))
  }

  /// Sets the values of the first condition on a property.
  public func setParameters<V: EncodedPropertyType>(
    _ property: Property<E, V, Void>,
    to values: [V.Encoded]
  ) {
    set(property, to: .values(values))
  }

  /// Sets the values of the condition with the given alias.
  public func setParameters<V: EncodedValue>(_ alias: String, to values: [V]) {
    set(alias: alias, to: .values(values))
  }

  /// Sets the bounds, in either order, of the first condition on a property.
  public func setParameters<V: EncodedPropertyType>(
    _ property: Property<E, V, Void>,
    to a: V.Encoded,
    _ b: V.Encoded
  ) where V.Encoded: SortedEncodedValue {
    set(property, to: .values([a, b]))
  }

  /// Sets the bounds, in either order, of the condition with the given alias.
  public func setParameters<V: SortedEncodedValue>(_ alias: String, to a: V, _ b: V) {
    set(alias: alias, to: .values([a, b]))
  }
}
