/// Parameters: the operands of conditions, changed between two runs of a query.
///
/// A property selects the first condition on it. An alias selects the condition that `.=` gave this
/// name, also inside links. Subscriptions of the query use the new values from then on.
///
/// - Important: A property or an alias without a condition, or a value of another type, stops the
///   process, with a message that names the aliases of the query: these functions do not throw, as in
///   ObjectBox. Keep aliases in constants if they come from elsewhere.
///
/// A condition on a date also takes the stored number, through a ``Property`` with the
/// same ID and an integer type.
extension Query {
  @usableFromInline
  func set<V>(_ property: Property<E, V, Void>, to operand: PropertyCondition.Operand) {
    selection.set(.property(property.propertyId), to: operand)
  }

  @usableFromInline
  func set(alias: String, to operand: PropertyCondition.Operand) {
    selection.set(.alias(alias), to: operand)
  }
}

// MARK: - Integers and Booleans

extension Query {
  /// Sets the number of the first condition on a property.
  ///
  ///     let query = try notes.query { Note.stars > 0 }.build()
  ///     query.setParameter(Note.stars, to: 3)
  ///     let good = try query.find()  // the notes with more than 3 stars
  public func setParameter<V: ScalarPropertyType, T: FixedWidthInteger>(
    _ property: Property<E, V, Void>,
    to value: T
  ) where V.Scalar: FixedWidthInteger {
    set(property, to: .integers(of: value))
  }

  /// Sets the number of the condition with the given alias.
  ///
  /// An alias that the query does not have stops the process.
  public func setParameter<T: FixedWidthInteger>(_ alias: String, to value: T) {
    set(alias: alias, to: .integers(of: value))
  }

  /// Sets the bounds of the first condition on a property.
  ///
  ///     let query = try notes.query { Note.stars.isBetween(1, and: 2) }.build()
  ///     query.setParameters(Note.stars, to: 3, 5)
  public func setParameters<V: ScalarPropertyType, T: FixedWidthInteger>(
    _ property: Property<E, V, Void>,
    to a: T,
    _ b: T
  ) where V.Scalar: FixedWidthInteger {
    set(property, to: .integers(of: a, b))
  }

  /// Sets the bounds of the condition with the given alias.
  public func setParameters<T: FixedWidthInteger>(_ alias: String, to a: T, _ b: T) {
    set(alias: alias, to: .integers(of: a, b))
  }

  /// Sets the numbers of the first condition on a property.
  public func setParameters<V: ScalarPropertyType, T: FixedWidthInteger>(
    _ property: Property<E, V, Void>,
    to values: [T]
  ) where V.Scalar: FixedWidthInteger {
    set(property, to: .integers(of: values))
  }

  /// Sets the numbers of the condition with the given alias.
  public func setParameters<T: FixedWidthInteger>(_ alias: String, to values: [T]) {
    set(alias: alias, to: .integers(of: values))
  }

  /// Sets the Boolean of the first condition on a property.
  public func setParameter<V: ScalarPropertyType>(_ property: Property<E, V, Void>, to value: Bool)
  where V.Scalar == Bool {
    set(property, to: .integers([value ? 1 : 0]))
  }
}

// MARK: - Floating point numbers

extension Query {
  /// Sets the number of the first condition on a property.
  public func setParameter<V: ScalarPropertyType, T: BinaryFloatingPoint>(
    _ property: Property<E, V, Void>,
    to value: T
  ) where V.Scalar: BinaryFloatingPoint {
    set(property, to: .doubles([Double(value)]))
  }

  /// Sets the number of the condition with the given alias.
  public func setParameter<T: BinaryFloatingPoint>(_ alias: String, to value: T) {
    set(alias: alias, to: .doubles([Double(value)]))
  }

  /// Sets the bounds, in either order, of the first condition on a property.
  public func setParameters<V: ScalarPropertyType, T: BinaryFloatingPoint>(
    _ property: Property<E, V, Void>,
    to a: T,
    _ b: T
  ) where V.Scalar: BinaryFloatingPoint {
    set(property, to: .doubles([Double(a), Double(b)]))
  }

  /// Sets the bounds, in either order, of the condition with the given alias.
  public func setParameters<T: BinaryFloatingPoint>(_ alias: String, to a: T, _ b: T) {
    set(alias: alias, to: .doubles([Double(a), Double(b)]))
  }

