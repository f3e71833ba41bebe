/// Applies the operations of one transaction in order.
struct Applier<Source: RowSource> {
  let transaction: SyncTransaction
  let time: HybridTime
  let rules: SyncRules
  let side: Application.Side
  let mayWrite: WriteTest
  var overlay: Overlay<Source>
  var dropped: [DroppedOperation] = []
  var identities: [NewIdentity] = []
  /// The index of the current operation.
  var index = 0
  /// The objects that the transaction has inserted.
  private var made: Set<ObjectKey> = []
  /// Objects that the user may write only if a later operation changes them, or what they lead to.
  private var unsettled: [(key: ObjectKey, row: Row)] = []

  init(
    transaction: SyncTransaction,
    time: HybridTime,
    rows: Source,
    rules: SyncRules,
    side: Application.Side,
    mayWrite: @escaping WriteTest
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
    do {
      try applyOperations()
    } catch let rejection as Rejection {
      // A user without the right must not learn which unique values are taken.
      try checkUnsettled()
      throw rejection
    }
    try checkUnsettled()
  }

  private mutating func applyOperations() throws {
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

  // MARK: Permission

  /// Throws unless the user may write an object as it is before an operation.
  ///
  /// An object that the transaction has inserted needs the right on its last row only: the insert of
  /// a cycle leaves a relation empty, which a later operation completes.
  mutating func checkPermission(before row: Row, at key: ObjectKey) throws {
    guard side == .hub, ProtocolRule.permission.holds, !made.contains(key) else { return }
    if try !mayWrite(before: row, at: key) {
      throw Rejection(entity: key.entity, property: nil, reason: .permission)
    }
  }

  /// Throws unless the user may write an object as an operation leaves it.
  ///
  /// If the right depends on objects that it leads to, and they do not give it yet, the end of the
  /// transaction decides: operations that follow may change them, or the relation.
  mutating func checkPermission(after row: Row, at key: ObjectKey, isInsert: Bool = false) throws {
    guard side == .hub, ProtocolRule.permission.holds else { return }
    var dependsOnOthers = false
    let test = mayWrite
    let isPermitted = try test(key, row) { other in
      dependsOnOthers = true
      return try overlay.row(at: other)
    }
    if isInsert, dependsOnOthers { made.insert(key) }
    if isPermitted { return }
    guard dependsOnOthers else {
      throw Rejection(entity: key.entity, property: nil, reason: .permission)
    }
    unsettled.append((key, row))
  }

  /// Throws unless the user may write the objects that depend on others, as the transaction leaves
  /// them.
  private mutating func checkUnsettled() throws {
    let test = mayWrite
    for (key, row) in unsettled {
      let row = (overlay.rows[key] ?? nil) ?? row
      if try !test(key, row, { try overlay.row(at: $0) }) {
        throw Rejection(entity: key.entity, property: nil, reason: .permission)
      }
    }
  }

  /// Returns true if the user may write an object as it is before an operation.
  ///
  /// Objects that it leads to count as the transaction found them, or as its operations so far have
  /// left them: a list may be removed before its items.
  mutating func mayWrite(before row: Row, at key: ObjectKey) throws -> Bool {
    let test = mayWrite
    return try test(key, row, { try overlay.row(at: $0) })
      || test(key, row, { try overlay.rowBefore(at: $0) })
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
