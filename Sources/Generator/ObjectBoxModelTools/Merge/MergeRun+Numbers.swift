internal import ObjectBoxGenerator

extension MergeRun {
  /// Assigns the IDs of the merged model to all elements, and reports changed IDs.
  mutating func giveNumbers(to model: inout ModelDocument) {
    var merges: [ElementKind: NumberMerge] = [:]
    for kind in ElementKind.allCases {
      guard let last = kind.last else { continue }
      // An index of theirs that was dropped has used up an ID.
      let dropped = kind == .index ? droppedIndexUIDs : []
      let merge = numbers(
        model.ids(of: kind).map(\.uid) + dropped,
        { NumberMerge.Side($0.ids(of: kind), $0[keyPath: last]) }
      )
      if merge.isExhausted { report(.mergeExhausted("\(kind)"), at: places.start) }
      model[keyPath: last] = merge.last
      merges[kind] = merge
    }
    for index in model.entities.indices { giveNumbers(to: &model.entities[index], merges) }
    // A moved index loses nothing: the store rebuilds it when it is opened.
    for move in merges[.entity]?.moves ?? [] {
      let title = model.entities[uid: move.uid]?.title(of: nil) ?? ""
      report(.mergeMovedEntity(title, move), at: places.place(of: move.uid))
    }
    for move in merges[.relation]?.moves ?? [] {
      for entity in model.entities {
        guard let title = entity.relations[uid: move.uid]?.title(of: entity.name) else { continue }
        report(.mergeMovedRelation(title, move), at: places.place(of: move.uid, entity.id.uid))
      }
    }
  }

  private mutating func giveNumbers(
    to entity: inout ModelDocument.Entity,
    _ merges: [ElementKind: NumberMerge]
  ) {
    let uid = entity.id.uid
    let properties = numbers(entity.properties.map(\.id.uid)) { model in
      let version = model.entities[uid: uid]
      return NumberMerge.Side(version?.properties.map(\.id) ?? [], version?.lastPropertyID ?? .none)
    }
    if properties.isExhausted { report(.mergeExhausted("property"), at: places.place(of: uid)) }
    entity.mapIDs { use, id in
      if case .last = use { return properties.last }
      let merge = use.kind == .property ? properties : merges[use.kind]
      return ModelID(id: merge?.numbers[id.uid] ?? id.id, uid: id.uid)
    }
    let taken = Set(properties.numbers.values)
    for move in properties.moves {
      let title = entity.properties[uid: move.uid]?.title(of: entity.name) ?? ""
      report(
        .mergeMovedProperty(title, move, isTaken: taken.contains(move.from)),
        at: places.place(of: move.uid, uid)
      )
    }
  }

  private func numbers(
    _ living: [UInt64],
    _ side: (ModelDocument) -> NumberMerge.Side
  ) -> NumberMerge {
    NumberMerge(base: side(base), ours: side(ours), theirs: side(theirs), living: Set(living))
  }
}
