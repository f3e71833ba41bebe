import ObjectBoxSyncProtocol

/// A transaction that a program makes up, with the objects that it is meant for.
struct Draft {
  let token: TransactionToken
  let store: TrialStore
  private(set) var operations: [Operation] = []
  private(set) var meant: [Meant] = []
  private(set) var inserted: [ObjectKey] = []
  private let shown: [ObjectKey]

  init(token: TransactionToken, store: TrialStore) {
    self.token = token
    self.store = store
    shown = store.rows.keys.sorted()
  }

  /// The objects that the program sees, with those that it has just inserted.
  var keys: [ObjectKey] { shown + inserted }

  /// Returns a reference as `Device.reference(to:)` makes it, and for own objects with the own token.
  func reference(to key: ObjectKey) -> ObjectReference? {
    if inserted.contains(key) { return ObjectReference(key, madeBy: token) }
    return try? Device(store: store, rules: store.age.rules).reference(to: key)
  }

  private func object(at key: ObjectKey) -> Meant.Object? {
    if inserted.contains(key) { return .made(key, token) }
    guard let row = store.rows[key] else { return nil }
    for waiting in store.queue where waiting.transaction.token.originID == row.originID {
      return .made(key, waiting.transaction.token)
    }
    return .row(ObjectIdentity(key: key, originID: row.originID))
  }

  /// Returns the objects of an entity with a delete rule whose relations lead to an object.
  func shown(leadingTo target: ObjectKey) -> [ObjectKey] {
    guard target.entity == TrialModel.resolved else { return [] }
    return shown.filter { key in
      key.entity == target.entity
        && store.rows[key]?.values[TrialModel.parent] == .integer(Int64(bitPattern: target.id))
    }
  }

  mutating func insert(
    _ key: ObjectKey,
    _ values: PropertyList<PropertyValue>,
    _ origin: Operation.IDOrigin
  ) {
    let target = target(in: values)
    inserted.append(key)
    append(.insert(key, values, origin), .made(key, token), target: target)
  }

  mutating func add(_ key: ObjectKey, _ operation: (ObjectReference) -> Operation) {
    guard let reference = reference(to: key), let object = object(at: key) else { return }
    let operation = operation(reference)
    var target: Meant.Object?
    if case .update(_, let values, _) = operation { target = self.target(in: values) }
    append(operation, object, target: target)
  }

  mutating func addPair(
    _ source: ObjectKey,
    _ target: ObjectKey,
    _ operation: (ObjectReference, ObjectReference) -> Operation
  ) {
    guard let from = reference(to: source), let to = reference(to: target),
      let object = object(at: source)
    else { return }
    append(operation(from, to), object, target: self.object(at: target))
  }

  private mutating func append(
    _ operation: Operation,
    _ object: Meant.Object,
    target: Meant.Object?
  ) {
    operations.append(operation)
    meant.append(Meant(object: object, target: target))
  }

  private func target(in values: PropertyList<PropertyValue>) -> Meant.Object? {
    guard case .target(let reference) = values[TrialModel.parent] else { return nil }
    return object(at: reference.key)
  }

  /// Returns all properties of an object, with changed ones, as the object clock needs them.
  func whole(
    _ key: ObjectKey,
    _ changed: PropertyList<PropertyValue>
  ) -> PropertyList<PropertyValue> {
    guard var values = store.rows[key]?.values else { return changed }
    values[TrialModel.votes] = nil
    values[TrialModel.lateVotes] = nil
    for property in (try? store.unreceived[key.entity]) ?? [] { values[property] = nil }
    if case .integer(let id) = values[TrialModel.parent] {
      let targets = keys.filter { $0.id == UInt64(bitPattern: id) }
      if let target = targets.first, let reference = reference(to: target) {
        values[TrialModel.parent] = .target(reference)
      }
    }
    values.merge(changed)
    return values
  }
}
