import Testing

extension Tag {
  /// Takes seconds rather than milliseconds.
  @Tag static var slow: Self
}
