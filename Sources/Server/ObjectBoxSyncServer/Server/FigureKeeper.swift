internal import Foundation
internal import ObjectBox
internal import ObjectBoxSyncProtocol

/// Keeps the figures of a server and of its sessions.
final class FigureKeeper: Sendable {
  private struct State {
    var sessions: [Int32: SessionFigures] = [:]
    /// The sums of sessions that have ended.
    var ended = SessionFigures.Sums()
    var logins = 0
    var refusals: [Refused.Code: Int] = [:]
    var changes: [EntityUID: Int] = [:]
    var errorCount = 0
    /// The last errors, the newest at the end.
    var errors: [SyncServerFigures.Failure] = []
  }

  private let rules: [ServedRules.Description]
  private let since = Date()
  private let state = Guarded(State())

  init(_ rules: ServedRules) {
    self.rules = rules.descriptions
  }

  // MARK: Counting

  /// Begins to keep the figures of a session.
  func begin(_ session: SessionFigures, _ number: Int32) {
    state.withLock { state in
      state.logins += 1
      state.sessions[number] = session
    }
  }

  /// Adds the figures of a session to the sums of ended sessions.
  func end(_ number: Int32) {
    state.withLock { state in
      guard let session = state.sessions.removeValue(forKey: number) else { return }
      state.ended.add(session.sums)
    }
  }

  /// Counts a connection that the server refuses or ends.
  func note(_ refused: Refused) {
    state.withLock { $0.refusals[refused.code, default: 0] += 1 }
  }

  /// Counts changes of the log.
  ///
  /// - Parameters:
  ///   - entries: The changes that were read.
  ///   - further: The number of unread changes by entity.
  func note(_ entries: [LogEntry], further: [EntityUID: Int]) {
    if entries.isEmpty, further.isEmpty { return }
    state.withLock { state in
      for entry in entries { state.changes[entry.key.entity, default: 0] += 1 }
      state.changes.merge(further, uniquingKeysWith: +)
    }
  }

  /// Records a reported error.
  func note(_ error: any Error) {
    let failure = SyncServerFigures.Failure(time: Date(), text: "\(error)")
    state.withLock { state in
      state.errorCount += 1
      if state.errors.count == SyncServerFigures.keptErrors { state.errors.removeFirst() }
      state.errors.append(failure)
    }
  }

  // MARK: Reading

  /// The present figures; costs time in proportion to the number of devices.
  var figures: SyncServerFigures {
    let state = state.withLock { $0 }
    let sessions = state.sessions.sorted { $0.key < $1.key }.map(\.value)
    var sums = state.ended
    for session in sessions { sums.add(session.sums) }
    var devices: [Int: Int] = [:]
    for rule in sessions.flatMap(\.rules) { devices[rule, default: 0] += 1 }
    return SyncServerFigures(
      since: since,
      devices: sessions.map(\.device),
      rules: rules.enumerated().map { index, rule in
        SyncServerFigures.Rule(
          entity: rule.entity,
          access: rule.access == .see ? .see : .write,
          properties: rule.properties,
          devices: devices[index, default: 0],
          changes: state.changes[rule.uid, default: 0]
        )
      },
      logins: state.logins,
      deltas: sums.deltas,
      decisions: sums.decisions,
      rejections: Dictionary(
        uniqueKeysWithValues: sums.rejections.map { ("\($0.key)", $0.value) }
      ),
      refusals: Dictionary(
        uniqueKeysWithValues: state.refusals.map { ("\($0.key)", $0.value) }
      ),
      receivedBytes: sums.receivedBytes,
      sentBytes: sums.sentBytes,
      errorCount: state.errorCount,
      errors: state.errors.reversed()
    )
  }
}
