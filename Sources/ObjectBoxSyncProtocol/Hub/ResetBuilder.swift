/// Answers a device's digests from one read-only snapshot of the primary.
///
/// The caller adds the hub's objects in the compared ranges with ``add(_:at:)``, and then takes
/// ``step()``. The ranges that differ are either divided further by the device, or sent. Objects that
/// exceed a part follow in further parts, which the device stages, so that only the last answer is a
/// cut.
package struct ResetBuilder: Sendable {
  /// The result of looking at digests.
  package enum Start: Sendable {
    /// Compare them.
    case compare(ResetBuilder)
    /// The hub has lost changes since the first comparison, or a state from which a part may be: ask
    /// for digests of everything.
    case reset(Reset)
    /// The device's identity is used by another store, or the hub has lost its transactions.
    case forked(HubReply)
  }

  /// The result of comparing digests.
  package enum Step: Sendable {
    /// Ask the device for digests of parts.
    case refine(Refine)
    /// Call ``send(_:)`` with the objects of these ranges, and ``end()``.
    case send([KeyRange])
  }

  /// The result of sending objects.
  package enum End: Sendable {
    /// The comparison ends: add the changes to the cut, and finish it.
    case cut(CutBuilder)
    /// More ranges differ, or are left to compare.
    case refine(Refine)
  }

  /// Limits of the answers.
  package struct Limits: Sendable {
    /// The number of objects that are sent without a closer look.
    package var directCount = 256
    /// The size of the objects in a part in bytes; one object may be larger.
    package var partSize = 4 << 20

    /// Creates the limits of a server.
    package init() {}
  }

  /// The number of parts of a range that differs.
  private static let parts = 8

  private let digests: Digests
  private let limits: Limits
  /// The cut with the changes since the first comparison.
  private var cut: CutBuilder
  private var own: [(sum: UInt64, count: Int)]
  private var sending: [KeyRange] = []
  private var sent = RowBatch()
  private var sentSize = 0
  /// The first object that does not fit.
  private var next: ObjectKey?

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
    let known = ProtocolRule.comparedHistory.holds ? history : HubHistory(epoch: history.epoch)
    let start = CutBuilder.start(
      digests.continued,
      cursor: cursor,
      history: known,
      granted: granted,
      record: record,
      verdicts: verdicts
    )
    switch start {
    case .cut(let cut):
      // The log goes back to the base, but a restored hub may have lost what parts are from.
      if let latest = digests.base?.latest, !known.continues(latest),
        ProtocolRule.stagedHistory.holds
      {
        return .reset(digests.ended(in: history.epoch))
      }
      return .compare(Self(digests, cut, limits))
    case .reset: return .reset(digests.ended(in: history.epoch))
    case .forked(let reply): return .forked(reply)
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

  /// The ranges whose objects ``add(_:at:)`` needs; none if the device asks for all objects.
  package var compared: [KeyRange] { digests.ranges.size == 0 ? [] : digests.ranges.covered }

  /// Adds an object of the hub that ``marks`` contain; others of the device's ranges do not count.
  package mutating func add(_ row: Row, at key: ObjectKey) {
    guard let index = digests.ranges.index(of: key) else { return }
    own[index].sum &+= row.digest(at: key)
    own[index].count += 1
  }

  /// Compares the digests, after all objects were added.
  package mutating func step() -> Step {
    if digests.ranges.size == 0 {
      sending = digests.ranges.covered
      return .send(sending)
    }
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
    let size = digests.ranges.size <= Self.parts ? 1 : digests.ranges.size / Self.parts
    return .refine(refine(differing.joined, size: size, rest: digests.rest))
  }

  /// Adds an object of the ranges to send that ``marks`` contain; keys must be in ascending order.
  ///
  /// - Returns: False if the part is full: this object and those after it follow in later ones.
  package mutating func send(_ row: KeyedRow) -> Bool {
    guard next == nil else { return false }
    sentSize += RowBatch(CollectionOfOne(row)).byteCount
    if sentSize > limits.partSize, !sent.isEmpty {
      next = row.key
      return false
    }
    sent.append(row)
    return true
  }

  /// Returns the answer, after the objects were sent.
  package mutating func end() -> End {
    guard let next else {
      if digests.rest.isEmpty {
        cut.replace(sending, by: sent, over: digests.stage)
        return .cut(cut)
      }
      return .refine(refine(digests.rest, size: Refine.restSize, rest: [], sending: sending))
    }
    var later = Array(sending.drop { $0.ends(before: next) })
    var ranges = Array(sending.dropLast(later.count))
    if let first = later.first, first.ids.lowerBound < next.id {
      // The range with the first object that does not fit is divided there.
      ranges.append(KeyRange(first.entity, first.ids.lowerBound...next.id - 1))
      later[0] = KeyRange(first.entity, next.id...first.ids.upperBound)
    }
    return .refine(refine(later, size: 0, rest: digests.rest, sending: ranges))
  }

  private func refine(
    _ ranges: [KeyRange],
    size: Int,
    rest: [KeyRange],
    sending: [KeyRange] = []
  ) -> Refine {
    Refine(
      state: digests.want.state,
      base: ComparisonBase(
        cursor: digests.base?.cursor ?? cut.cursor,
        scopes: marks,
        latest: cut.cursor
      ),
      stage: digests.stage,
      part: sending.isEmpty ? nil : ResetPart(ranges: sending, rows: sent),
      ranges: ranges,
      size: size,
      rest: rest
    )
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

  /// The answer that lets the device begin the comparison anew.
  package func ended(in epoch: Epoch) -> Reset {
    Reset(state: want.state, epoch: epoch, endsComparison: true)
  }
}
