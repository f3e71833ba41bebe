extension Collation {
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
