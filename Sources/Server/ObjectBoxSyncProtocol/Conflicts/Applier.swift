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
  /// The indexes in ``identities`` by the made key.
  var identityPlaces: [ObjectKey: Int] = [:]
  /// The index of the current operation.
  var index = 0
  /// Unique values that a later operation may free; ``settleContests()`` decides them at the end.
  var contests: [Contest] = []
  /// The positions of the operations that update or remove an object, ascending; computed at the first unique value
  /// that another object has.
  private lazy var writes = positionsOfWrites
  /// The objects that operations name, changed or not.
  private var meant: Set<ObjectKey> = []
  /// A row that was rejected because of its values.
  private var refused: (key: ObjectKey, row: Row)?

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
    mutating get {
      Changes(
        rows: overlay.rows,
        tombstones: overlay.tombstones,
        dropped: dropped,
        identities: identities
      )
    }
  }

  mutating func run() throws {
    do {
      try applyOperations()
      try settleContests()
    } catch let rejection as Rejection {
      // A user without the right must not learn which unique values are taken.
      try checkPermission()
      throw rejection
    }
    try checkPermission()
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
      case .delete(let object): try delete(object)
      case .addPair(let source, let relation, let target):
        try addPair(source, relation, target)
      case .removePair(let source, let relation, let target, let seen):
        try removePair(source, relation, target, seen: seen)
      }
    }
  }

  private var positionsOfWrites: [ObjectKey: [Int]] {
    var positions: [ObjectKey: [Int]] = [:]
    for (index, operation) in transaction.operations.enumerated() {
      switch operation {
      case .update, .delete: positions[operation.key, default: []].append(index)
      case .insert, .increment, .addPair, .removePair: break
      }
    }
    return positions
  }

  /// Returns true if a later operation removes an object or changes one of the properties.
  mutating func isWrittenLater(_ key: ObjectKey, _ properties: [PropertyUID]) -> Bool {
    (writes[key] ?? []).reversed().prefix { $0 > index }.contains { index in
      switch transaction.operations[index] {
      case .delete: true
      case .update(_, let values, _): properties.contains { values[$0] != nil }
      case .insert, .increment, .addPair, .removePair: false
      }
    }
  }

  mutating func drop(_ key: ObjectKey, _ reason: DroppedOperation.Reason) {
    dropped.append(DroppedOperation(index: index, key: key, reason: reason))
  }

  // MARK: Permission

  /// Notes that an operation names an object.
  mutating func mean(_ key: ObjectKey) { if side == .server { meant.insert(key) } }

  /// Notes a row that is rejected because of its values.
  mutating func refuse(_ row: Row, at key: ObjectKey) { refused = (key, row) }

  /// Throws unless the user may write each object that the transaction names or changes: as it was before the
  /// transaction, and as it is after all operations.
  ///
  /// Checked at the end only: the rights after an operation may depend on later ones, such as a list that is written
  /// after its entry. A pair that ends because its target is removed needs no right on its source.
  private mutating func checkPermission() throws {
    guard side == .server, ProtocolRule.permission.holds else { return }
    if let (key, row) = refused { try check(overlay.permits(mayWrite, after: row, at: key), key) }
    for key in meant.union(overlay.rows.keys).sorted() {
      let before = try overlay.rowBefore(at: key)
      let after = try overlay.row(at: key)
      var kept = before
      if let after { kept?.pairs = after.pairs }
      if kept == after, !meant.contains(key) { continue }
      if let before { try check(overlay.permits(mayWrite, before: before, at: key), key) }
      if let after, after != before {
        try check(overlay.permits(mayWrite, after: after, at: key), key)
      }
    }
  }

  private func check(_ isPermitted: Bool, _ key: ObjectKey) throws {
    if !isPermitted { throw Rejection(entity: key.entity, property: nil, reason: .permission) }
  }

  /// Returns the stamp of a write.
  ///
  /// - Parameters:
  ///   - rules: The entity's rules.
  ///   - values: The written values.
  ///   - row: The row before; its precedence holds if the write has none.
  /// - Returns: The stamp, with the precedence after the write.
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
