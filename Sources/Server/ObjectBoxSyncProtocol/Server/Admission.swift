/// The server's treatment of an uploaded transaction, chosen before it looks at any object.
package enum Admission: Hashable, Sendable {
  /// The server has decided it under this identity already.
  case known
  /// A transaction before it is missing; it will be uploaded again.
  case gap
  /// Another store uses the device identity.
  case forked
  /// The server has decided it under another identity; the decision holds.
  case decided(DecidedTransaction)
  /// It was written before the server's retention limit: the server may have decided it and forgotten that.
  case expired
  /// It is new.
  case new

  /// Returns what to do with a transaction.
  ///
  /// - Parameters:
  ///   - transaction: The transaction.
  ///   - record: The device's record, or nil for an unknown device.
  ///   - known: The token of the device's transaction with this sequence number, or nil, also if the
  ///     server has forgotten it.
  ///   - decided: The decision about the transaction's token under any device identity, or nil.
  ///   - retentionLimit: The server has forgotten decisions about transactions with earlier times, in
  ///     milliseconds since 1970.
  package init(
    of transaction: SyncTransaction,
    record: DeviceRecord?,
    known: TransactionToken?,
    decided: DecidedTransaction?,
    retentionLimit: Int64
  ) {
    let last = record?.last ?? 0
    let compares = ProtocolRule.tokens.holds
    if transaction.sequence <= last, ProtocolRule.idempotency.holds {
      self = known == transaction.token || !compares ? .known : .forked
      return
    }
    if transaction.sequence > last + 1 {
      if record == nil {
        self = .forked
        return
      }
      if ProtocolRule.gaps.holds {
        self = .gap
        return
      }
    }
    if transaction.sequence == last + 1, transaction.previous != record?.token, compares,
      ProtocolRule.previousTokens.holds
    {
      self = .forked
      return
    }
    if let decided, compares, ProtocolRule.idempotency.holds {
      self = .decided(decided)
    } else if transaction.time.milliseconds < retentionLimit, ProtocolRule.retentionLimit.holds {
      self = .expired
    } else {
      self = .new
    }
  }
}

/// The server's record of a decided transaction, by its token.
///
/// It may forget it when it has raised its retention limit behind the time that the device gave the
/// transaction; see ``Admission/expired``.
package struct DecidedTransaction: Hashable, Sendable {
  /// The decision.
  package let decision: Decision
  /// The time of the transaction, as it was clamped.
  package let time: HybridTime

  /// Creates the record of a decided transaction.
  package init(decision: Decision, time: HybridTime) {
    self.decision = decision
    self.time = time
  }
}
