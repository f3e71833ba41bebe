package import Testing

extension Tag {
  /// A test that may take more than 5 s; see `Scripts/slowest-tests.py`.
  @Tag package static var slow: Self
}
