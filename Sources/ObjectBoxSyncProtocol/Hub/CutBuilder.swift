/// Builds a cut from what the hub reads in one read-only snapshot of the primary.
///
/// A replica's snapshot lists no transactions in progress, so that cuts of it miss changes.
package struct CutBuilder: Sendable {
  /// The device's request.
  package let want: Want
  /// The hub's state after the cut.
  package let cursor: Cursor
  /// The device's scopes, with the progress that this cut makes.
  package private(set) var marks: ScopeMarks
  private let marksBefore: ScopeMarks
  private let verdicts: [SequencedVerdict]
  private let decidedTime: HybridTime
  /// The objects that changed.
  private var changed: [ObjectKey: Row] = [:]
  /// The objects of first fills and of replaced ranges; each batch by ascending keys.
  private var filled: [RowBatch] = []
  private var leaves: Set<ObjectKey> = []
  private var ranges: [KeyRange] = []
  /// The key of the parts that the device has staged.
  private var stage: UInt64 = 0
  private var endsComparison = false

  /// The result of looking at a request.
  package enum Start: Sendable {
    /// Build the cut.
    case cut(CutBuilder)
    /// The log does not have the difference: ask for digests.
    case reset(Reset)
    /// The device's identity is used by another store, or the hub has lost its transactions.
    case forked(HubReply)
  }

  /// Looks at a request.
  ///
  /// - Parameters:
  ///   - want: The request.
  ///   - cursor: The present state of the hub.
  ///   - history: The hub's past.
  ///   - granted: The scopes that the user may see.
  ///   - record: The device's record, or nil for an unknown device.
  ///   - verdicts: The device's verdicts after the confirmed one, in order.
  /// - Returns: A builder, or the answer in place of a cut.
  package static func start(
    _ want: Want,
    cursor: Cursor,
    history: HubHistory,
    granted: [Scope],
    record: DeviceRecord?,
    verdicts: [SequencedVerdict]
  ) -> Start {
    guard knows(want, record: record, verdicts: verdicts) else {
      return .forked(.forked(want.state.device))
    }
    if let old = want.cursor, !history.continues(old) {
      return .reset(Reset(state: want.state, epoch: history.epoch))
    }
    return .cut(
      CutBuilder(
        want,
        cursor: cursor,
        granted: granted,
        verdicts: verdicts,
        decidedTime: record?.time ?? .distantPast
      )
    )
  }

  /// Returns true if the hub has all verdicts that the device has or waits for.
  static func knows(
    _ want: Want,
    record: DeviceRecord?,
    verdicts: [SequencedVerdict]
  ) -> Bool {
    let last = record?.last ?? 0
    guard want.confirmed <= last || !ProtocolRule.lostConfirmations.holds else { return false }
    guard ProtocolRule.forgottenVerdicts.holds else { return true }
    return want.confirmed >= last
      || verdicts.first?.sequence == want.confirmed + 1
        && UInt64(verdicts.count) == last - want.confirmed
  }

  private init(
    _ want: Want,
    cursor: Cursor,
    granted: [Scope],
    verdicts: [SequencedVerdict],
    decidedTime: HybridTime
  ) {
    self.want = want
    self.cursor = cursor
    self.verdicts = verdicts
    self.decidedTime = decidedTime
    marks = want.scopes.restricted(to: granted)
    marksBefore = marks
  }

  /// Returns true if the cut must contain the changes of a transaction.
  ///
  /// A scan of the log finds them from the old ``TransactionSnapshot/xmax`` on, and among the old
  /// transactions in progress; a scan from the oldest one in progress reads the same changes again
  /// as long as that one is open.
  package func contains(_ transaction: UInt64) -> Bool {
    guard let old = want.cursor?.snapshot else { return false }
    guard ProtocolRule.transactionsInProgress.holds else { return transaction >= old.xmax }
    return cursor.snapshot.sees(transaction) && !old.sees(transaction)
  }

  /// Adds a logged change that the cut must contain.
  ///
  /// - Parameters:
  ///   - entry: The change.
  ///   - row: The object as the snapshot has it, or nil if it was removed.
  package mutating func add(_ entry: LogEntry, current row: Row?) {
    // Not by the scopes that the device names: it would learn of objects that its user may not see. What
    // is in a lost scope alone leaves the device with the scope.
    let wasSeen = entry.before.map { marksBefore.match($0, at: entry.key) } ?? false
    if !ProtocolRule.currentRow.holds, row != nil, !wasSeen,
      entry.after.map({ marksBefore.match($0, at: entry.key) }) != true
    {
      return
    }
    if let row, marksBefore.contain(row.values, at: entry.key) {
      changed[entry.key] = row
    } else if wasSeen, ProtocolRule.valuesBefore.holds {
      leaves.insert(entry.key)
    }
  }

  /// The scopes whose first fill goes on with this cut, with the ID that it reached.
  ///
  /// None for a cut that ends a comparison. If the device has lost a scope during the comparison and got it
  /// back, it sees by the mark at the start that its old objects of the scope are of no use.
  package var fills: [(scope: Scope, after: UInt64)] {
    if endsComparison, ProtocolRule.fillsAfterComparison.holds { return [] }
    return marksBefore.elements.compactMap { element in
      guard case .filled(let id) = element.mark else { return nil }
      return (element.scope, id)
    }
  }

  /// Adds the next objects of a scope's first fill; may be called again for those that follow.
  ///
  /// - Parameters:
  ///   - scope: One of ``fills``.
  ///   - next: The scope's objects after the mark, by ascending IDs, without gaps.
  ///   - isLast: True if no more objects follow.
  package mutating func fill(_ scope: Scope, with next: RowBatch, isLast: Bool) {
    filled.append(next)
    if isLast {
      marks[scope] = .complete
    } else if let last = next.lastKey {
      marks[scope] = .filled(upTo: last.id)
    }
  }

  /// Lets the device forget the objects of ranges, and adds those that the snapshot has in them.
  ///
  /// - Parameters:
  ///   - ranges: The ranges.
  ///   - rows: The objects by ascending keys.
  ///   - stage: The key of the parts that the device takes before.
  mutating func replace(_ ranges: [KeyRange], by rows: RowBatch, over stage: UInt64) {
    self.ranges = ranges
    self.stage = stage
    endsComparison = true
    filled.append(rows)
  }

  /// Returns the answer in place of a cut with too many changes: the device gets them in parts, and stages
  /// these until the cut.
  ///
  /// Objects outside of the ranges did not change, so the device has this state of them. The later changes
  /// come with the cut that ends the parts, or are divided again.
  ///
  /// - Parameter changed: The ranges with all changes that ``add(_:current:)`` would get.
  /// - Returns: The answer. It has the objects of ``replace(_:by:over:)`` as a part.
  package func divided(_ changed: ChangedRanges) -> Refine {
    var changed = changed
    let (left, size) = changed.finish()
    let part = ranges.isEmpty ? nil : ResetPart(ranges: ranges, rows: filled.first ?? RowBatch())
    // Staged objects may have changed again, and the device would hash its rows without the parts.
    let isFirst = stage == 0 && part == nil || !ProtocolRule.changedParts.holds
    return Refine(
      state: want.state,
      base: ComparisonBase(cursor: cursor, scopes: marksBefore, latest: cursor),
      stage: stage,
      part: part,
      ranges: left,
      size: isFirst ? size : 0
    )
  }

  /// Returns the cut.
  package func finish() -> Cut {
    Cut(
      state: want.state,
      stage: stage,
      cursor: cursor,
      scopes: marks,
      ranges: ranges,
      leaves: leaves.sorted(),
      rows: rows,
      verdicts: verdicts,
      decidedTime: decidedTime
    )
  }

  /// The objects by ascending keys, each once: an object can be changed and in several scopes.
  private var rows: RowBatch {
    let changed = changed.map { KeyedRow(key: $0.key, row: $0.value) }.sorted { $0.key < $1.key }
    var batches = filled.filter { !$0.isEmpty }
    // Changed objects are below the marks that a first fill goes on from: those of an entity mostly end
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
