package import Testing

extension Tag {
  /// Takes seconds rather than milliseconds.
  @Tag package static var slow: Self
}
