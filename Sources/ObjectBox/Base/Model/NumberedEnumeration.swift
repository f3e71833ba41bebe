/// An enumeration whose numbers are part of a format.
public protocol NumberedEnumeration: RawRepresentable where RawValue: FixedWidthInteger {
  /// The case with the least number.
  static var min: Self { get }
  /// The case with the greatest number.
  static var max: Self { get }
}

extension NumberedEnumeration {
  /// The type of the numbers.
  public typealias T = RawValue

  /// The number.
  public var value: RawValue { rawValue }

  /// How many bytes a number takes.
  public static var byteSize: Int { MemoryLayout<RawValue>.size }
}

extension PropertyType: NumberedEnumeration {
  /// The case with the least number.
  public static var min: PropertyType { .unknown }
  /// The case with the greatest number.
  public static var max: PropertyType { .dateNanoVector }
}

extension PropertyFlags: NumberedEnumeration {
  /// The case with the least number.
  public static var min: PropertyFlags { .id }
  /// The case with the greatest number.
  public static var max: PropertyFlags { .syncPrecedence }
}

extension EntityFlags: NumberedEnumeration {
  /// The case with the least number.
  public static var min: EntityFlags { .useNoArgConstructor }
  /// The case with the greatest number.
  public static var max: EntityFlags { .sharedGlobalIds }
}

extension PutMode: NumberedEnumeration {
  /// The case with the least number.
  public static var min: PutMode { .put }
  /// The case with the greatest number.
  public static var max: PutMode { .update }
}

extension OrderFlags: NumberedEnumeration {
  /// The case with the least number.
  public static var min: OrderFlags { .descending }
  /// The case with the greatest number.
  public static var max: OrderFlags { .nullsZero }
}

extension HnswDistanceType: NumberedEnumeration {
  /// The case with the least number.
  public static var min: HnswDistanceType { .unknown }
  /// The case with the greatest number.
  public static var max: HnswDistanceType { .dotProductNonNormalized }
}

extension HnswFlags: NumberedEnumeration {
  /// The case with the least number.
  public static var min: HnswFlags { .debugLogs }
  /// The case with the greatest number.
  public static var max: HnswFlags { .reparationLimitCandidates }
}

extension ExternalPropertyType: NumberedEnumeration {
  /// The case with the least number.
  public static var min: ExternalPropertyType { .unknown }
  /// The case with the greatest number.
  public static var max: ExternalPropertyType { .mongoRegex }
}

extension DebugFlags: NumberedEnumeration {
  /// The case with the least number.
  public static var min: DebugFlags { .logTransactionsRead }
  /// The case with the greatest number.
  public static var max: DebugFlags { .logCacheAll }
}

extension PutPaddingMode: NumberedEnumeration {
  /// The case with the least number.
  public static var min: PutPaddingMode { .unknown }
  /// The case with the greatest number.
  public static var max: PutPaddingMode { .paddingbycaller }
}

extension ValidateOnOpenMode: NumberedEnumeration {
  /// The case with the least number.
  public static var min: ValidateOnOpenMode { .unknown }
  /// The case with the greatest number.
  public static var max: ValidateOnOpenMode { .full }
}
