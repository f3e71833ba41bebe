/// A look-up of the first object with a value, by an index of one property.
///
/// Earns 196 % of the row 'string by hash index': it needs neither plan nor filter, and compares
/// the record of the key's least ID with the value.
struct KeyLookup {
  private enum Answer {
    /// No object holds the value.
    case nothing
    /// The record of the object.
    case record(RecordReader)
    /// The index cannot decide: the value has no key, or shares its key with other values.
    case undecided
  }

  private let index: IndexDefinition
  /// True when at most one object can meet the condition.
  let isUnique: Bool

  /// Makes the look-up of a value in a unique index.
  init(unique index: IndexDefinition) {
    self.index = index
    isUnique = true
  }

  /// Makes the look-up of a selection; nil unless it compares a single indexed property with `==`.
  package init?(_ selection: Selection, in table: EntityTable) {
    guard selection.orders.isEmpty, case .property(let condition)? = selection.condition,
      condition.comparison == .equal,
      let position = table.indexes.firstIndex(where: { $0.propertyID == condition.propertyID })
    else { return nil }
    index = table.indexes[position]
    // Values that differ in case are different to an index that does not ignore it.
    isUnique = index.isUnique && (condition.isCaseSensitive || index.ignoresCase)
  }

  /// Returns the record of the first object that meets a condition; nil when there is none.
  ///
  /// The reader is valid until the transaction writes or ends.
  ///
  /// - Parameters:
  ///   - condition: An equality on the property of the index.
  ///   - table: The entity.
  ///   - transaction: The open transaction.
  /// - Returns: A reader of the record.
  /// - Throws: The errors of a query's run.
  func first(
    _ condition: PropertyCondition,
    in table: EntityTable,
    _ transaction: Transaction
  ) throws -> RecordReader? {
    switch try answer(condition, in: table, transaction) {
    case .nothing: return nil
    case .record(let record): return record
    case .undecided:
      let run = try QueryExecution(.property(condition), table: table, transaction: transaction)
      var first: RecordReader?
      try run.forEach { record in
        first = record
        return false
      }
      return first
    }
  }

  private func answer(
    _ condition: PropertyCondition,
    in table: EntityTable,
    _ transaction: Transaction
  ) throws -> Answer {
    // The usual operand, already in stored form.
    if case .texts(let values) = condition.operand, index.property.type == .string,
      condition.isCaseSensitive, var text = values.first
    {
      return try text.withUTF8 {
        try answer(bytes: UnsafeRawBufferPointer($0), in: table, transaction)
      }
    }
    switch try ConditionTypes.operand(of: condition, for: index.property) {
    case .integers(let values):
      guard let value = values.first else { return .undecided }
      return try answer(integer: value, in: table, transaction)
    case .bytes(let values):
      guard let value = values.first else { return .undecided }
      return try value.withUnsafeBytes { try answer(bytes: $0, in: table, transaction) }
    default: return .undecided
    }
  }

  private func answer(
    integer value: Int64,
    in table: EntityTable,
    _ transaction: Transaction
  ) throws -> Answer {
    let isVector = RecordField.Kind(type: index.property.type).isVariable
    let omitsValue = value == 0 && index.property.has(.indexPartialSkipZero)
    guard !isVector, !omitsValue else { return .undecided }
    let id = try transaction.withStorage { storage in
      try index.firstID(in: storage) { index.key.write(integer: value, into: &$0) }
    }
    return try answer(id, in: table, transaction) { record, field in
      let order = IntegerOrder(index.property)
      return record.integer(field).map { order.key($0) & order.mask == order.key(value) } ?? false
    }
  }

  private func answer(
    bytes value: UnsafeRawBufferPointer,
    in table: EntityTable,
    _ transaction: Transaction
  ) throws -> Answer {
    guard !index.property.collation.decidesOrder else { return .undecided }
    let id = try transaction.withStorage { storage in
      try index.firstID(in: storage) { index.key.write(bytes: value, into: &$0) }
    }
    return try answer(id, in: table, transaction) { record, field in
      record.bytes(field).map { ByteComparison.areEqual($0, value, foldsCase: false) } ?? false
    }
  }

  /// Reads the first object of a key, which may also be the key of other values.
  @inline(__always)
  private func answer(
    _ id: UInt64?,
    in table: EntityTable,
    _ transaction: Transaction,
    isSame: (RecordReader, RecordField) -> Bool
  ) throws -> Answer {
    guard let id else { return .nothing }
    guard let record = try transaction.withStorage({ try table.record(id, in: $0) }),
      isSame(record, record.field(propertyID: index.propertyID))
    else { return .undecided }
    return .record(record)
  }
}

extension Box {
  /// Returns the first object that meets a condition, by a look-up.
  func first(by lookup: KeyLookup, _ condition: PropertyCondition) throws -> E? {
    try store.checkOpen()
    let table = try table()
    if case .thread = store.source { return try firstOnThread(lookup, condition, table) }
    return try store.readingSource { try firstOnThread(lookup, condition, table) }
  }

  private func firstOnThread(
    _ lookup: KeyLookup,
    _ condition: PropertyCondition,
    _ table: EntityTable
  ) throws -> E? {
    try store.makingOnThread {
      try store.transactions.beginReading(by: lookup, condition, in: table, on: $0)
    } object: {
      try E.entityBinding.object(of: $0, in: table, store)
    }
  }
}

extension TransactionScheduler {
  /// Begins or joins a transaction and finds the first object that meets a condition; see
  /// ``beginReading(_:of:on:)``.
  fileprivate func beginReading(
    by lookup: KeyLookup,
    _ condition: PropertyCondition,
    in table: EntityTable,
    on state: StoreThreadState
  ) throws -> RecordReader? {
    try beginReading(on: state) { try lookup.first(condition, in: table, $0) }
  }
}
