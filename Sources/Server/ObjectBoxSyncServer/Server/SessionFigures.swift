internal import Foundation
internal import ObjectBox
internal import ObjectBoxSyncConnection
internal import ObjectBoxSyncProtocol

/// The figures of one session.
///
/// Counting takes one lock for each message and each change, but none for objects.
final class SessionFigures: Sendable {
  /// The counts of a session, which are kept after its end.
  struct Sums: Sendable {
    var deltas = 0
    var decisions = SyncServerFigures.Decisions()
    var rejections: [Rejection.Reason: Int] = [:]
    var receivedBytes = 0
    var sentBytes = 0

    mutating func add(_ other: Self) {
      deltas += other.deltas
      decisions.accepted += other.decisions.accepted
      decisions.merged += other.decisions.merged
      decisions.rejected += other.decisions.rejected
      rejections.merge(other.rejections, uniquingKeysWith: +)
      receivedBytes += other.receivedBytes
      sentBytes += other.sentBytes
    }
  }

  private struct State {
    var device: DeviceIdentity
    var lastDelta: Date?
    var isFilling = false
    /// The sequence number of the last decision that was counted.
    var told: UInt64 = 0
    /// The time of the first change since the start of the last answer.
    var pending: ContinuousClock.Instant?
    /// The time of the first change in the present answer.
    var answering: ContinuousClock.Instant?
    var sums = Sums()
  }

  /// The rules that permit some objects to the user, by their indexes.
  let rules: [Int]
  private let user: SyncUser
  private let connection: SyncConnection
  private let since = Date()
  private let state: Guarded<State>

  init(_ device: DeviceIdentity, of user: SyncUser, _ connection: SyncConnection, rules: [Int]) {
    self.user = user
    self.connection = connection
    self.rules = rules
    state = Guarded(State(device: device))
  }

  // MARK: Counting

  /// Records a change that may concern the device.
  func noteChange() {
    state.withLock { if $0.pending == nil { $0.pending = .now } }
  }

  /// Records the start of reading an answer, which will contain the changes so far.
  func beginAnswer() {
    state.withLock { state in
      state.answering = state.answering ?? state.pending
      state.pending = nil
    }
  }

  /// Records that the answer was sent, or that it would have contained nothing new.
  ///
  /// - Parameters:
  ///   - delta: The delta that was sent; nil without one.
  ///   - confirmed: The sequence number of the last decision that the device already had.
  func endAnswer(_ delta: Delta?, confirmed: UInt64 = 0) {
    state.withLock { state in
      state.answering = nil
      guard let delta else { return }
      state.lastDelta = Date()
      state.isFilling = !delta.scopes.isComplete
      state.sums.deltas += 1
      // The decisions of a device with a new identity are numbered from 1 again.
      if delta.state.device != state.device { (state.device, state.told) = (delta.state.device, 0) }
      for decision in delta.decisions where decision.sequence > max(state.told, confirmed) {
        state.told = decision.sequence
        state.sums.count(decision.decision)
      }
    }
  }

  // MARK: Reading

  /// The counts so far.
  var sums: Sums {
    var sums = state.withLock { $0.sums }
    (sums.receivedBytes, sums.sentBytes) = connection.traffic
    return sums
  }

  /// The device with its counts.
  var device: SyncServerFigures.Device {
    let state = state.withLock { $0 }
    let traffic = connection.traffic
    return SyncServerFigures.Device(
      identity: state.device.shortText,
      user: user.id,
      address: connection.address,
      since: since,
      state: state.lastDelta == nil ? .starting : state.isFilling ? .filling : .following,
      lastDelta: state.lastDelta,
      behind: (state.answering ?? state.pending).map { .now - $0 },
      decisions: state.sums.decisions,
      receivedBytes: traffic.received,
      sentBytes: traffic.sent
    )
  }
}

extension SessionFigures.Sums {
  fileprivate mutating func count(_ decision: Decision) {
    switch decision {
    case .accepted: decisions.accepted += 1
    case .merged: decisions.merged += 1
    case .rejected(let rejection):
      decisions.rejected += 1
      rejections[rejection.reason, default: 0] += 1
    }
  }
}
