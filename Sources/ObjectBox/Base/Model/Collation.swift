/// The rule by which the index of a text property tells texts apart.
///
/// The numbers are part of the store file.
public enum Collation: UInt8, Sendable {
  /// By their bytes.
  case binary = 0
  /// Without regard to upper and lower case, in every script.
  case nocase = 1
}

extension Collation {
  /// True when values are in the order of their keys, whatever a query says about upper and lower case.
  var decidesOrder: Bool {
    switch self {
    case .binary, .nocase: false
    }
  }

  /// Returns the collation by which a query compares values of a property with this one.
  func ofQuery(foldsCase: Bool) -> Collation {
    decidesOrder ? self : foldsCase ? .nocase : .binary
  }

  /// The key of the value that stands for null where nulls count as zero.
  var zero: [UInt8] {
    switch self {
    case .binary, .nocase: []
    }
  }

  /// Passes the bytes by which a text or bytes compare to a body.
  @inline(__always)
  func withKey<T>(
    of value: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws -> T
  ) rethrows -> T {
    switch self {
    case .binary: try body(value)
    case .nocase: try FoldedText.bytes(of: value).withUnsafeBytes(body)
    }
  }

  /// Returns the bytes by which a text or bytes compare.
  func key(of value: UnsafeRawBufferPointer) -> [UInt8] {
    withKey(of: value) { [UInt8]($0) }
  }
}
