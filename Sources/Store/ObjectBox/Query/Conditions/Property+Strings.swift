extension Property where V: StringPropertyType, R == Void {
  /// Matches objects with the given value.
  ///
  /// Without `caseSensitive`, upper and lower case are the same, in every script.
  ///
  ///     let found = try notes.query { Note.title.isEqual(to: "milk", caseSensitive: false) }
  ///       .build().find()  // also "Milk"
  @inlinable
  public func isEqual(to value: String, caseSensitive: Bool = true) -> PropertyQueryCondition<E, V>
  {
    comparing(.equal, .texts([value]), isCaseSensitive: caseSensitive)
  }

  /// Matches objects with another value; nulls do not match.
  ///
  /// Without `caseSensitive`, upper and lower case are the same, in every script.
  @inlinable
  public func isNotEqual(to value: String, caseSensitive: Bool = true) -> PropertyQueryCondition<
    E, V
  > {
    comparing(.notEqual, .texts([value]), isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a lesser value, by its UTF-8 bytes.
  ///
  /// Without `caseSensitive`, upper and lower case are the same, in every script.
  @inlinable
  public func isLessThan(_ value: String, caseSensitive: Bool = true) -> PropertyQueryCondition<
    E, V
  > {
    comparing(.less, .texts([value]), isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a greater value, by its UTF-8 bytes.
  ///
  /// Without `caseSensitive`, upper and lower case are the same, in every script.
  @inlinable
  public func isGreaterThan(_ value: String, caseSensitive: Bool = true) -> PropertyQueryCondition<
    E, V
  > {
    comparing(.greater, .texts([value]), isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a lesser or equal value, by its UTF-8 bytes.
  ///
  /// Without `caseSensitive`, upper and lower case are the same, in every script.
  @inlinable
  public func isLessOrEqual(_ value: String, caseSensitive: Bool = true) -> PropertyQueryCondition<
    E, V
  > {
    comparing(.lessOrEqual, .texts([value]), isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a greater or equal value, by its UTF-8 bytes.
  ///
  /// Without `caseSensitive`, upper and lower case are the same, in every script.
  @inlinable
  public func isGreaterOrEqual(_ value: String, caseSensitive: Bool = true)
    -> PropertyQueryCondition<
      E, V
    >
  {
    comparing(.greaterOrEqual, .texts([value]), isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a value between the bounds, in either order, by its UTF-8 bytes; includes
  /// both.
  ///
  /// Without `caseSensitive`, upper and lower case are the same, in every script.
  @inlinable
  public func isBetween(
    _ a: String,
    and b: String,
    caseSensitive: Bool = true
  ) -> PropertyQueryCondition<E, V> {
    comparing(.between, .texts([a, b]), isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a value that begins with the text; every value begins with the empty
  /// text.
  ///
  /// Without `caseSensitive`, upper and lower case are the same, in every script.
  ///
  ///     let drafts = try notes.query { Note.title.startsWith("Draft:") }.build().find()
  @inlinable
  public func startsWith(_ value: String, caseSensitive: Bool = true) -> PropertyQueryCondition<
    E, V
  > {
    comparing(.hasPrefix, .texts([value]), isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a value that begins with the text; every value begins with the empty
  /// text.
  ///
  /// Without `caseSensitive`, upper and lower case are the same, in every script.
  @inlinable
  public func hasPrefix(_ value: String, caseSensitive: Bool = true) -> PropertyQueryCondition<E, V>
  {
    comparing(.hasPrefix, .texts([value]), isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a value that ends with the text.
  ///
  /// Without `caseSensitive`, upper and lower case are the same, in every script.
  @inlinable
  public func endsWith(_ value: String, caseSensitive: Bool = true) -> PropertyQueryCondition<E, V>
  {
    comparing(.hasSuffix, .texts([value]), isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a value that ends with the text.
  ///
  /// Without `caseSensitive`, upper and lower case are the same, in every script.
  @inlinable
  public func hasSuffix(_ value: String, caseSensitive: Bool = true) -> PropertyQueryCondition<E, V>
  {
    comparing(.hasSuffix, .texts([value]), isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a value that contains the text.
  ///
  /// Without `caseSensitive`, upper and lower case are the same, in every script.
  ///
  ///     let found = try notes.query { Note.title.contains("milk", caseSensitive: false) }
  ///       .build().find()
  @inlinable
  public func contains(_ value: String, caseSensitive: Bool = true) -> PropertyQueryCondition<E, V>
  {
    comparing(.contains, .texts([value]), isCaseSensitive: caseSensitive)
  }

  /// Matches objects with any of the values.
  ///
  /// Without `caseSensitive`, upper and lower case are the same, in every script.
  @inlinable
  public func isIn(_ values: [String], caseSensitive: Bool = true) -> PropertyQueryCondition<E, V> {
    comparing(.isIn, .texts(values), isCaseSensitive: caseSensitive)
  }

  /// Matches objects with none of the values; nulls do not match.
  ///
  /// Without `caseSensitive`, upper and lower case are the same, in every script.
  @inlinable
  public func isNotIn(_ values: [String], caseSensitive: Bool = true) -> PropertyQueryCondition<
    E, V
  > {
    comparing(.isNotIn, .texts(values), isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a value in the range, by its UTF-8 bytes.
  @inlinable
  public func isIn(_ range: ClosedRange<String>) -> PropertyQueryCondition<E, V> {
    isBetween(range.lowerBound, and: range.upperBound)
  }

  /// Matches objects with a value in the range, which excludes its upper bound, by its UTF-8 bytes.
  @inlinable
  public func isIn(_ range: Range<String>) -> PropertyQueryCondition<E, V> {
    comparing(.inRange, .texts([range.lowerBound, range.upperBound]))
  }
}

// MARK: - Operators

extension Property where V: StringPropertyType, R == Void {
  /// Matches objects with the given value.
  ///
  ///     let found = try notes.query { Note.title == "Milk" }.build().find()  // not "milk"
  @inlinable
  public static func == (left: Self, right: String) -> PropertyQueryCondition<E, V> {
    left.isEqual(to: right)
  }

  /// Matches objects with another value; nulls do not match.
  @inlinable
  public static func != (left: Self, right: String) -> PropertyQueryCondition<E, V> {
    left.isNotEqual(to: right)
  }

  /// Matches objects with a lesser value, by its UTF-8 bytes.
  @inlinable
  public static func < (left: Self, right: String) -> PropertyQueryCondition<E, V> {
    left.isLessThan(right)
  }

  /// Matches objects with a greater value, by its UTF-8 bytes.
  @inlinable
  public static func > (left: Self, right: String) -> PropertyQueryCondition<E, V> {
    left.isGreaterThan(right)
  }

  /// Matches objects with a lesser or equal value, by its UTF-8 bytes.
  @inlinable
  public static func <= (left: Self, right: String) -> PropertyQueryCondition<E, V> {
    left.isLessOrEqual(right)
  }

  /// Matches objects with a greater or equal value, by its UTF-8 bytes.
  @inlinable
  public static func >= (left: Self, right: String) -> PropertyQueryCondition<E, V> {
    left.isGreaterOrEqual(right)
  }

  /// Matches objects with any of the values.
  ///
  ///     let found = try notes.query { Note.title ∈ ["Milk", "Bread"] }.build().find()
  @inlinable
  public static func ∈ (left: Self, right: [String]) -> PropertyQueryCondition<E, V> {
    left.isIn(right)
  }

  /// Matches objects with none of the values; nulls do not match.
  @inlinable
  public static func ∉ (left: Self, right: [String]) -> PropertyQueryCondition<E, V> {
    left.isNotIn(right)
  }

  /// Matches objects with a value in the range, by its UTF-8 bytes.
  @inlinable
  public static func ∈ (left: Self, right: ClosedRange<String>) -> PropertyQueryCondition<E, V> {
    left.isIn(right)
  }

  /// Matches objects with a value in the range, which excludes its upper bound, by its UTF-8 bytes.
  @inlinable
  public static func ∈ (left: Self, right: Range<String>) -> PropertyQueryCondition<E, V> {
    left.isIn(right)
  }
}
