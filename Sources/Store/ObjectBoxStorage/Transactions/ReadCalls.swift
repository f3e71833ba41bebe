internal import Synchronization

/// The right to call LMDB with one read transaction.
///
/// The transaction's thread takes it for each call; an exchange of the environment takes it until
/// it is done.
///
/// Costs an atomic exchange and a store per call.
struct ReadCalls: ~Copyable {
  private enum State {
    static let free: UInt8 = 0
    static let taken: UInt8 = 1
  }

  private let state: Atomic<UInt8>

  /// - Parameter isTaken: Whether the calls are taken at the beginning.
  init(isTaken: Bool) { state = Atomic(isTaken ? State.taken : State.free) }

  /// Takes the calls; false when they are already taken.
  @inline(__always)
  func take() -> Bool { state.exchange(State.taken, ordering: .acquiring) == State.free }

  /// Gives the calls back.
  @inline(__always)
  func give() { state.store(State.free, ordering: .releasing) }
}
