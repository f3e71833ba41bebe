extension MergeRun {
  /// Gives all elements the IDs of the merged model, and tells those whose IDs are new.
  mutating func giveNumbers(to model: inout ModelDocument) {
    let entities = numbers(
      "entity",
      { $0.entities.map(\.id) },
      last: \.lastEntityID,
      living: model.entities.map(\.id.uid)
    )
    model.lastEntityID = entities.last
    let indexes = numbers(
      "index",
      { $0.entities.flatMap(\.indexIDs) },
      last: \.lastIndexID,
      living: model.entities.flatMap { $0.indexIDs.map(\.uid) },
      // An index that gave way still has used up an ID of theirs.
      dropped: droppedIndexUIDs
    )
    model.lastIndexID = indexes.last
    let relations = numbers(
      "relation",
      { $0.entities.flatMap { $0.relations.map(\.id) } },
      last: \.lastRelationID,
      living: model.entities.flatMap { $0.relations.map(\.id.uid) }
    )
    model.lastRelationID = relations.last
    for index in model.entities.indices {
      giveNumbers(to: &model.entities[index], entities, indexes, relations)
    }
    tell(entities, relations, in: model)
  }

  private mutating func giveNumbers(
    to entity: inout ModelDocument.Entity,
    _ entities: NumberMerge,
    _ indexes: NumberMerge,
    _ relations: NumberMerge
  ) {
    let uid = entity.id.uid
    func side(_ model: ModelDocument) -> NumberMerge.Side {
      let version = model.entities.first { $0.id.uid == uid }
      return Self.side(version?.properties.map(\.id) ?? [], version?.lastPropertyID ?? .none)
    }
    let properties = NumberMerge(
      base: side(base),
      ours: side(ours),
      theirs: side(theirs),
      living: Set(entity.properties.map(\.id.uid))
    )
    if properties.isExhausted { report(.mergeExhausted("property"), at: places.place(of: uid)) }
    entity.id.id = entities.numbers[uid] ?? entity.id.id
    entity.lastPropertyID = properties.last
    for index in entity.properties.indices {
      let property = entity.properties[index]
      entity.properties[index].id.id = properties.numbers[property.id.uid] ?? property.id.id
      if let id = property.indexID {
        entity.properties[index].indexID?.id = indexes.numbers[id.uid] ?? id.id
      }
    }
    for index in entity.compoundIndexes.indices {
      let id = entity.compoundIndexes[index].id
      entity.compoundIndexes[index].id.id = indexes.numbers[id.uid] ?? id.id
      for place in entity.compoundIndexes[index].propertyIDs.indices {
        let id = entity.compoundIndexes[index].propertyIDs[place]
        entity.compoundIndexes[index].propertyIDs[place].id = properties.numbers[id.uid] ?? id.id
      }
    }
    for index in entity.relations.indices {
      let relation = entity.relations[index]
      entity.relations[index].id.id = relations.numbers[relation.id.uid] ?? relation.id.id
      entity.relations[index].targetID.id =
        entities.numbers[relation.targetID.uid] ?? relation.targetID.id
    }
    let taken = Set(properties.numbers.values)
    for move in properties.moves {
      let name = entity.properties.first { $0.id.uid == move.uid }?.name ?? ""
      report(
        .mergeMovedProperty(name, of: entity.name, move, isTaken: taken.contains(move.from)),
        at: places.place(of: move.uid, uid)
      )
    }
  }

  private mutating func numbers(
    _ kind: String,
    _ ids: (ModelDocument) -> [ModelID],
    last: KeyPath<ModelDocument, ModelID>,
    living: [UInt64],
    dropped: [UInt64] = []
  ) -> NumberMerge {
    func side(_ model: ModelDocument) -> NumberMerge.Side {
      Self.side(ids(model), model[keyPath: last])
    }
    let merge = NumberMerge(
      base: side(base),
      ours: side(ours),
      theirs: side(theirs),
      living: Set(living + dropped)
    )
    if merge.isExhausted { report(.mergeExhausted(kind), at: places.start) }
    return merge
  }

  private static func side(_ ids: [ModelID], _ last: ModelID) -> NumberMerge.Side {
    NumberMerge.Side(
      numbers: Dictionary(ids.map { ($0.uid, $0.id) }, uniquingKeysWith: { first, _ in first }),
      last: last
    )
  }

  /// Moved indexes are built anew when a store is opened, and nobody needs to know.
  private mutating func tell(
    _ entities: NumberMerge,
    _ relations: NumberMerge,
    in model: ModelDocument
  ) {
    for move in entities.moves {
      let name = model.entities.first { $0.id.uid == move.uid }?.name ?? ""
      report(.mergeMovedEntity(name, move), at: places.place(of: move.uid))
    }
    for move in relations.moves {
      for entity in model.entities {
        for relation in entity.relations where relation.id.uid == move.uid {
          report(
            .mergeMovedRelation(relation.name, of: entity.name, move),
            at: places.place(of: move.uid, entity.id.uid)
          )
        }
      }
    }
  }
}

extension ModelDocument.Entity {
  /// The IDs of all indexes, of one and of several properties.
  var indexIDs: [ModelID] { properties.compactMap(\.indexID) + compoundIndexes.map(\.id) }
}