  /// Sets the list of the first condition on a property.
  public func setParameters<V: ScalarPropertyType, T: BinaryFloatingPoint>(
    _ property: Property<E, V, Void>,
    to values: [T]
  ) where V.Scalar: BinaryFloatingPoint {
    set(property, to: .doubles(values.map { Double($0) }))
  }

  /// Sets the list of the condition with the given alias.
  public func setParameters<T: BinaryFloatingPoint>(_ alias: String, to values: [T]) {
    set(alias: alias, to: .doubles(values.map { Double($0) }))
  }

  /// Sets the value and the tolerance of the first condition on a property.
  public func setParameter<V: ScalarPropertyType, T: BinaryFloatingPoint>(
    _ property: Property<E, V, Void>,
    toEqual value: T,
    tolerance: T
  ) where V.Scalar: BinaryFloatingPoint {
    set(property, to: .doubles([Double(value - tolerance), Double(value + tolerance)]))
  }

  /// Sets the value and the tolerance of the condition with the given alias.
  public func setParameters<T: BinaryFloatingPoint>(
    _ alias: String,
    toEqual value: T,
    tolerance: T
  ) {
    set(alias: alias, to: .doubles([Double(value - tolerance), Double(value + tolerance)]))
  }
}

// MARK: - Texts

extension Query {
  /// Sets the text of the first condition on a property.
  public func setParameter<V: StringPropertyType>(
    _ property: Property<E, V, Void>,
    to text: String
  ) {
    set(property, to: .texts([text]))
  }

  /// Sets the texts of the first condition on a property; two of them as the bounds of a range.
  public func setParameters<V: StringPropertyType>(
    _ property: Property<E, V, Void>,
    to texts: [String]
  ) {
    set(property, to: .texts(texts))
  }
}

// MARK: - Dates, bytes and encoded values; by alias also texts and Booleans

extension Query {
  /// Sets the value of the first condition on a property.
  @inlinable
  public func setParameter<V: OperandPropertyType>(
    _ property: Property<E, V, Void>,
    to value: V.Operand
  ) {
    set(property, to: V.Operand.__operand([value]).value)
  }

  /// Sets the value of the condition with the given alias.
  ///
  /// An alias that the query does not have stops the process.
  @inlinable
  public func setParameter<T: ConditionOperand>(_ alias: String, to value: T) {
    set(alias: alias, to: T.__operand([value]).value)
  }

  /// Sets the values of the first condition on a property.
  @inlinable
  public func setParameters<V: OperandPropertyType, C: Collection>(
    _ property: Property<E, V, Void>,
    to values: C
  ) where C.Element == V.Operand {
    set(property, to: V.Operand.__operand(Array(values)).value)
  }

  /// Sets the values of the condition with the given alias; two texts as the bounds of a range.
  @inlinable
  public func setParameters<C: Collection>(_ alias: String, to values: C)
  where C.Element: ConditionOperand {
    set(alias: alias, to: C.Element.__operand(Array(values)).value)
  }

  /// Sets the bounds, in either order, of the first condition on a property.
  @inlinable
  public func setParameters<V: OperandPropertyType>(
    _ property: Property<E, V, Void>,
    to a: V.Operand,
    _ b: V.Operand
  ) where V.Operand: SortedOperand {
    set(property, to: V.Operand.__operand([a, b]).value)
  }

  /// Sets the bounds, in either order, of the condition with the given alias.
  @inlinable
  public func setParameters<T: SortedOperand>(_ alias: String, to a: T, _ b: T) {
    set(alias: alias, to: T.__operand([a, b]).value)
  }
}

extension PropertyCondition.Operand {
  // Separate from the form for arrays, which generic code is slow to make and to map.
  /// Makes an operand of one integer of any width; an unsigned value beyond the range keeps its
  /// bits.
  @inlinable
  package static func integers(of value: some FixedWidthInteger) -> Self {
    .integers([Int64(truncatingIfNeeded: value)])
  }

  /// Makes an operand of two integers of any width; unsigned values beyond the range keep their
  /// bits.
  @inlinable
  package static func integers<T: FixedWidthInteger>(of a: T, _ b: T) -> Self {
    .integers([Int64(truncatingIfNeeded: a), Int64(truncatingIfNeeded: b)])
  }

  /// Makes an operand of integers of any width; unsigned values beyond the range keep their bits.
  @inlinable
  package static func integers(of values: [some FixedWidthInteger]) -> Self {
    .integers(values.map { Int64(truncatingIfNeeded: $0) })
  }
}
