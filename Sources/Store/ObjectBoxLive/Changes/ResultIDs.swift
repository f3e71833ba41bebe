internal import ObjectBox

/// The results of a query at the last version of an observer.
///
/// Holds IDs only, and pins no version.
struct ResultIDs: Sendable {
  /// The index of the query's entity.
  let entity: Int
  /// The properties whose changes count as modifications.
  let properties: PropertySet
  /// The results, in order.
  private(set) var ids: [UInt64]

  /// Begins without results.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the model lacks one of the
  ///   properties.
  init<E>(_ table: EntityTable, properties: [any ObservedProperty<E>]?) throws {
    entity = table.number
    self.properties = try PropertySet(properties, in: table.schema)
    ids = []
  }

  /// Sets the results without a change for the observer.
  mutating func shift(to newIDs: [UInt64]) {
    ids = newIDs
  }

  /// Moves to the results at a new version, and returns the difference.
  ///
  /// - Parameters:
  ///   - newIDs: The results at the new version.
  ///   - changes: The changes to report, of the commits after the old version up to the new; nil for none.
  ///   - silence: The silent changes of these commits; nil for none.
  /// - Returns: The difference; nil when there is nothing to report.
  mutating func advance(
    to newIDs: [UInt64],
    by changes: [Int: EntityChanges]?,
    leavingOut silence: [Int: EntityChanges]?
  ) -> ChangeSet? {
    defer { shift(to: newIDs) }
    guard let changes else { return nil }
    if let silence { skip(silence, amid: changes, to: newIDs) }
    let set = difference(from: ids, to: newIDs, by: changes)
    return set.isEmpty ? nil : set
  }

  /// Applies silent changes to the old results, because the versions in between cannot be read.
  ///
  /// The difference from the outcome contains no silent changes, but its positions count silent
  /// objects.
  ///
  /// - Parameters:
  ///   - silence: The silent changes.
  ///   - changes: The changes to report.
  ///   - newIDs: The results after both.
  mutating func skip(
    _ silence: [Int: EntityChanges],
    amid changes: [Int: EntityChanges],
    to newIDs: [UInt64]
  ) {
    var all = changes
    all.formUnion(silence)
    let set = difference(from: ids, to: newIDs, by: all)
    let deleted = Set(set.deletions.map { ids[$0] })
    let inserted = Set(set.insertions.map { newIDs[$0] })
    let told = changes[entity]?.objects ?? [:]
    let silent = silence[entity] ?? EntityChanges()
    // Excludes objects that a transaction with a report has added or removed.
    let silentlyDeleted = deleted.filter { id in
      switch silent.objects[id] {
      case .removed: true
      case .updated: told[id] == nil
      case .inserted, nil: silent.hasRemovedAll
      }
    }
    let silentlyInserted = inserted.filter { id in
      switch silent.objects[id] {
      case .inserted: true
      case .updated: told[id] == nil
      case .removed, nil: false
      }
    }
    shift(over: silentlyDeleted, silentlyInserted, of: newIDs)
  }

  /// Removes IDs, and inserts others at their positions in the new results.
  private mutating func shift(
    over deleted: Set<UInt64>,
    _ inserted: Set<UInt64>,
    of newIDs: [UInt64]
  ) {
    ids.removeAll { deleted.contains($0) }
    let present = Set(ids)
    // Keyed by the preceding ID; nil for the beginning.
    var followers: [UInt64?: [UInt64]] = [:]
    var last: UInt64?
    for id in newIDs {
      if present.contains(id) {
        last = id
      } else if inserted.contains(id) {
        followers[last, default: []].append(id)
      }
    }
    var merged = followers[nil] ?? []
    for id in ids {
      merged.append(id)
      merged += followers[id] ?? []
    }
    ids = merged
  }

  private func difference(
    from old: [UInt64],
    to new: [UInt64],
    by changes: [Int: EntityChanges]
  ) -> ChangeSet {
    let (touched, isModified) = comparison(by: changes)
    return ChangeSet(from: old, to: new, touched: touched, isModified: isModified)
  }

  /// Returns whether objects in both of two versions were put between these, and whether they count
  /// as changed.
  ///
  /// - Parameter changes: The changes from the old version to the new.
  /// - Returns: Functions of the ID of an object.
  func comparison(
    by changes: [Int: EntityChanges]
  ) -> (touched: (UInt64) -> Bool, isModified: (UInt64) -> Bool) {
    let own = changes[entity] ?? EntityChanges()
    let (objects, isUnknown) = (own.objects, own.isUnknown)
    return (
      touched: { isUnknown || objects[$0] != nil },
      isModified: { [properties] id in
        if isUnknown { return true }
        switch objects[id] {
        case nil: return false
        case .updated(let changed): return !changed.isDisjoint(with: properties)
        // The object was replaced, and its two records were not compared.
        case .inserted, .removed: return true
        }
      }
    )
  }
}
