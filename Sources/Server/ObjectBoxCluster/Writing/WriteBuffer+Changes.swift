extension WriteBuffer {
  /// The objects that the transaction has changed, by their entities' UIDs; nil for all objects of
  /// an entity.
  ///
  /// Complete after the last call of ``statements()``. May include objects whose change was undone.
  var changes: [UInt64: [UInt64]?] {
    changedIDs.mapValues { ids in
      guard let ids else { return nil }
      let isAscending = zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 }
      return isAscending ? ids : Set(ids).sorted()
    }
  }

  /// Records changed objects.
  func noteChanges(of ids: some Sequence<UInt64>, in uid: UInt64) {
    if case .some(.none) = changedIDs[uid] { return }
    changedIDs[uid, default: []]?.append(contentsOf: ids)
  }

  /// Records that any object of an entity may have changed.
  func noteChangesOfAll(in uid: UInt64) { changedIDs.updateValue(nil, forKey: uid) }
}
