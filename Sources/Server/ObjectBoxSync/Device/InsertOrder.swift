internal import ObjectBoxSyncProtocol

/// New objects in an order with the targets of to-one relations before their sources.
///
/// In a cycle, one object is inserted with an empty relation, which is completed later.
struct InsertOrder {
  /// The objects in order.
  private(set) var keys: [ObjectKey] = []
  /// The values to insert.
  private(set) var firstValues: [ObjectKey: PropertyList<PropertyValue>]
  /// The values to set when all objects are inserted.
  private(set) var completions: [(key: ObjectKey, values: PropertyList<PropertyValue>)] = []

  private let inserts: [ObjectKey: PropertyList<PropertyValue>]
  private let model: SyncedModel

  init(_ inserts: [ObjectKey: PropertyList<PropertyValue>], _ model: SyncedModel) {
    self.inserts = inserts
    self.model = model
    firstValues = inserts
    var isDone: Set<ObjectKey> = []
    for key in inserts.keys.sorted() { add(key, &isDone) }
  }

  /// Returns true if values refer to one of the objects.
  func refers(_ values: PropertyList<PropertyValue>, _ entity: EntityUID) -> Bool {
    !targets(of: values, entity).isEmpty
  }

  private func targets(
    of values: PropertyList<PropertyValue>,
    _ entity: EntityUID
  ) -> [(property: PropertyUID, key: ObjectKey)] {
    (model[entity]?.toOnes ?? []).compactMap { relation in
      guard let id = values[relation.property]?.integerValue else { return nil }
      let key = ObjectKey(entity: relation.target, id: UInt64(bitPattern: id))
      return inserts[key] == nil ? nil : (relation.property, key)
    }
  }

  /// Adds an object after its targets, without recursion: chains may be long.
  private mutating func add(_ first: ObjectKey, _ isDone: inout Set<ObjectKey>) {
    guard !isDone.contains(first) else { return }
    if model[first.entity]?.toOnes.isEmpty ?? true {
      isDone.insert(first)
      return keys.append(first)
    }
    var path: [ObjectKey] = [first]
    var isOpen: Set<ObjectKey> = [first]
    while let key = path.last {
      let all = targets(of: inserts[key] ?? PropertyList(), key.entity)
      if let next = all.first(where: { !isDone.contains($0.key) && !isOpen.contains($0.key) }) {
        path.append(next.key)
        isOpen.insert(next.key)
        continue
      }
      // The objects on the path come later: a cycle.
      var missing = PropertyList<PropertyValue>()
      for target in all where !isDone.contains(target.key) {
        missing[target.property] = inserts[key]?[target.property]
        firstValues[key]?[target.property] = .null
      }
      if !missing.isEmpty { completions.append((key, missing)) }
      path.removeLast()
      isOpen.remove(key)
      isDone.insert(key)
      keys.append(key)
    }
  }
}
