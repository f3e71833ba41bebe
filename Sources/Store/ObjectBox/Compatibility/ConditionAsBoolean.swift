// Stand-ins for comparisons where a Boolean is expected, such as `if Note.stars == 3`. Without them the
// compiler takes `Note.stars` for the variable of an object, and says that a type has no such member.
//
// In a query the conditions win: the compiler prefers available declarations.

@available(
  *,
  unavailable,
  message: "a condition is no Boolean: write it in query { }, or compare the variable of an object"
)
extension Property where V: ScalarPropertyType, V.Scalar: FixedWidthInteger, R == Void {
  /// Does not compile: a condition is no Boolean.
  public static func == (left: Self, right: V.Scalar) -> Bool { fatalError() }
}

@available(
  *,
  unavailable,
  message: "a condition is no Boolean: write it in query { }, or compare the variable of an object"
)
extension Property where V: ScalarPropertyType, V.Scalar: BinaryFloatingPoint, R == Void {
  /// Does not compile: a condition is no Boolean.
  public static func == (left: Self, right: V.Scalar) -> Bool { fatalError() }
}

@available(
  *,
  unavailable,
  message: "a condition is no Boolean: write it in query { }, or compare the variable of an object"
)
extension Property where V: StringPropertyType, R == Void {
  /// Does not compile: a condition is no Boolean.
  public static func == (left: Self, right: String) -> Bool { fatalError() }
}
