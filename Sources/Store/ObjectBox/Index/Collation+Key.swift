extension Collation {
  /// The key of the value that replaces null if null counts as zero.
  var zero: [UInt8] {
    switch self {
    case .binary, .nocase: []
    case .decimal: DecimalNumber.zeroKey
    }
  }

  /// Calls a body with the bytes by which a value is compared; empty for a text that is not a value
  /// of the collation.
  package func withKey<T>(
    of value: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws -> T
  ) rethrows -> T {
    switch self {
    case .binary: try body(value)
    case .nocase: try FoldedText.bytes(of: value).withUnsafeBytes(body)
    case .decimal:
      if let number = DecimalNumber(value) {
        try number.withKey(body)
      } else {
        try body(UnsafeRawBufferPointer(start: nil, count: 0))
      }
    }
  }

  /// Returns the bytes by which a value is compared.
  package func key(of value: UnsafeRawBufferPointer) -> [UInt8] {
    withKey(of: value) { [UInt8]($0) }
  }
}
