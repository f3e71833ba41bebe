internal import ObjectBox

/// Counts the asynchronous writes that a live view has started; shared with threads that commit and
/// cancel.
final class PendingWrites: Sendable {
  /// A write; it ends at the latest when it is released, so cancelled writes end too.
  final class Entry: Sendable {
    private let writes: PendingWrites
    /// False once the completion has been called.
    private let isIncomplete = Guarded(true)
    /// False after the transaction has ended, and for a transaction that cannot be awaited.
    private let isUnended: Guarded<Bool>

    fileprivate init(_ writes: PendingWrites, canBeRun: Bool) {
      self.writes = writes
      isUnended = Guarded(canBeRun)
      writes.counts.withLock { counts in
        counts.incomplete += 1
        if canBeRun { counts.unended += 1 }
      }
    }

    /// Counts the end of the transaction.
    func transactionEnded() {
      guard isUnended.withLock({ $0.exchange(false) }) else { return }
      writes.counts.withLock { $0.unended -= 1 }
    }

    /// Counts the call of the completion.
    func complete() {
      transactionEnded()
      guard isIncomplete.withLock({ $0.exchange(false) }) else { return }
      writes.counts.withLock { $0.incomplete -= 1 }
    }

    deinit {
      complete()
    }
  }

  private struct Counts {
    var incomplete = 0
    var unended = 0
  }

  private let counts = Guarded(Counts())

  /// Adds a write.
  ///
  /// - Parameter canBeRun: True when code that blocks the view's isolation can run the block.
  /// - Returns: The entry that counts the end of the write.
  func add(canBeRun: Bool) -> Entry { Entry(self, canBeRun: canBeRun) }

  /// True until all completions have been called.
  var isPerforming: Bool { counts.withLock { $0.incomplete > 0 } }

  /// True until all transactions that can be awaited have ended.
  var hasUnended: Bool { counts.withLock { $0.unended > 0 } }
}

extension Bool {
  /// Sets a value, and returns the old one.
  fileprivate mutating func exchange(_ new: Bool) -> Bool {
    defer { self = new }
    return self
  }
}
