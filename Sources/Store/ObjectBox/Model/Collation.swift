/// The rule for comparing the values of a text property, which also orders its index.
///
/// The numbers are part of the store file.
///
/// The annotation `collation` chooses it.
///
///     // objectbox: entity
///     final class Subscriber {
///       var id: Id = 0
///       // objectbox: unique, collation = "nocase"
///       var email: String = ""  // "Ada@example.org" equals "ada@example.org"
///
///       init() {}
///     }
public enum Collation: UInt8, Sendable {
  /// By their bytes.
  case binary = 0
  /// Ignoring upper and lower case, in all scripts.
  case nocase = 1
  /// As numbers; the external type `decimal128` sets it.
  case decimal = 2
}

extension Collation {
  /// True if the collation alone decides the order of values, whatever a query says about case.
  package var decidesOrder: Bool {
    switch self {
    case .binary, .nocase: false
    case .decimal: true
    }
  }

  /// Makes the collation of an external type, which no annotation changes; binary for most types.
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
