/// Answers a device's digests from one read-only snapshot of the primary.
///
/// The caller adds the hub's objects in the compared ranges with ``add(_:at:)``, and then takes
/// ``step()``. The ranges that differ are either divided further by the device, or sent.
package struct ResetBuilder: Sendable {
  /// The result of looking at digests.
  package enum Start: Sendable {
    /// Compare them.
    case compare(ResetBuilder)
    /// The log has lost changes since the first comparison: ask for digests of everything.
    case reset(Reset)
    /// The device's identity is used by another store, or the hub has lost its transactions.
    case forked(HubReply)
  }

  /// The result of comparing digests.
  package enum Step: Sendable {
    /// Ask the device for digests of parts.
    case refine(Refine)
    /// Call ``send(_:)`` with the objects of these ranges, add the changes to ``cut``, and finish.
    case send([KeyRange])
  }

  /// Limits of the answers.
  package struct Limits: Sendable {
    /// The number of objects that are sent without a closer look.
    package var directCount = 256
    /// The greatest number of ranges that a device is asked to divide.
    package var rangeCount = 1 << 17
    /// The size of the objects in a cut in bytes, beyond which the rest follows as in a first fill.
    package var cutSize = 32 << 20

    /// Creates the limits of a server.
    package init() {}
  }

  /// The number of parts of a range that differs.
  private static let parts = 8

  private let digests: Digests
  private let limits: Limits
  /// The cut with the changes since the first comparison.
  package var cut: CutBuilder
  private var own: [(sum: UInt64, count: Int)]
  private var sending: [KeyRange] = []
  private var sent = RowBatch()
  private var sentSize = 0
  /// The first object that does not fit.
  private var rest: ObjectKey?

  /// Looks at digests.
  ///
  /// - Parameters:
  ///   - digests: What the device has.
  ///   - cursor: The present state of the hub.
  ///   - history: The hub's past.
  ///   - granted: The scopes that the user may see.
  ///   - record: The device's record, or nil for an unknown device.
  ///   - verdicts: The device's verdicts after the confirmed one, in order.
  ///   - limits: Limits of the answers.
  /// - Returns: A builder, or the answer in place of a comparison.
  package static func start(
    _ digests: Digests,
    cursor: Cursor,
    history: HubHistory,
    granted: [Scope],
    record: DeviceRecord?,
    verdicts: [SequencedVerdict],
    limits: Limits = Limits()
  ) -> Start {
    let start = CutBuilder.start(
      digests.continued,
      cursor: cursor,
      history: ProtocolRule.comparedHistory.holds ? history : HubHistory(epoch: history.epoch),
      granted: granted,
      record: record,
      verdicts: verdicts
    )
    return switch start {
    case .cut(let cut): .compare(Self(digests, cut, limits))
    case .reset(let reset): .reset(reset)
    case .forked(let reply): .forked(reply)
    }
  }

  private init(_ digests: Digests, _ cut: CutBuilder, _ limits: Limits) {
    self.digests = digests
    self.cut = cut
    self.limits = limits
    self.cut.advancesFills = false
    own = Array(repeating: (0, 0), count: digests.ranges.elements.count)
  }

  /// The scopes whose objects are compared and sent.
  package var marks: ScopeMarks { cut.marks }

  /// Adds an object of the hub that ``marks`` contain; others of the device's ranges do not count.
  package mutating func add(_ row: Row, at key: ObjectKey) {
    guard let index = digests.ranges.index(of: key) else { return }
    own[index].sum &+= row.digest(at: key)
    own[index].count += 1
  }

  /// Compares the digests, after all objects were added.
  package mutating func step() -> Step {
    var differing: [KeyRange] = []
    var count = 0
    for (element, own) in zip(digests.ranges.elements, own) where element.sum != own.sum {
      if own.count == 0, !ProtocolRule.digestsOfEmptyRanges.holds { continue }
      differing.append(element.range)
      count += own.count
    }
    if digests.ranges.size == 1 || count <= limits.directCount {
      sending = differing.joined
      return .send(sending)
    }
    if differing.count > limits.rangeCount {
      lower(to: differing[limits.rangeCount...])
      differing.removeLast(differing.count - limits.rangeCount)
    }
    let size = digests.ranges.size <= Self.parts ? 1 : digests.ranges.size / Self.parts
    return .refine(
      Refine(
        state: digests.want.state,
        base: ComparisonBase(cursor: digests.base?.cursor ?? cut.cursor, scopes: marks),
        ranges: differing.joined,
        size: size
      )
    )
  }

  /// Adds an object of the ranges to send that ``marks`` contain; keys must be in ascending order.
  ///
  /// - Returns: False if the cut is full: this object and those after it follow in later cuts.
  package mutating func send(_ row: KeyedRow) -> Bool {
    guard rest == nil else { return false }
    sentSize += RowBatch(CollectionOfOne(row)).byteCount
    if sentSize > limits.cutSize, !sent.isEmpty {
      rest = row.key
      return false
    }
    sent.append(row)
    return true
  }

  /// Returns the cut.
  package mutating func finish() -> Cut {
    if let rest {
      // The range with the first object that does not fit is replaced up to there.
      let later = sending.drop { $0.ends(before: rest) }
      sending.removeLast(later.count)
      if let first = later.first, first.ids.lowerBound < rest.id {
        sending.append(KeyRange(first.entity, first.ids.lowerBound...rest.id - 1))
      }
      cut.lower(rest.entity, upTo: rest.id - 1)
      lower(to: later.dropFirst())
    }
    cut.replace(sending, by: sent)
    return cut.finish()
  }

  /// Lowers the marks of the scopes with ranges that are left for a first fill.
  private mutating func lower(to ranges: ArraySlice<KeyRange>) {
    for range in ranges { cut.lower(range.entity, upTo: range.ids.lowerBound - 1) }
  }
}

extension Digests {
  /// The request of the device as if it had the hub's state at the first comparison.
  package var continued: Want {
    Want(
      state: want.state,
      cursor: ProtocolRule.comparedChanges.holds ? base?.cursor : nil,
      scopes: ProtocolRule.comparedScopes.holds ? base?.scopes ?? want.scopes : want.scopes,
      confirmed: want.confirmed
    )
  }
}
