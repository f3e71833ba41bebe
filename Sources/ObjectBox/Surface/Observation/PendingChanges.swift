/// The commits that somebody who follows the store has not taken note of yet.
///
/// Old ones are folded, so that their size is that of the objects they touch and not their number.
struct PendingChanges: Sendable {
  /// What commits changed, those that are told and those that are not.
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

  // In the order of their versions.
  private var entries: [Entry] = []
  /// How many there are who are about to ask for a version that is known to nobody else.
  var readerCount = 0

  var isEmpty: Bool { entries.isEmpty }

  /// Adds what a commit is about to change; all before are committed.
  mutating func add(_ version: Int, _ entities: [Int: EntityChanges], isSilent: Bool) {
    if entries.count >= Self.foldingCount && readerCount == 0 { fold(before: version) }
    entries.append(Entry(version: version, entities: entities, isSilent: isSilent))
  }

  /// Adds what nobody has noted: all commits up to a version, which may have changed everything.
  mutating func addUnknown(upTo version: Int, _ tables: Set<Int>) {
    let entities = Dictionary(uniqueKeysWithValues: tables.map { ($0, EntityChanges.unknown) })
    entries.insert(Entry(version: version, entities: entities, isSilent: false), at: 0)
  }

  /// From now on somebody may read at the versions before the given one, but not between them.
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

  /// Returns what commits up to a version have changed; nil when there are none.
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
