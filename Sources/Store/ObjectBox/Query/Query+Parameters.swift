public import Foundation

/// Parameters: the operands of conditions, changed between two runs of a query.
///
/// A property selects the first condition on it. An alias selects the condition that `.=` gave this
/// name, also inside links. Subscriptions of the query use the new values from then on. A missing
/// condition, or a value of another type, stops the process: only a mistake in the program can
/// cause it. A condition on a date also takes the stored number, through a ``Property`` with the
/// same ID and an integer type.
extension Query {
  func set<V>(_ property: Property<E, V, Void>, to operand: PropertyCondition.Operand) {
    selection.set(.property(property.propertyId), to: operand)
  }

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

  /// Sets the Boolean of the condition with the given alias.
  public func setParameter(_ alias: String, to value: Bool) {
    set(alias: alias, to: .integers([value ? 1 : 0]))
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

// MARK: - Strings, dates and bytes

extension Query {
  /// Sets the text of the first condition on a property.
  public func setParameter<V: StringPropertyType>(_ property: Property<E, V, Void>, to text: String)
  {
    set(property, to: .texts([text]))
  }

  /// Sets the text of the condition with the given alias.
  public func setParameter(_ alias: String, to text: String) {
    set(alias: alias, to: .texts([text]))
  }

  /// Sets the texts of the first condition on a property; two of them as the bounds of a range.
  public func setParameters<V: StringPropertyType>(
    _ property: Property<E, V, Void>,
    to texts: [String]
  ) {
    set(property, to: .texts(texts))
  }

  /// Sets the texts of the condition with the given alias; two of them as the bounds of a range.
  public func setParameters(_ alias: String, to texts: [String]) {
    set(alias: alias, to: .texts(texts))
  }

  /// Sets the date of the first condition on a property.
  public func setParameter<V: DatePropertyType>(_ property: Property<E, V, Void>, to date: Date) {
    set(property, to: .dates([date]))
  }

  /// Sets the date of the condition with the given alias.
  public func setParameter(_ alias: String, to date: Date) {
    set(alias: alias, to: .dates([date]))
  }

  /// Sets the dates of the first condition on a property.
  public func setParameters<V: DatePropertyType, C: Collection>(
    _ property: Property<E, V, Void>,
    to dates: C
  ) where C.Element == Date {
    set(property, to: .dates(Array(dates)))
  }

  /// Sets the dates of the condition with the given alias.
  public func setParameters<C: Collection>(_ alias: String, to dates: C) where C.Element == Date {
    set(alias: alias, to: .dates(Array(dates)))
  }

  /// Sets the bounds, in either order, of the first condition on a property.
  public func setParameters<V: DatePropertyType>(
    _ property: Property<E, V, Void>,
    to a: Date,
    _ b: Date
  ) {
    set(property, to: .dates([a, b]))
  }

  /// Sets the bounds, in either order, of the condition with the given alias.
  public func setParameters(_ alias: String, to a: Date, _ b: Date) {
    set(alias: alias, to: .dates([a, b]))
  }

  /// Sets the bytes of the first condition on a property.
  public func setParameter<V: DataPropertyType>(_ property: Property<E, V, Void>, to data: Data) {
    set(property, to: .bytes([[UInt8](data)]))
  }

  /// Sets the bytes of the first condition on a property.
  public func setParameter<V: ByteArrayPropertyType>(
    _ property: Property<E, V, Void>,
    to bytes: [UInt8]
  ) {
    set(property, to: .bytes([bytes]))
  }

  /// Sets the list of bytes of the first condition on a property.
  public func setParameters<V: DataPropertyType>(_ property: Property<E, V, Void>, to list: [Data])
  {
    set(property, to: .bytes(list.map { [UInt8]($0) }))
  }

  /// Sets the list of bytes of the first condition on a property.
  public func setParameters<V: ByteArrayPropertyType>(
    _ property: Property<E, V, Void>,
    to list: [[UInt8]]
  ) {
    set(property, to: .bytes(list))
  }

  /// Sets the list of bytes of the condition with the given alias.
  public func setParameters(_ alias: String, to list: [Data]) {
    set(alias: alias, to: .bytes(list.map { [UInt8]($0) }))
  }

  /// Sets the bytes of the condition with the given alias.
  public func setParameter(_ alias: String, to data: Data) {
    set(alias: alias, to: .bytes([[UInt8](data)]))
  }
}

extension PropertyCondition.Operand {
  // Separate from the form for arrays, which generic code is slow to make and to map.
  /// Makes an operand of one integer of any width; an unsigned value beyond the range keeps its
  /// bits.
  package static func integers(of value: some FixedWidthInteger) -> Self {
    .integers([Int64(truncatingIfNeeded: value)])
  }

  /// Makes an operand of two integers of any width; unsigned values beyond the range keep their
  /// bits.
  package static func integers<T: FixedWidthInteger>(of a: T, _ b: T) -> Self {
    .integers([Int64(truncatingIfNeeded: a), Int64(truncatingIfNeeded: b)])
  }

  /// Makes an operand of integers of any width; unsigned values beyond the range keep their bits.
  package static func integers(of values: [some FixedWidthInteger]) -> Self {
    .integers(values.map { Int64(truncatingIfNeeded: $0) })
  }
}
