internal import ObjectBox

/// The commits after the last version of an observer.
///
/// Old commits are folded, so that the size depends on the touched objects, not on the number of commits.
struct PendingChanges: Sendable {
  /// The sums of the changes of several commits: the told and the silent ones.
  struct Folded {
    var told: [Int: EntityChanges]?
    var silent: [Int: EntityChanges]?

    mutating func add(_ entities: [Int: EntityChanges], isSilent: Bool) {
      let path = isSilent ? \Self.silent : \Self.told
      var sum = self[keyPath: path] ?? [:]
      sum.formUnion(entities)
      self[keyPath: path] = sum
    }
  }

  private struct Entry {
    var version: Int
    var entities: [Int: EntityChanges]
    var isSilent: Bool
  }

  private static let foldingCount = 16

  // Sorted by version.
  private var entries: [Entry] = []
  /// Number of readers that need changes up to a version of their own; no folding while there are any.
  var readerCount = 0

  var isEmpty: Bool { entries.isEmpty }

  /// Adds the changes of the next commit; all earlier ones are committed.
  mutating func add(_ version: Int, _ entities: [Int: EntityChanges], isSilent: Bool) {
    if entries.count >= Self.foldingCount && readerCount == 0 { fold(before: version) }
    entries.append(Entry(version: version, entities: entities, isSilent: isSilent))
  }

  /// Adds unknown commits up to a version, which may have changed everything.
  mutating func addUnknown(upTo version: Int, _ tables: Set<Int>) {
    let entities = Dictionary(uniqueKeysWithValues: tables.map { ($0, EntityChanges.unknown) })
    entries.insert(Entry(version: version, entities: entities, isSilent: false), at: 0)
  }

  /// Folds the commits before a version into one, since no step ends between them.
  private mutating func fold(before version: Int) {
    let old = entries.prefix { $0.version < version }
    guard let last = old.last, !old.contains(where: \.isSilent) else { return }
    var folded = Folded()
    for entry in old { folded.add(entry.entities, isSilent: false) }
    let sum = Entry(version: last.version, entities: folded.told ?? [:], isSilent: false)
    entries.replaceSubrange(..<old.count, with: CollectionOfOne(sum))
  }

  /// Forgets a commit that has failed.
  mutating func withdraw(_ version: Int) {
    entries.removeAll { $0.version == version }
  }

  /// Returns the changes of the commits up to a version; nil when there are none.
  func folded(upTo version: Int) -> Folded? {
    var folded = Folded()
    for entry in entries.prefix(while: { $0.version <= version }) {
      folded.add(entry.entities, isSilent: entry.isSilent)
    }
    return folded.told == nil && folded.silent == nil ? nil : folded
  }

  /// Forgets the commits up to a version.
  mutating func drop(upTo version: Int) {
    entries.removeAll { $0.version <= version }
  }
}
