/// The server's treatment of an uploaded transaction, decided before it reads any object.
package enum Admission: Hashable, Sendable {
  /// The server has decided it under this identity already.
  case known
  /// An earlier transaction is missing; the device will upload both again.
  case gap
  /// Another store uses the device identity.
  case forked
  /// The server has decided it under another identity; the decision holds.
  case decided(DecidedTransaction)
  /// It was written before the server's retention limit: the server may have decided it and deleted the decision.
  case expired
  /// It is new.
  case new

  /// Chooses the treatment of a transaction.
  ///
  /// - Parameters:
  ///   - transaction: The transaction.
  ///   - record: The device's record, or nil for an unknown device.
  ///   - known: The token of the device's transaction with this sequence number; nil if there is none or if the server
  ///     has deleted it.
  ///   - decided: The decision about the transaction's token under any device identity, or nil.
  ///   - retentionLimit: The time, in milliseconds since 1970, before which the server may have deleted decisions of
  ///     transactions.
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
/// The server may delete it after its retention limit has passed the time that the device gave the transaction; see
/// ``Admission/expired``.
package struct DecidedTransaction: Hashable, Sendable {
  /// The decision.
  package let decision: Decision
  /// The clamped time of the transaction.
  package let time: HybridTime

  /// Creates the record of a decided transaction.
  package init(decision: Decision, time: HybridTime) {
    self.decision = decision
    self.time = time
  }
}
