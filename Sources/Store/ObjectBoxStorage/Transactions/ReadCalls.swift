internal import Synchronization

/// The right to call LMDB with one read transaction.
///
/// The transaction's thread takes it for each call; an exchange of the environment takes it until
/// it is done.
///
/// Costs an atomic exchange and a store per call.
struct ReadCalls: ~Copyable {
  private let areTaken: Atomic<Bool>

  /// - Parameter isTaken: Whether the calls are taken at the beginning.
  init(isTaken: Bool) { areTaken = Atomic(isTaken) }

  /// Takes the calls; false when they are already taken.
  @inline(__always)
  func take() -> Bool { !areTaken.exchange(true, ordering: .acquiring) }

  /// Gives the calls back.
  @inline(__always)
  func give() { areTaken.store(false, ordering: .releasing) }
}
