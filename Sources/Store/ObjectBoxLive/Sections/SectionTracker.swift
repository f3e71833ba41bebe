internal import ObjectBox

/// A new version of sections.
struct SectionStep: Sendable {
  /// The difference from the previous step; nil for the first.
  var changes: SectionChanges?
}

/// Computes the changes of the sections of a selection.
struct SectionTracker<E>: ObserverTracker
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  private var selection: SelectionTracker<E>
  private let order: SectionOrder
  /// The store for reads in pinned transactions; does not keep the file open.
  private let store: Store
  /// The keys of the objects that are in the sections, and of some that were.
  private var keys: [UInt64: SectionKey] = [:]
  private var layout = SectionLayout()

  init(_ selection: SelectionTracker<E>, _ order: SectionOrder, _ store: Store) {
    self.selection = selection
    self.order = order
    self.store = store
  }

  var interest: ChangeInterest { selection.interest }

  mutating func begin(at pin: PinnedRead) throws -> SectionStep? {
    let ids = try selection.ids(at: pin)
    keys = try read(ids, at: pin)
    selection.tracker.shift(to: ids)
    layout = SectionLayout(ids, in: order) { keys[$0] }
    return SectionStep(changes: nil)
  }

  private func read(_ ids: [UInt64], at pin: PinnedRead) throws -> [UInt64: SectionKey] {
    if ids.isEmpty { return [:] }
    return try pin.reading { try order.keys(of: ids, in: Box<E>(store: store)) }
  }

  mutating func advance(
    to pin: PinnedRead,
    by changes: [Int: EntityChanges]?,
    leavingOut silence: [Int: EntityChanges]?
  ) throws -> SectionStep? {
    let entity = selection.tracker.entity
    let (told, silent) = (changes?[entity], silence?[entity])
    let own = [told, silent].compactMap(\.self)
    let ids =
      try selection.ids(at: pin, after: selection.tracker.ids, by: own)
      ?? selection.ids(at: pin)
    let newKeys = try keys(of: ids, after: own, at: pin)
    let new = SectionLayout(ids, in: order) { newKeys[$0] }
    defer {
      selection.tracker.shift(to: ids)
      keys = newKeys
      layout = new
    }
    guard let changes else { return nil }
    if let silence {
      selection.tracker.skip(silence, amid: changes, to: ids)
      // If only silent transactions have changed an object, it is in the section to which they moved it.
      layout = SectionLayout(selection.tracker.ids, in: order) { [keys] id in
        told.isTouched(id) ? keys[id] ?? newKeys[id] : newKeys[id] ?? keys[id]
      }
    }
    let (touched, isModified) = selection.tracker.comparison(by: changes)
    let set = SectionChanges(
      from: layout,
      to: new,
      in: order,
      touched: touched,
      isModified: isModified
    )
    return set.isEmpty ? nil : SectionStep(changes: set)
  }

  /// Returns the keys of the results; reads only changed and new ones.
  private func keys(
    of ids: [UInt64],
    after changes: [EntityChanges],
    at pin: PinnedRead
  ) throws -> [UInt64: SectionKey] {
    if changes.contains(where: { $0.isUnknown || $0.hasRemovedAll }) {
      return try read(ids, at: pin)
    }
    var keys = keys
    for id in changes.lazy.flatMap(\.objects.keys) { keys[id] = nil }
    let missing = ids.filter { keys[$0] == nil }
    keys.merge(try read(missing, at: pin)) { $1 }
    if keys.count > ids.count * 2 + 64 {
      let current = Set(ids)
      keys = keys.filter { current.contains($0.key) }
    }
    return keys
  }
}

extension EntityChanges? {
  /// Returns whether the changes may contain one of an object.
  fileprivate func isTouched(_ id: UInt64) -> Bool {
    guard let self else { return false }
    return self.isUnknown || self.hasRemovedAll || self.objects[id] != nil
  }
}
