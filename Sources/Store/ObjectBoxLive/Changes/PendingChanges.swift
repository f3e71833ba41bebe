internal import ObjectBox

/// The changes of the commits after an observer's last version.
///
/// Old commits are folded into one, so the size depends on the number of changed objects, not of
/// commits.
struct PendingChanges: Sendable {
  /// The sums of several commits: changes to report, and silent changes.
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
  /// Number of readers that need changes up to their own version; nothing is folded while it is
  /// positive.
  var readerCount = 0

  var isEmpty: Bool { entries.isEmpty }

  /// Adds the changes of the next commit; all earlier commits have succeeded.
  mutating func add(_ version: Int, _ entities: [Int: EntityChanges], isSilent: Bool) {
    if entries.count >= Self.foldingCount && readerCount == 0 { fold(before: version) }
    entries.append(Entry(version: version, entities: entities, isSilent: isSilent))
  }

  /// Adds unknown commits up to a version; they may have changed everything.
  mutating func addUnknown(upTo version: Int, _ tables: Set<Int>) {
    let entities = Dictionary(uniqueKeysWithValues: tables.map { ($0, EntityChanges.unknown) })
    entries.insert(Entry(version: version, entities: entities, isSilent: false), at: 0)
  }

  /// Folds the commits before a version into one; no step ends between them.
  private mutating func fold(before version: Int) {
    let old = entries.prefix { $0.version < version }
    guard let last = old.last, !old.contains(where: \.isSilent) else { return }
    var folded = Folded()
    for entry in old { folded.add(entry.entities, isSilent: false) }
    let sum = Entry(version: last.version, entities: folded.told ?? [:], isSilent: false)
    entries.replaceSubrange(..<old.count, with: CollectionOfOne(sum))
  }

  /// Removes a failed commit.
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

  /// Drops the commits up to a version.
  mutating func drop(upTo version: Int) {
    entries.removeAll { $0.version <= version }
  }
}
