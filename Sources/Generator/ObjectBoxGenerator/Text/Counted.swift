extension Int {
  /// Returns the number with the word in its singular or plural form, such as "1 entity".
  package func counted(_ one: String, _ many: String) -> String {
    "\(self) \(self == 1 ? one : many)"
  }
}
