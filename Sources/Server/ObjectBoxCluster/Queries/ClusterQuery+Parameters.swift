public import ObjectBox

/// Parameters: operands of conditions, which can change between two runs of a query.
///
/// A property selects the first condition on it. An alias selects the condition named by `.=`, also
/// inside links. Existing copies of the query and its property queries keep their operands. A
/// missing condition, or a condition on values of another type, stops the process: it is a mistake
/// in the program.
extension ClusterQuery {
  mutating func set<V>(
    _ property: Property<E, V, Void>,
    to operand: PropertyCondition.Operand
  ) {
    set(.property(property.propertyId), to: operand)
  }

  mutating func set(alias: String, to operand: PropertyCondition.Operand) {
    set(.alias(alias), to: operand)
  }

  mutating func set(_ parameter: QueryParameter, to operand: PropertyCondition.Operand) {
    let isSet = selection.condition?.set(parameter, to: operand) ?? false
    if !isSet { fatalError(parameter.refusal(in: selection.condition)) }
  }
}

// MARK: - Integers and Booleans

extension ClusterQuery {
  /// Sets the number of the first condition on a property.
  public mutating func setParameter<V: ScalarPropertyType, T: FixedWidthInteger>(
    _ property: Property<E, V, Void>,
    to value: T
  ) where V.Scalar: FixedWidthInteger {
    set(property, to: .integers(of: value))
  }

  /// Sets the number of the condition with the given alias.
  public mutating func setParameter<T: FixedWidthInteger>(_ alias: String, to value: T) {
    set(alias: alias, to: .integers(of: value))
  }

  /// Sets the bounds of the first condition on a property.
  public mutating func setParameters<V: ScalarPropertyType, T: FixedWidthInteger>(
    _ property: Property<E, V, Void>,
    to a: T,
    _ b: T
  ) where V.Scalar: FixedWidthInteger {
    set(property, to: .integers(of: a, b))
  }

  /// Sets the bounds of the condition with the given alias.
  public mutating func setParameters<T: FixedWidthInteger>(_ alias: String, to a: T, _ b: T) {
    set(alias: alias, to: .integers(of: a, b))
  }

  /// Sets the numbers of the first condition on a property.
  public mutating func setParameters<V: ScalarPropertyType, T: FixedWidthInteger>(
    _ property: Property<E, V, Void>,
    to values: [T]
  ) where V.Scalar: FixedWidthInteger {
    set(property, to: .integers(of: values))
  }

  /// Sets the numbers of the condition with the given alias.
  public mutating func setParameters<T: FixedWidthInteger>(_ alias: String, to values: [T]) {
    set(alias: alias, to: .integers(of: values))
  }

  /// Sets the Boolean of the first condition on a property.
  public mutating func setParameter<V: ScalarPropertyType>(
    _ property: Property<E, V, Void>,
    to value: Bool
  )
  where V.Scalar == Bool {
    set(property, to: .integers([value ? 1 : 0]))
  }
}

// MARK: - Floating point numbers

extension ClusterQuery {
  /// Sets the number of the first condition on a property.
  public mutating func setParameter<V: ScalarPropertyType, T: BinaryFloatingPoint>(
    _ property: Property<E, V, Void>,
    to value: T
  ) where V.Scalar: BinaryFloatingPoint {
    set(property, to: .doubles([Double(value)]))
  }

  /// Sets the number of the condition with the given alias.
  public mutating func setParameter<T: BinaryFloatingPoint>(_ alias: String, to value: T) {
    set(alias: alias, to: .doubles([Double(value)]))
  }

  /// Sets the bounds, in either order, of the first condition on a property.
  public mutating func setParameters<V: ScalarPropertyType, T: BinaryFloatingPoint>(
    _ property: Property<E, V, Void>,
    to a: T,
    _ b: T
  ) where V.Scalar: BinaryFloatingPoint {
    set(property, to: .doubles([Double(a), Double(b)]))
  }

  /// Sets the bounds, in either order, of the condition with the given alias.
  public mutating func setParameters<T: BinaryFloatingPoint>(_ alias: String, to a: T, _ b: T) {
    set(alias: alias, to: .doubles([Double(a), Double(b)]))
  }

  /// Sets the list of the first condition on a property.
  public mutating func setParameters<V: ScalarPropertyType, T: BinaryFloatingPoint>(
    _ property: Property<E, V, Void>,
    to values: [T]
  ) where V.Scalar: BinaryFloatingPoint {
    set(property, to: .doubles(values.map { Double($0) }))
  }

  /// Sets the list of the condition with the given alias.
  public mutating func setParameters<T: BinaryFloatingPoint>(_ alias: String, to values: [T]) {
    set(alias: alias, to: .doubles(values.map { Double($0) }))
  }

  /// Sets the value and the tolerance of the first condition on a property.
  public mutating func setParameter<V: ScalarPropertyType, T: BinaryFloatingPoint>(
    _ property: Property<E, V, Void>,
    toEqual value: T,
    tolerance: T
  ) where V.Scalar: BinaryFloatingPoint {
    set(property, to: .doubles([Double(value - tolerance), Double(value + tolerance)]))
  }

  /// Sets the value and the tolerance of the condition with the given alias.
  public mutating func setParameters<T: BinaryFloatingPoint>(
    _ alias: String,
    toEqual value: T,
    tolerance: T
  ) {
    set(alias: alias, to: .doubles([Double(value - tolerance), Double(value + tolerance)]))
  }
}

// MARK: - Texts

extension ClusterQuery {
  /// Sets the text of the first condition on a property.
  public mutating func setParameter<V: StringPropertyType>(
    _ property: Property<E, V, Void>,
    to text: String
  ) {
    set(property, to: .texts([text]))
  }

  /// Sets the texts of the first condition on a property; two of them as the bounds of a range.
  public mutating func setParameters<V: StringPropertyType>(
    _ property: Property<E, V, Void>,
    to texts: [String]
  ) {
    set(property, to: .texts(texts))
  }
}

// MARK: - Dates, bytes and encoded values; by alias also texts and Booleans

extension ClusterQuery {
  /// Sets the value of the first condition on a property.
  public mutating func setParameter<V: OperandPropertyType>(
    _ property: Property<E, V, Void>,
    to value: V.Operand
  ) {
    set(property, to: V.Operand.__operand([value]).value)
  }

  /// Sets the value of the condition with the given alias.
  public mutating func setParameter<T: ConditionOperand>(_ alias: String, to value: T) {
    set(alias: alias, to: T.__operand([value]).value)
  }

  /// Sets the values of the first condition on a property.
  public mutating func setParameters<V: OperandPropertyType, C: Collection>(
    _ property: Property<E, V, Void>,
    to values: C
  ) where C.Element == V.Operand {
    set(property, to: V.Operand.__operand(Array(values)).value)
  }

  /// Sets the values of the condition with the given alias; two texts as the bounds of a range.
  public mutating func setParameters<C: Collection>(_ alias: String, to values: C)
  where C.Element: ConditionOperand {
    set(alias: alias, to: C.Element.__operand(Array(values)).value)
  }

  /// Sets the bounds, in either order, of the first condition on a property.
  public mutating func setParameters<V: OperandPropertyType>(
    _ property: Property<E, V, Void>,
    to a: V.Operand,
    _ b: V.Operand
  ) where V.Operand: SortedOperand {
    set(property, to: V.Operand.__operand([a, b]).value)
  }

  /// Sets the bounds, in either order, of the condition with the given alias.
  public mutating func setParameters<T: SortedOperand>(_ alias: String, to a: T, _ b: T) {
    set(alias: alias, to: T.__operand([a, b]).value)
  }
}
