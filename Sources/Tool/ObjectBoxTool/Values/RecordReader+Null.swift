internal import ObjectBox

extension RecordReader {
  /// Returns whether a property has no value.
  func isNull(_ property: PropertySchema) -> Bool {
    if case .null = exact(property) { return true }
    return false
  }
}
