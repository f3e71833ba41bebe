internal import ObjectBox
internal import ObjectBoxDynamic
internal import ObjectBoxLive

/// Finds how the objects that match a condition differ between two versions.
struct ResultChanges {
  /// An object before and after a change; nil where it does not match.
  typealias Change = (before: RecordReader?, after: RecordReader?)

  /// The number of changes for which the condition is tested together.
  private static let batchSize = 500

  private let entity: EntitySchema
  private let index: Int
  /// Empty for all objects.
  private let condition: String

  /// - Parameters:
  ///   - entity: An entity of the store.
  ///   - condition: The condition; blank for all objects.
  ///   - store: The store.
  /// - Throws: ``ConditionFault``; ``Failure`` for nearest neighbours, which also depend on
  ///   unchanged objects.
  init(_ entity: EntitySchema, condition: String, in store: Store) throws {
    self.entity = entity
    index = store.schema.index(ofEntity: entity.name) ?? 0
    let node = try ConditionParser.parse(condition)
    self.condition = node == nil ? "" : condition
    if let node, node.asksForNeighbours {
      throw Failure("a condition with 'is nearest to' cannot be watched: it depends on all objects")
    }
    _ = try StoreQuery(entity.name, condition: condition, in: store)
  }

  /// Passes the changes to a body, in the order of IDs.
  ///
  /// - Parameters:
  ///   - older: A version.
  ///   - newer: A later version.
  ///   - body: Gets a change, valid until it returns.
  /// - Throws: `ObjectBoxError` when the file cannot be read; the error of the body.
  /// - Complexity: O(pages written in between), plus the condition for each change, by ID.
  func forEach(
    from older: Snapshot,
    to newer: Snapshot,
    _ body: (Change) throws -> Void
  ) throws {
    try older.readingStored { before, olderStore in
      try newer.readingStored { after, newerStore in
        // The records stay valid while the versions are read.
        var batch: [Change] = []
        func passOn() throws {
          let wasIn = try matching(batch.compactMap(\.before), in: olderStore)
          let isIn = try matching(batch.compactMap(\.after), in: newerStore)
          for change in batch {
            let before = change.before.flatMap { wasIn?.contains($0.objectID) == false ? nil : $0 }
            let after = change.after.flatMap { isIn?.contains($0.objectID) == false ? nil : $0 }
            if before != nil || after != nil { try body((before, after)) }
          }
          batch.removeAll(keepingCapacity: true)
        }
        try after.forEachChange(entity: index, since: before) { before, after in
          batch.append((before, after))
          if batch.count == Self.batchSize { try passOn() }
        }
        try passOn()
      }
    }
  }

  /// Returns the IDs of the records that match the condition; nil without a condition.
  private func matching(_ records: [RecordReader], in store: Store) throws -> Set<Id>? {
    if condition.isEmpty { return nil }
    if records.isEmpty { return [] }
    let name = entity.idProperty?.name ?? "id"
    let builder = try StoreQuery.builder(
      entity.name,
      condition: condition,
      and: { $0[name].isIn(records.map(\.objectID)) },
      in: store
    )
    return Set(try builder.build().findIds())
  }
}

extension ConditionNode {
  fileprivate var asksForNeighbours: Bool {
    switch self {
    case .all(let nodes), .any(let nodes): nodes.contains(where: \.asksForNeighbours)
    case .comparison(let comparison): comparison.operation == .isNearest
    case .link(_, let node): node.asksForNeighbours
    case .aggregate(_, let node, _): node?.asksForNeighbours ?? false
    }
  }
}
