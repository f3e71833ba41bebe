extension Sequence {
  /// Returns the elements by their keys; of elements with equal keys the first.
  package func byKey<Key: Hashable>(_ key: (Element) -> Key) -> [Key: Element] {
    Dictionary(map { (key($0), $0) }) { first, _ in first }
  }
}
