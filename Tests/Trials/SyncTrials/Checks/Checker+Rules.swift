import ObjectBoxSyncProtocol

extension Checker {
  /// Returns the scopes that a user has at the present state of the server.
  func scopes(of user: Int, _ server: TrialServer, _ age: Age) -> Set<Scope> {
    scopes(ServerState(server, user: user, age))
  }

  /// Returns the scopes that a device of a user has: one for each entity and owner, one for each object that
  /// links lead to, and one for those of a rank.
  func scopes(_ state: ServerState) -> Set<Scope> {
    var scopes: Set<Scope> = []
    for owner in state.owners {
      for entity in state.age.entities {
        scopes.insert(Scope(entity: entity, property: TrialModel.owner, value: .integer(owner)))
      }
    }
    guard state.hasLinks else { return scopes }
    scopes.insert(TrialModel.visible)
    func add(_ entity: Int, _ parent: ObjectKey) {
      let id = PropertyValue.integer(Int64(bitPattern: parent.id))
      scopes.insert(
        Scope(entity: TrialModel.entities[entity], property: TrialModel.parent, value: id)
      )
    }
    for (key, row) in state.rows {
      if key.entity == TrialModel.entities[1], isOwned(row, state) { add(0, key) }
      if key.entity == TrialModel.entities[0], isOwned(row, state),
        let id = row.values[TrialModel.parent]?.integerValue, id != 0
      {
        scopes.insert(
          Scope(entity: TrialModel.entities[1], [Scope.Comparison(object: UInt64(bitPattern: id))])
        )
      }
      if key.entity == TrialModel.entities[4], isOwned(parent(of: row, 4, state), state) {
        add(2, key)
      }
    }
    return scopes
  }

  /// Returns true if a user may see an object, by the objects of a state.
  func isVisible(_ row: Row, at key: ObjectKey, _ state: ServerState) -> Bool {
    if isPermitted(row, at: key, state) { return true }
    guard state.hasLinks else { return false }
    switch key.entity {
    case TrialModel.entities[1]:
      let id = PropertyValue.integer(Int64(bitPattern: key.id))
      return state.rows.contains { other, row in
        other.entity == TrialModel.entities[0] && row.values[TrialModel.parent] == id
          && isOwned(row, state)
      }
    case TrialModel.entities[3]:
      return row.values[TrialModel.rank]?.integerValue.map { $0 >= TrialModel.visibleRank } ?? false
    default: return false
    }
  }

  /// Returns true if a user may write an object, by the objects of a state.
  func isPermitted(_ row: Row, at key: ObjectKey, _ state: ServerState) -> Bool {
    if isOwned(row, state) { return true }
    guard state.hasLinks else { return false }
    return switch key.entity {
    case TrialModel.entities[0]: isOwned(parent(of: row, 1, state), state)
    case TrialModel.entities[2]: isOwned(parent(of: parent(of: row, 4, state), 4, state), state)
    default: false
    }
  }

  private func isOwned(_ row: Row?, _ state: ServerState) -> Bool {
    state.owners.contains(row?.values[TrialModel.owner]?.integerValue ?? 0)
  }

  private func parent(of row: Row?, _ entity: Int, _ state: ServerState) -> Row? {
    let id = row?.values[TrialModel.parent]?.integerValue ?? 0
    return state.rows[ObjectKey(entity: TrialModel.entities[entity], id: UInt64(bitPattern: id))]
  }
}
