/// Padding of records in ObjectBox's API; this library does not use it.
public enum PutPaddingMode: UInt16, NumberedEnumeration, CaseIterable, Sendable {
  /// Not specified.
  case unknown = 0
  /// The store adds padding.
  case paddingautomatic = 1
  /// The buffer has room for padding.
  case paddingallowedbybuffer = 2
  /// The caller has added padding.
  case paddingbycaller = 3
}
