/// The rule by which the index of a text property tells texts apart, and by which numbers in texts compare.
///
/// The numbers are part of the store file.
public enum Collation: UInt8, Sendable {
  /// By their bytes.
  case binary = 0
  /// Without regard to upper and lower case, in every script.
  case nocase = 1
  /// As numbers; the external type `decimal128` sets it.
  case decimal = 2
}

extension Collation {
  /// True when values are in the order of their keys, whatever a query says about upper and lower case.
  package var decidesOrder: Bool {
    switch self {
    case .binary, .nocase: false
    case .decimal: true
    }
  }

  /// The order of values with an external type, which no annotation changes; binary for most types.
  init(externalType: UInt32) {
    switch ExternalPropertyType(rawValue: UInt16(truncatingIfNeeded: externalType)) {
    case .decimal128: self = .decimal
    default: self = .binary
    }
  }

  /// Returns the collation by which a query compares values of a property with this one.
  func ofQuery(foldsCase: Bool) -> Collation {
    decidesOrder ? self : foldsCase ? .nocase : .binary
  }
}
