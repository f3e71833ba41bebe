extension Sequence {
  /// Returns each element that repeats the key of an earlier element, with the first element of
  /// that key.
  func repetitions(
    by key: (Element) -> some Hashable
  ) -> [(first: Element, repetition: Element)] {
    var firsts: [AnyHashable: Element] = [:]
    return compactMap { element in
      if let first = firsts[key(element)] { return (first, element) }
      firsts[key(element)] = element
      return nil
    }
  }
}
