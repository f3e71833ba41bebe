/// The hub's decision about one uploaded transaction, to be stored in one database transaction.
///
/// The caller reads the device's record and the token's verdict, then rows until nothing is missing,
/// and commits the changes, the verdict and the record together in one SERIALIZABLE transaction.
package enum Decision: Sendable {
  /// Rows are missing: read them and decide again.
  case needs(Needs)
  /// Store the verdict and the record, and the changes unless the transaction was rejected.
  case store(Verdict, Changes?, DeviceRecord)

  /// Decides about a transaction whose admission is ``Admission/new``.
  ///
  /// - Parameters:
  ///   - transaction: The transaction.
  ///   - record: The device's record, or nil for an unknown device.
  ///   - rows: The rows that were read so far.
  ///   - rules: The rules of all entities.
  ///   - now: The hub's wall clock, in milliseconds since 1970.
  ///   - tolerance: The milliseconds by which a device's clock may be ahead.
  ///   - mayWrite: True if the user may write an object with the given key and row.
  /// - Returns: The decision, or what has to be read first.
  /// - Throws: What the source throws.
  package static func decide(
    _ transaction: SyncTransaction,
    record: DeviceRecord?,
    rows: some RowSource,
    rules: SyncRules,
    now: Int64,
    tolerance: Int64,
    mayWrite: (ObjectKey, Row) throws -> Bool
  ) throws -> Decision {
    var record = record ?? DeviceRecord()
    record.time = clamped(transaction.time, after: record.time, now: now, tolerance: tolerance)
    record.advance(to: transaction)
    let application = try Application.apply(
      transaction,
      at: record.time,
      to: rows,
      rules: rules,
      side: .hub,
      mayWrite: mayWrite
    )
    switch application {
    case .needs(let needs): return .needs(needs)
    case .changes(let changes): return .store(changes.verdict, changes, record)
    case .rejected(let rejection): return .store(.rejected(rejection), nil, record)
    }
  }

  /// Returns a transaction's time without the part that is ahead of the hub.
  ///
  /// - Parameters:
  ///   - time: The time on the device's clock.
  ///   - last: The time of the device's transaction before it; times of a device increase.
  ///   - now: The hub's wall clock, in milliseconds since 1970.
  ///   - tolerance: The milliseconds by which a device's clock may be ahead.
  /// - Returns: The time that the transaction has in conflicts.
  package static func clamped(
    _ time: HybridTime,
    after last: HybridTime,
    now: Int64,
    tolerance: Int64
  ) -> HybridTime {
    let limit = HybridTime(milliseconds: now + tolerance)
    let time = ProtocolRule.clamp.holds ? min(time, limit) : time
    return time > last || !ProtocolRule.increasingClamp.holds ? time : last.next
  }
}

extension DeviceRecord {
  /// Makes a transaction the device's last one.
  mutating func advance(to transaction: SyncTransaction) {
    last = max(last, transaction.sequence)
    token = transaction.token
  }

  /// Makes a transaction that was decided under another identity the device's last one.
  ///
  /// Later transactions of the device stay after it.
  package mutating func advance(to transaction: SyncTransaction, _ decided: DecidedTransaction) {
    advance(to: transaction)
    time = max(time, decided.time)
  }
}
