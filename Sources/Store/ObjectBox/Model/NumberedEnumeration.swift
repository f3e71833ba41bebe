/// An enumeration whose numbers are part of a format.
public protocol NumberedEnumeration: RawRepresentable where RawValue: FixedWidthInteger {
  /// The case with the smallest number.
  static var min: Self { get }
  /// The case with the largest number.
  static var max: Self { get }
}

extension NumberedEnumeration {
  /// The type of the numbers.
  public typealias T = RawValue

  /// The number.
  public var value: RawValue { rawValue }

  /// The size of a number in bytes.
  public static var byteSize: Int { MemoryLayout<RawValue>.size }
}

extension NumberedEnumeration where Self: CaseIterable, AllCases == [Self] {
  /// The case with the smallest number; cases are declared in the order of their numbers.
  public static var min: Self { allCases[0] }
  /// The case with the largest number.
  public static var max: Self { allCases[allCases.count - 1] }
}
