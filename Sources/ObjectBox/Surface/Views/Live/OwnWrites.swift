/// The asynchronous writes that a live view has asked for.
///
/// A class, since threads that commit and cancel share it.
final class OwnWrites: Sendable {
  /// One of them; it ends at the latest when nobody has it any more, so cancelled ones do not stay.
  final class Entry: Sendable {
    private let writes: OwnWrites
    /// The steps that are left.
    private let isOpen = Guarded(true)
    private let isUnended: Guarded<Bool>

    fileprivate init(_ writes: OwnWrites, canBeRun: Bool) {
      self.writes = writes
      isUnended = Guarded(canBeRun)
      writes.counts.withLock { counts in
        counts.open += 1
        if canBeRun { counts.unended += 1 }
      }
    }

    /// Takes note that its transaction has ended.
    func transactionEnded() {
      guard isUnended.withLock({ $0.exchange(false) }) else { return }
      writes.counts.withLock { $0.unended -= 1 }
    }

    /// Takes note that its completion has been called.
    func complete() {
      transactionEnded()
      guard isOpen.withLock({ $0.exchange(false) }) else { return }
      writes.counts.withLock { $0.open -= 1 }
    }

    deinit {
      complete()
    }
  }

  private struct Counts {
    var open = 0
    var unended = 0
  }

  private let counts = Guarded(Counts())

  /// Adds one.
  ///
  /// - Parameter canBeRun: True when its block can be called by whoever blocks its isolation.
  /// - Returns: What takes note of its end.
  func add(canBeRun: Bool) -> Entry { Entry(self, canBeRun: canBeRun) }

  /// True until all completions have been called.
  var isPerforming: Bool { counts.withLock { $0.open > 0 } }

  /// True until all transactions have ended that can be waited for.
  var hasUnended: Bool { counts.withLock { $0.unended > 0 } }
}

extension Bool {
  /// Sets another value, and returns the old one.
  fileprivate mutating func exchange(_ new: Bool) -> Bool {
    defer { self = new }
    return self
  }
}
