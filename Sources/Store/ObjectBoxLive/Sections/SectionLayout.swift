internal import ObjectBox

/// The sections of results at one version.
struct SectionLayout: Equatable, Sendable {
  /// The keys of the sections, in their order.
  private(set) var keys: [SectionKey] = []
  /// The objects of each section, in the order of the results.
  private(set) var ids: [[UInt64]] = []

  /// Makes no sections.
  init() {}

  /// Divides results into sections.
  ///
  /// - Parameters:
  ///   - results: The IDs in order; those without a key are left out.
  ///   - order: The order of the sections.
  ///   - key: Returns the key of an object.
  init(_ results: [UInt64], in order: SectionOrder, _ key: (UInt64) -> SectionKey?) {
    var numbers: [SectionKey: Int] = [:]
    var found: [(key: SectionKey, ids: [UInt64])] = []
    for id in results {
      guard let key = key(id) else { continue }
      if let number = numbers[key] {
        found[number].ids.append(id)
      } else {
        numbers[key] = found.count
        found.append((key, [id]))
      }
    }
    found.sort { order.areInOrder($0.key, $1.key) }
    keys = found.map(\.key)
    ids = found.map(\.ids)
  }

  /// Returns the object at a position.
  func id(at position: SectionPosition) -> UInt64 { ids[position.section][position.index] }
}
