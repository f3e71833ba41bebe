/// Applies the operations of one transaction in order.
struct Applier<Source: RowSource> {
  let transaction: SyncTransaction
  let time: HybridTime
  let rules: SyncRules
  let side: Application.Side
  let mayWrite: (ObjectKey, Row) throws -> Bool
  var overlay: Overlay<Source>
  var dropped: [DroppedOperation] = []
  var identities: [NewIdentity] = []
  /// The index of the current operation.
  var index = 0

  init(
    transaction: SyncTransaction,
    time: HybridTime,
    rows: Source,
    rules: SyncRules,
    side: Application.Side,
    mayWrite: @escaping (ObjectKey, Row) throws -> Bool
  ) {
    self.transaction = transaction
    self.time = time
    self.rules = rules
    self.side = side
    self.mayWrite = mayWrite
    self.overlay = Overlay(rows, rules: rules)
  }

  var changes: Changes {
    Changes(
      rows: overlay.rows,
      tombstones: overlay.tombstones,
      dropped: dropped,
      identities: identities
    )
  }

  mutating func run() throws {
    for (index, operation) in transaction.operations.enumerated() {
      self.index = index
      let entity = operation.key.entity
      guard let rules = rules[entity] else {
        throw Rejection(entity: entity, property: nil, reason: .unknownEntity)
      }
      switch operation {
      case .insert(let key, let values, let origin):
        try insert(values, at: key, origin, rules)
      case .update(let object, let values, let base):
        try update(object, values, base: base, rules)
      case .increment(let object, let property, let difference):
        try increment(object, property, by: difference, rules)
      case .delete(let object): try delete(object, rules)
      case .addPair(let source, let relation, let target):
        try addPair(source, relation, target)
      case .removePair(let source, let relation, let target, let seen):
        try removePair(source, relation, target, seen: seen)
      }
    }
  }

  mutating func drop(_ key: ObjectKey, _ reason: DroppedOperation.Reason) {
    dropped.append(DroppedOperation(index: index, key: key, reason: reason))
  }

  func checkPermission(_ key: ObjectKey, _ row: Row) throws {
    guard side == .hub, ProtocolRule.permission.holds else { return }
    if try !mayWrite(key, row) {
      throw Rejection(entity: key.entity, property: nil, reason: .permission)
    }
  }

  /// Returns the stamp of a write.
  ///
  /// - Parameters:
  ///   - rules: The entity's rules.
  ///   - values: The written values.
  ///   - row: The row before, whose precedence holds if the write has none.
  /// - Returns: The stamp, with the precedence that the write leaves.
  func stamp(
    _ rules: EntityRules,
    values: PropertyList<PropertyValue>?,
    row: Row?
  ) -> Stamp {
    var precedence: Int64 = 0
    if let property = rules.precedence {
      let value = values?[property] ?? row?.values[property]
      precedence = value?.integerValue ?? 0
    }
    return Stamp(precedence: precedence, time: time, token: transaction.token)
  }
}
