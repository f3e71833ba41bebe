/// The changes of one transaction over the rows before it.
///
/// They are written together or not at all.
package struct Overlay<Source: RowSource> {
  private let source: Source
  private let rules: SyncRules
  /// The changed objects without ``addedPairs``; nil for a removed one.
  private var changed: [ObjectKey: Row?] = [:]
  /// Pairs that were added to changed objects and are not yet in their rows: each change of a row copies its pairs.
  private var addedPairs: [ObjectKey: [Pair]] = [:]
  /// The unique values that changed hands, with their new holder; nil if they are free.
  package private(set) var holders: [UniqueKey: ObjectKey?] = [:]
  /// The removed objects, whose IDs stay taken.
  package private(set) var tombstones: Set<ObjectKey> = []
  /// The rows that were not loaded; unless this is empty, the changes are provisional.
  package private(set) var needs = Needs()
  private var freshIDs: [EntityUID: Int] = [:]
  /// The outcomes that were looked up.
  private var outcomes: [TransactionToken: MakerOutcome?] = [:]
  private var pairSources = PairSources()

  /// Creates an overlay without changes, or with the rows of changes that were decided.
  package init(_ source: Source, rules: SyncRules, changed rows: [ObjectKey: Row?] = [:]) {
    self.source = source
    self.rules = rules
    changed = rows
  }

  /// The changed objects; nil for a removed one.
  package var rows: [ObjectKey: Row?] {
    mutating get {
      for key in Array(addedPairs.keys) { mergePairs(at: key) }
      return changed
    }
  }

  /// Returns the object as the transaction sees it.
  package mutating func row(at key: ObjectKey) throws -> Row? {
    mergePairs(at: key)
    return try rowWithoutAddedPairs(at: key)
  }

  /// Returns the object as the transaction sees it, possibly without pairs of ``add(_:to:at:)``.
  mutating func rowWithoutAddedPairs(at key: ObjectKey) throws -> Row? {
    if let row = changed[key] { return row }
    return try rowBefore(at: key)
  }

  /// Adds a pair to an object; replaces a pair with the same target.
  ///
  /// - Parameters:
  ///   - pair: The pair.
  ///   - row: The object as ``rowWithoutAddedPairs(at:)`` returns it.
  ///   - key: The object's key.
  /// - Complexity: O(log *n*) on average for *n* pairs that are added to one object in a row.
  mutating func add(_ pair: Pair, to row: Row, at key: ObjectKey) {
    if changed[key] == nil { set(row, at: key) }
    addedPairs[key, default: []].append(pair)
  }

  private mutating func mergePairs(at key: ObjectKey) {
    guard let added = addedPairs.removeValue(forKey: key), var row = changed[key] ?? nil else {
      return
    }
    row.setPairs(added)
    set(row, at: key)
  }

  /// Returns the object as it was before the transaction.
  package mutating func rowBefore(at key: ObjectKey) throws -> Row? {
    guard key.id > 0 else { return nil }
    switch try source.row(at: key) {
    case .value(let row): return row
    case .missing:
      needs.keys.insert(key)
      return nil
    }
  }

  /// Returns true if a user may write an object as it was before the transaction.
  ///
  /// Objects that it refers to count as they were before the transaction or as the transaction has left them: a list
  /// may be removed with its items.
  mutating func permits(_ test: WriteTest, before row: Row, at key: ObjectKey) throws -> Bool {
    try test(key, row, { try self.row(at: $0) }) || test(key, row, { try rowBefore(at: $0) })
  }

  /// Returns true if a user may write an object as the transaction leaves it.
  mutating func permits(_ test: WriteTest, after row: Row, at key: ObjectKey) throws -> Bool {
    try test(key, row) { try self.row(at: $0) }
  }

  /// Returns true if an object had the key and was removed, as the transaction sees it.
  package mutating func hasTombstone(at key: ObjectKey) throws -> Bool {
    if tombstones.contains(key) { return true }
    guard key.id > 0 else { return false }
    switch try source.hasTombstone(at: key) {
    case .value(let isThere): return isThere
    case .missing:
      needs.keys.insert(key)
      return false
    }
  }

  /// Returns the object that has the given unique values.
  package mutating func holder(of unique: UniqueKey) throws -> ObjectKey? {
    if let holder = holders[unique] { return holder }
    switch try source.holder(of: unique) {
    case .value(let key): return key
    case .missing:
      needs.uniques.insert(unique)
      return nil
    }
  }

  /// Returns the outcome of a transaction that made objects.
  package mutating func outcome(of maker: TransactionToken) throws -> MakerOutcome? {
    if let known = outcomes[maker] { return known }
    switch try source.outcome(of: maker) {
    case .value(let outcome):
      outcomes[maker] = .some(outcome)
      return outcome
    case .missing:
      needs.makers.insert(maker)
      return nil
    }
  }

  /// Returns an ID that no object has or had, or nil if none is loaded.
  package mutating func freshID(of entity: EntityUID) throws -> UInt64? {
    while true {
      let index = freshIDs[entity, default: 0]
      freshIDs[entity] = index + 1
      guard case .value(let id) = try source.freshID(of: entity, index: index) else {
        needs.freshIDs[entity] = index + 1
        return nil
      }
      let key = ObjectKey(entity: entity, id: id)
      if try row(at: key) == nil, try !hasTombstone(at: key) { return id }
    }
  }

  /// Changes or inserts an object.
  package mutating func put(_ row: Row, at key: ObjectKey) throws {
    let old = try self.row(at: key)
    try release(key)
    for unique in rules.uniqueKeys(of: row, at: key) {
      // If another object has taken a value that this object keeps, the value stays with the other one: both contest
      // it.
      if case .some(.some(let other)) = holders[unique], other != key, let old,
        rules.uniqueKeys(of: old, at: key).contains(unique)
      {
        continue
      }
      holders[unique] = .some(key)
    }
    set(row, at: key)
    tombstones.remove(key)
  }

  /// Removes an object and the pairs that lead to it, and leaves a tombstone.
  package mutating func remove(_ row: Row, at key: ObjectKey) throws {
    try release(key)
    set(nil, at: key)
    tombstones.insert(key)
    guard ProtocolRule.pairsOfTargets.holds else { return }
    for origin in try sources(ofPairsTo: key) {
      guard var source = try self.row(at: origin) else { continue }
      source.pairs.removeAll { $0.target == key }
      // The index of a changed row already has the row's other pairs.
      if changed[origin] == nil {
        set(source, at: origin)
      } else {
        changed.updateValue(source, forKey: origin)
      }
    }
    pairSources.forget(key)
  }

  private mutating func set(_ row: Row?, at key: ObjectKey) {
    let old = changed.updateValue(row, forKey: key) ?? nil
    pairSources.replace(old, by: row, at: key)
  }

  private mutating func release(_ key: ObjectKey) throws {
    guard let old = try row(at: key) else { return }
    for unique in rules.uniqueKeys(of: old, at: key) where try holder(of: unique) == key {
      holders[unique] = .some(nil)
    }
  }

  private mutating func sources(ofPairsTo target: ObjectKey) throws -> Set<ObjectKey> {
    let rows = rows
    let found = pairSources.sources(of: target, in: rows)
    switch try source.sources(ofPairsTo: target) {
    case .value(let keys): return found.union(keys.filter { rows[$0] == nil })
    case .missing:
      needs.targets.insert(target)
      return found
    }
  }
}
