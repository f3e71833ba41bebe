/// Builds a delta from what the server reads in one read-only snapshot of the primary.
///
/// A replica's snapshot lists no transactions in progress, so its deltas would miss changes.
package struct DeltaBuilder: Sendable {
  /// The device's request.
  package let deltaRequest: DeltaRequest
  /// The server's state after the delta.
  package let cursor: Cursor
  /// The device's scopes, with their progress after this delta.
  package private(set) var progress: ScopeProgress
  private let progressBefore: ScopeProgress
  private let decisions: [SequencedDecision]
  private let decidedTime: HybridTime
  /// The objects that changed.
  private var changed: [ObjectKey: Row] = [:]
  /// The objects of first fills and of replaced ranges, in batches by ascending keys.
  private var filled: [RowBatch] = []
  private var leaves: Set<ObjectKey> = []
  private var ranges: [KeyRange] = []
  /// The key of the parts that the device has staged.
  private var stagingArea: UInt64 = 0
  private var endsComparison = false

  /// The result of checking a request.
  package enum Start: Sendable {
    /// Build the delta with this builder.
    case delta(DeltaBuilder)
    /// The log does not have the difference: the answer is a request for digests.
    case reset(Reset)
    /// Another store uses the device's identity, or the server has lost its transactions.
    case forked(ServerReply)
  }

  /// Checks a request.
  ///
  /// - Parameters:
  ///   - deltaRequest: The request.
  ///   - cursor: The present state of the server.
  ///   - history: The server's past.
  ///   - granted: The scopes that the user may see.
  ///   - record: The device's record, or nil for an unknown device.
  ///   - decisions: The device's decisions after the confirmed one, in order.
  /// - Returns: A builder, or the answer to send instead of a delta.
  package static func start(
    _ deltaRequest: DeltaRequest,
    cursor: Cursor,
    history: ServerHistory,
    granted: [Scope],
    record: DeviceRecord?,
    decisions: [SequencedDecision]
  ) -> Start {
    guard knows(deltaRequest, record: record, decisions: decisions) else {
      return .forked(.forked(deltaRequest.state.device))
    }
    if let old = deltaRequest.cursor, !history.continues(old) {
      return .reset(Reset(state: deltaRequest.state, epoch: history.epoch))
    }
    return .delta(
      DeltaBuilder(
        deltaRequest,
        cursor: cursor,
        granted: granted,
        decisions: decisions,
        decidedTime: record?.time ?? .distantPast
      )
    )
  }

  /// Returns true if the server has all decisions that the device has or waits for.
  static func knows(
    _ deltaRequest: DeltaRequest,
    record: DeviceRecord?,
    decisions: [SequencedDecision]
  ) -> Bool {
    let last = record?.last ?? 0
    guard deltaRequest.confirmed <= last || !ProtocolRule.lostConfirmations.holds else {
      return false
    }
    guard ProtocolRule.forgottenDecisions.holds else { return true }
    return deltaRequest.confirmed >= last
      || decisions.first?.sequence == deltaRequest.confirmed + 1
        && UInt64(decisions.count) == last - deltaRequest.confirmed
  }

  private init(
    _ deltaRequest: DeltaRequest,
    cursor: Cursor,
    granted: [Scope],
    decisions: [SequencedDecision],
    decidedTime: HybridTime
  ) {
    self.deltaRequest = deltaRequest
    self.cursor = cursor
    self.decisions = decisions
    self.decidedTime = decidedTime
    progress = deltaRequest.scopes.restricted(to: granted)
    progressBefore = progress
  }

  /// Returns true if the delta must contain the changes of a transaction.
  ///
  /// A scan of the log finds them from the old ``TransactionSnapshot/xmax`` on, and among the transactions that were in
  /// progress in the old snapshot. A scan from the oldest of these on would read the same changes again as long as that
  /// transaction is open.
  package func contains(_ transaction: UInt64) -> Bool {
    guard let old = deltaRequest.cursor?.snapshot else { return false }
    guard ProtocolRule.transactionsInProgress.holds else { return transaction >= old.xmax }
    return cursor.snapshot.sees(transaction) && !old.sees(transaction)
  }

  /// Adds a logged change that the delta must contain.
  ///
  /// - Parameters:
  ///   - entry: The change.
  ///   - row: The object in the snapshot, or nil if it was removed.
  package mutating func add(_ entry: LogEntry, current row: Row?) {
    // The scopes that the device names do not count: it would learn of objects that its user may not see. An object
    // that is only in a lost scope leaves the device with that scope.
    let wasSeen = entry.before.map { progressBefore.match($0, at: entry.key) } ?? false
    if !ProtocolRule.currentRow.holds, row != nil, !wasSeen,
      entry.after.map({ progressBefore.match($0, at: entry.key) }) != true
    {
      return
    }
    if let row, progressBefore.contain(row.values, at: entry.key) {
      changed[entry.key] = row
    } else if wasSeen, ProtocolRule.valuesBefore.holds {
      leaves.insert(entry.key)
    }
  }

  /// The scopes whose first fill continues with this delta, each with the ID that it has reached.
  ///
  /// Empty for a delta that ends a comparison. If the device has lost a scope during the comparison and got it back,
  /// the progress at the start makes it drop its old objects of the scope.
  package var fills: [(scope: Scope, after: UInt64)] {
    if endsComparison, ProtocolRule.fillsAfterComparison.holds { return [] }
    return progressBefore.elements.compactMap { element in
      guard case .filled(let id) = element.progress else { return nil }
      return (element.scope, id)
    }
  }

  /// Adds the next objects of a scope's first fill; may be called again for the objects that follow.
  ///
  /// - Parameters:
  ///   - scope: One of ``fills``.
  ///   - next: The scope's objects after the progress, by ascending IDs, without gaps.
  ///   - isLast: True if no more objects follow.
  package mutating func fill(_ scope: Scope, with next: RowBatch, isLast: Bool) {
    filled.append(next)
    if isLast {
      progress[scope] = .complete
    } else if let last = next.lastKey {
      progress[scope] = .filled(upTo: last.id)
    }
  }

  /// Makes the device drop its objects in some ranges, and adds the snapshot's objects there.
  ///
  /// - Parameters:
  ///   - ranges: The ranges.
  ///   - rows: The objects by ascending keys.
  ///   - stagingArea: The key of the parts that the device applies first.
  mutating func replace(_ ranges: [KeyRange], by rows: RowBatch, over stagingArea: UInt64) {
    self.ranges = ranges
    self.stagingArea = stagingArea
    endsComparison = true
    filled.append(rows)
  }

  /// Returns the answer to send instead of a delta with too many changes.
  ///
  /// The device then gets the changes in parts, and stages these until the delta.
  ///
  /// Objects outside of the ranges did not change, so the device's rows are of this state. Later changes come with the
  /// delta that ends the parts, or are divided again.
  ///
  /// - Parameter changed: The ranges with all changes that ``add(_:current:)`` would get.
  /// - Returns: The answer. It has the objects of ``replace(_:by:over:)`` as a part.
  package func divided(_ changed: ChangedRanges) -> Refine {
    var changed = changed
    let (left, size) = changed.finish()
    let part = ranges.isEmpty ? nil : ResetPart(ranges: ranges, rows: filled.first ?? RowBatch())
    // Staged objects may have changed again, and the device would hash its rows without the parts.
    let isFirst = stagingArea == 0 && part == nil || !ProtocolRule.changedParts.holds
    return Refine(
      state: deltaRequest.state,
      base: ComparisonBase(cursor: cursor, scopes: progressBefore, latest: cursor),
      stagingArea: stagingArea,
      part: part,
      ranges: left,
      size: isFirst ? size : 0
    )
  }

  /// Returns the delta.
  package func finish() -> Delta {
    Delta(
      state: deltaRequest.state,
      stagingArea: stagingArea,
      cursor: cursor,
      scopes: progress,
      ranges: ranges,
      leaves: leaves.sorted(),
      rows: rows,
      decisions: decisions,
      decidedTime: decidedTime
    )
  }

  /// The objects by ascending keys, each once: a changed object can also be in several filled scopes.
  private var rows: RowBatch {
    let changed = changed.map { KeyedRow(key: $0.key, row: $0.value) }.sorted { $0.key < $1.key }
    var batches = filled.filter { !$0.isEmpty }
    // Changed objects are below the progress from which a first fill continues, so the changes of an entity mostly end
    // where the fill begins.
    var rest = changed[...]
    while let first = rest.first {
      let next = rest.prefix { $0.key.entity == first.key.entity }
      batches.append(RowBatch(next))
      rest = rest.dropFirst(next.count)
    }
    // A part without changes is one batch.
    guard batches.count > 1 else { return batches.first ?? RowBatch() }
    batches.sort { one, other in
      guard let first = one.firstKey, let second = other.firstKey else { return false }
      return first < second
    }
    var rows = RowBatch()
    for batch in batches { rows.append(batch) }
    return rows.isAscending ? rows : rows.sorted
  }
}

extension RowBatch {
  /// The objects by ascending keys, each once.
  fileprivate var sorted: RowBatch {
    var last: ObjectKey?
    return RowBatch(
      self.sorted { $0.key < $1.key }.filter { row in
        defer { last = row.key }
        return row.key != last
      }
    )
  }
}
