/// The server's answer to a request with a useless cursor: the log does not have the difference.
package struct Reset: Hashable, Sendable {
  /// The device state of the request.
  package let state: StateKey
  /// The server's epoch.
  package let epoch: Epoch
  /// True if the comparison that the device wants to continue is useless too: the device removes its staging area and
  /// begins again.
  package let endsComparison: Bool

  /// Creates a reset.
  package init(state: StateKey, epoch: Epoch, endsComparison: Bool = false) {
    self.state = state
    self.epoch = epoch
    self.endsComparison = endsComparison
  }

  /// Returns true if the server may have lost commits that the device has received.
  ///
  /// - Parameter deltaRequest: The request that this reset answers.
  /// - Returns: True after a promotion, and after the restore of a backup.
  package func mayLackCommits(of deltaRequest: DeltaRequest) -> Bool {
    guard let cursor = deltaRequest.cursor, ProtocolRule.doubtedCommits.holds else { return false }
    return cursor.epoch != epoch
  }
}

/// The device's answer to a reset or a refinement: hashes of its rows, by ranges of IDs.
package struct Digests: Hashable, Sendable {
  /// The request that the reset answered, in the form in which the device would repeat it.
  package let deltaRequest: DeltaRequest
  /// The server's epoch in the preceding answer.
  package let epoch: Epoch
  /// The base of the comparison; nil for the first digests.
  package let base: ComparisonBase?
  /// The key of the parts that the device has staged; 0 for none.
  package let stagingArea: UInt64
  /// The hashes of the device's objects, without waiting transactions.
  package let ranges: RangeDigests
  /// Ranges to compare later, in ascending order after ``ranges``.
  package let rest: [KeyRange]

  /// Creates digests.
  package init(
    deltaRequest: DeltaRequest,
    epoch: Epoch,
    base: ComparisonBase? = nil,
    stagingArea: UInt64 = 0,
    ranges: RangeDigests,
    rest: [KeyRange] = []
  ) {
    self.deltaRequest = deltaRequest
    self.epoch = epoch
    self.base = base
    self.stagingArea = stagingArea
    self.ranges = ranges
    self.rest = rest
  }
}

/// The server's answer to digests that does not end the comparison.
///
/// Also its answer to a request for a delta that would have too many changes.
package struct Refine: Hashable, Sendable {
  /// The greatest number of objects in the parts of ranges that were compared as larger ranges, or not at all.
  package static let restSize = 4

  /// The device state of the digests.
  package let state: StateKey
  /// The base that the device repeats with its next digests.
  package let base: ComparisonBase
  /// The key of the parts that the device has staged before ``part``; 0 for none.
  package let stagingArea: UInt64
  /// The next part, which the device stages; nil for none.
  package let part: ResetPart?
  /// The ranges that the device divides, in ascending order.
  package let ranges: [KeyRange]
  /// The greatest number of objects in the parts of ``ranges``; 0 for ranges that are known to differ: the device asks
  /// for their objects without hashes.
  package let size: Int
  /// Ranges to compare later, in ascending order after ``ranges``.
  package let rest: [KeyRange]

  /// Creates a refinement.
  package init(
    state: StateKey,
    base: ComparisonBase,
    stagingArea: UInt64 = 0,
    part: ResetPart? = nil,
    ranges: [KeyRange],
    size: Int,
    rest: [KeyRange] = []
  ) {
    self.state = state
    self.base = base
    self.stagingArea = stagingArea
    self.part = part
    self.ranges = ranges
    self.size = size
    self.rest = rest
  }

  /// True if the device must have no staged parts, before the answer and after it.
  var isFirst: Bool { stagingArea == 0 && part == nil }

  /// The key of the staged parts including ``part``.
  ///
  /// It depends on the ranges, the moments and the scopes of all parts, but not on their rows: the same log corrects
  /// rows of other moments of one history. Rights change without the log, so parts of equal moments may have the rows
  /// of other scopes.
  package var nextStagingArea: UInt64 {
    guard let part else { return stagingArea }
    var hash = StableHash()
    hash.add(stagingArea)
    var writer = WireWriter()
    writer.append(base)
    hash.add(writer.bytes)
    for range in part.ranges {
      hash.add(range.entity.value)
      hash.add(range.ids.lowerBound)
      hash.add(range.ids.upperBound)
    }
    // The key 0 stands for no parts.
    return max(hash.value, 1)
  }
}

/// The moment at which the server first compared a device's digests, or last divided its changes.
///
/// The log from this moment on corrects ranges that were equal then, objects that had not changed, and staged parts.
/// The device repeats the base, so the server keeps nothing between two messages.
package struct ComparisonBase: Hashable, Sendable {
  /// The server's state at that moment.
  package let cursor: Cursor
  /// The scopes whose objects were compared.
  package let scopes: ScopeProgress
  /// The server's state at the latest step of the comparison; a part may be from it.
  package let latest: Cursor

  /// Creates a base.
  ///
  /// - Parameters:
  ///   - cursor: The server's state at the first step.
  ///   - scopes: The scopes whose objects were compared.
  ///   - latest: The server's state at the latest step; nil at the first one.
  package init(cursor: Cursor, scopes: ScopeProgress, latest: Cursor? = nil) {
    self.cursor = cursor
    self.scopes = scopes
    self.latest = latest ?? cursor
  }
}
