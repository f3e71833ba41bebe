import ObjectBoxSyncProtocol

/// The delete rule of the relation between objects of ``TrialModel/resolved``, as the database applies it.
enum DeleteRule {
  case nullify, cascade, restrict
}

extension TrialServer {
  /// Returns changed rows with what the delete rule changes besides, or nil if it forbids a removal.
  ///
  /// Objects that the rule removes leave no tombstone.
  func ruled(_ changes: [ObjectKey: Row?]) -> [ObjectKey: Row?]? {
    var changes = changes
    var removed = changes.filter { $0.key.entity == TrialModel.resolved && $0.value == nil }.keys
      .map { $0 }
    while let target = removed.popLast() {
      for (key, row) in rows(leadingTo: target, after: changes) {
        switch deleteRule {
        case .restrict: return nil
        case .nullify:
          var row = row
          row.values[TrialModel.parent] = .null
          changes[key] = .some(row)
        case .cascade:
          changes[key] = .some(nil)
          removed.append(key)
          for (source, var row) in current(after: changes)
          where row.pairs.contains(where: { $0.target == key }) {
            row.pairs.removeAll { $0.target == key }
            changes[source] = .some(row)
          }
        }
      }
    }
    return changes
  }

  private func rows(
    leadingTo target: ObjectKey,
    after changes: [ObjectKey: Row?]
  ) -> [ObjectKey: Row] {
    current(after: changes).filter { key, row in
      key.entity == target.entity
        && row.values[TrialModel.parent] == .integer(Int64(bitPattern: target.id))
    }
  }

  private func current(after changes: [ObjectKey: Row?]) -> [ObjectKey: Row] {
    var rows = rows
    for (key, row) in changes { rows[key] = row }
    return rows
  }
}

extension Operation {
  /// True for the removal of an object.
  var isRemoval: Bool {
    if case .delete = self { true } else { false }
  }
}
