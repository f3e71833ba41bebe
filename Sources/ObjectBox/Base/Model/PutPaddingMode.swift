/// Padding of records in ObjectBox's API; this library does not use it.
public enum PutPaddingMode: UInt16, NumberedEnumeration, CaseIterable, Sendable {
  case unknown = 0
  case paddingautomatic = 1
  case paddingallowedbybuffer = 2
  case paddingbycaller = 3
}
