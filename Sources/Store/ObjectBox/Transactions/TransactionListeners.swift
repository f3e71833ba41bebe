/// The users of a transaction's noted changes.
struct TransactionListeners {
  /// True when observers are notified of each object.
  private(set) var observers: Bool
  /// The participant of the commit.
  private(set) var participant: (any CommitParticipant)?
  /// True if the commit refuses new relations to missing objects.
  private(set) var checksTargets: Bool
  private(set) var isAny: Bool

  init(observers: Bool, participant: (any CommitParticipant)?, checksTargets: Bool) {
    self.observers = observers
    self.participant = participant
    self.checksTargets = checksTargets
    isAny = observers || participant != nil || checksTargets
  }

  mutating func addObservers() {
    observers = true
    isAny = true
  }

  mutating func keepObserversOnly() {
    self = Self(observers: observers, participant: nil, checksTargets: false)
  }
}
