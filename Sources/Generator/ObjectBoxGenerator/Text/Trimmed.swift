extension StringProtocol {
  /// Returns the text without characters at its ends that satisfy a condition.
  func trimmed(where isBlank: (Character) -> Bool) -> String {
    guard let first = firstIndex(where: { !isBlank($0) }),
      let last = lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(self[first...last])
  }
}
