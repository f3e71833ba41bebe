/// The server's decision about one uploaded transaction, for one database transaction.
///
/// The caller reads the device's record and the token's decision, then rows until none is missing. It commits the
/// changes, the decision and the record together in one SERIALIZABLE transaction.
package enum DecisionStep: Sendable {
  /// Rows are missing: read them and decide again.
  case needs(Needs)
  /// Store the decision and the record, and the changes unless the transaction was rejected.
  case store(Decision, Changes?, DeviceRecord)

  /// Decides about a transaction whose admission is ``Admission/new``.
  ///
  /// - Parameters:
  ///   - transaction: The transaction.
  ///   - record: The device's record, or nil for an unknown device.
  ///   - seen: The greatest time that the device has seen, from its upload.
  ///   - rows: The rows that were read so far.
  ///   - rules: The rules of all entities.
  ///   - now: The server's wall clock, in milliseconds since 1970.
  ///   - tolerance: The milliseconds by which a device's clock may be ahead.
  ///   - mayWrite: True if the user may write an object.
  /// - Returns: The decision, or the rows to read first.
  /// - Throws: Errors of the source.
  package static func decide(
    _ transaction: SyncTransaction,
    record: DeviceRecord?,
    seen: HybridTime,
    rows: some RowSource,
    rules: SyncRules,
    now: Int64,
    tolerance: Int64,
    mayWrite: WriteTest
  ) throws -> DecisionStep {
    var record = record ?? DeviceRecord()
    record.time = clamped(
      transaction.time,
      after: record.time,
      seen: seen,
      now: now,
      tolerance: tolerance
    )
    record.advance(to: transaction)
    let application = try Application.apply(
      transaction,
      at: record.time,
      to: rows,
      rules: rules,
      side: .server,
      mayWrite: mayWrite
    )
    switch application {
    case .needs(let needs): return .needs(needs)
    case .changes(let changes): return .store(changes.decision, changes, record)
    case .rejected(let rejection): return .store(.rejected(rejection), nil, record)
    }
  }

  /// Returns a transaction's time, limited to the server's time plus a tolerance.
  ///
  /// The result is after all times that the device has seen, which another server with another clock may have set. A
  /// device that claims to have seen the future gains at most `tolerance`.
  ///
  /// - Parameters:
  ///   - time: The time on the device's clock.
  ///   - last: The time of the device's preceding transaction; times of a device increase.
  ///   - seen: The greatest time that the device has seen, from its upload.
  ///   - now: The server's wall clock, in milliseconds since 1970.
  ///   - tolerance: The milliseconds by which a device's clock may be ahead.
  /// - Returns: The time that the transaction has in conflicts.
  package static func clamped(
    _ time: HybridTime,
    after last: HybridTime,
    seen: HybridTime,
    now: Int64,
    tolerance: Int64
  ) -> HybridTime {
    var time = time
    if ProtocolRule.clamp.holds {
      var limit = HybridTime(milliseconds: now + tolerance)
      if ProtocolRule.seenTimes.holds, seen > .distantPast {
        let seen = min(seen.next, HybridTime(milliseconds: now + 2 * tolerance))
        limit = max(limit, seen)
      }
      time = min(time, limit)
    }
    return time > last || !ProtocolRule.increasingClamp.holds ? time : last.next
  }
}

extension DeviceRecord {
  /// Makes `transaction` the device's last one.
  package mutating func advance(to transaction: SyncTransaction) {
    last = max(last, transaction.sequence)
    token = transaction.token
  }

  /// Makes a transaction that was decided under another identity the device's last one.
  ///
  /// The times of later transactions of the device stay after its time.
  package mutating func advance(to transaction: SyncTransaction, _ decided: DecidedTransaction) {
    advance(to: transaction)
    if ProtocolRule.decidedTimes.holds { time = max(time, decided.time) }
  }
}
