/// Answers a device's digests from one read-only snapshot of the primary.
///
/// The caller adds the server's objects in the compared ranges with ``add(_:at:)``, then calls ``step()``. A range that
/// differs by one object reveals its ID, and this object is sent. The device divides the other ranges that differ, or
/// gets their objects. Objects that exceed a part follow in further parts, which the device stages; only the last
/// answer is a delta.
package struct ResetBuilder: Sendable {
  /// The result of checking digests.
  package enum Start: Sendable {
    /// Compare the digests with this builder.
    case compare(ResetBuilder)
    /// The server has lost changes since the reset, or a state that a part may be from: the device must send digests of
    /// everything.
    case reset(Reset)
    /// Another store uses the device's identity, or the server has lost its transactions.
    case forked(ServerReply)
  }

  /// The result of comparing digests.
  package enum Step: Sendable {
    /// The device must send digests of parts.
    case refine(Refine)
    /// Call ``send(_:)`` with the objects of these ranges, then ``end()``, which may ask for digests of other ranges.
    case send([KeyRange])
  }

  /// The result of sending objects.
  package enum End: Sendable {
    /// The comparison ends: add the changes to the delta, and finish it.
    case delta(DeltaBuilder)
    /// More ranges differ, or remain to be compared.
    case refine(Refine)
  }

  /// Limits of the answers.
  package struct Limits: Sendable {
    /// The number of objects in the differing ranges up to which all are sent without a further division.
    package var directCount = 256
    /// The size of the objects in a part in bytes; one object may be larger.
    package var partSize = 4 << 20

    /// Creates the limits of a server.
    package init() {}
  }

  /// The number of parts into which a range that differs is divided.
  private static let parts = 8

  private let digests: Digests
  private let limits: Limits
  /// The delta with the changes since the first comparison.
  private var delta: DeltaBuilder
  private var own: [Own]
  private var sending: [KeyRange] = []
  /// Ranges that differ by several objects, and the size of the parts to divide them into.
  private var divided: (ranges: [KeyRange], size: Int) = ([], 0)
  private var sent = RowBatch()
  private var sentSize = 0
  /// The first object that does not fit.
  private var next: ObjectKey?

  /// The server's objects in a range.
  private struct Own {
    /// The greatest distance of IDs in a range for which a quotient of differences is taken for an object's ID.
    ///
    /// If several objects differ, the quotient is a random number, which lies in the range once in 2^44 times.
    static let span: UInt64 = 1 << 20

    var sum = ObjectSum()
    var count = 0
    var first = UInt64.max
    var last: UInt64 = 0

    /// Returns the ID of the only object that differs from a device's sum; nil if several may differ.
    func onlyDifference(to sum: ObjectSum) -> UInt64? {
      guard count > 0, last - first < Self.span, let id = self.sum.onlyDifference(to: sum),
        (first...last).contains(id)
      else { return nil }
      return id
    }
  }

  /// Checks digests.
  ///
  /// - Parameters:
  ///   - digests: The device's digests.
  ///   - cursor: The present state of the server.
  ///   - history: The server's past.
  ///   - granted: The scopes that the user may see.
  ///   - record: The device's record, or nil for an unknown device.
  ///   - decisions: The device's decisions after the confirmed one, in order.
  ///   - limits: Limits of the answers.
  /// - Returns: A builder, or the answer to send instead of a comparison.
  package static func start(
    _ digests: Digests,
    cursor: Cursor,
    history: ServerHistory,
    granted: [Scope],
    record: DeviceRecord?,
    decisions: [SequencedDecision],
    limits: Limits = Limits()
  ) -> Start {
    // A device learns from a reset, not from a delta, that a restored server may lack commits. Later digests have a
    // base, which the server would lack too.
    if digests.base == nil, digests.epoch != history.epoch, ProtocolRule.comparedEpoch.holds {
      return .reset(digests.ended(in: history.epoch))
    }
    let known = ProtocolRule.comparedHistory.holds ? history : ServerHistory(epoch: history.epoch)
    let start = DeltaBuilder.start(
      digests.continued,
      cursor: cursor,
      history: known,
      granted: granted,
      record: record,
      decisions: decisions
    )
    switch start {
    case .delta(let delta):
      // The log goes back to the base, but a restored server may have lost the state that parts are from.
      if let latest = digests.base?.latest, !known.continues(latest),
        ProtocolRule.stagedHistory.holds
      {
        return .reset(digests.ended(in: history.epoch))
      }
      return .compare(Self(digests, delta, limits))
    case .reset: return .reset(digests.ended(in: history.epoch))
    case .forked(let reply): return .forked(reply)
    }
  }

  private init(_ digests: Digests, _ delta: DeltaBuilder, _ limits: Limits) {
    self.digests = digests
    self.delta = delta
    self.limits = limits
    own = Array(repeating: Own(), count: digests.ranges.elements.count)
  }

  /// The scopes whose objects are compared and sent.
  package var progress: ScopeProgress { delta.progress }

  /// The ranges whose objects ``add(_:at:)`` needs; none if the device asks for all objects.
  package var compared: [KeyRange] { digests.ranges.size == 0 ? [] : digests.ranges.covered }

  /// Adds an object of the server; objects that ``progress`` does not contain are ignored.
  package mutating func add(_ row: Row, at key: ObjectKey) {
    guard let index = digests.ranges.index(of: key) else { return }
    own[index].sum.add(row.digest(at: key), id: key.id)
    own[index].first = min(own[index].first, key.id)
    own[index].last = max(own[index].last, key.id)
    own[index].count += 1
  }

  /// Compares the digests; call it after all objects were added.
  package mutating func step() -> Step {
    if digests.ranges.size == 0 {
      sending = digests.ranges.covered
      return .send(sending)
    }
    var objects: [KeyRange] = []
    var several: [KeyRange] = []
    var count = 0
    for (element, own) in zip(digests.ranges.elements, own) where element.sum != own.sum {
      if own.count == 0, !ProtocolRule.digestsOfEmptyRanges.holds { continue }
      if let id = own.onlyDifference(to: element.sum) {
        objects.append(KeyRange(element.range.entity, id...id))
      } else {
        several.append(element.range)
        count += own.count
      }
    }
    if digests.ranges.size == 1 || count <= limits.directCount {
      sending = (objects + several).sorted { $0.begins(before: $1) }.joined
      return .send(sending)
    }
    divided = (several.joined, max(digests.ranges.size / Self.parts, 1))
    sending = objects.joined
    return sending.isEmpty ? .refine(refine([])) : .send(sending)
  }

  /// Adds an object of the ranges to send, if ``progress`` contains it; keys must be in ascending order.
  ///
  /// - Returns: False if the part is full: this object and the following ones come in later parts.
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

  /// Returns the answer; call it after the objects were sent.
  package mutating func end() -> End {
    guard let next else {
      if digests.rest.isEmpty, divided.ranges.isEmpty {
        delta.replace(sending, by: sent, over: digests.stagingArea)
        return .delta(delta)
      }
      return .refine(refine(sending))
    }
    var later = Array(sending.drop { $0.ends(before: next) })
    var ranges = Array(sending.dropLast(later.count))
    if let first = later.first, first.ids.lowerBound < next.id {
      // The range is divided at the first object that does not fit.
      ranges.append(KeyRange(first.entity, first.ids.lowerBound...next.id - 1))
      later[0] = KeyRange(first.entity, next.id...first.ids.upperBound)
    }
    return .refine(refine(ranges, later: later))
  }

  /// Asks for digests of the remaining ranges.
  ///
  /// - Parameters:
  ///   - sending: The ranges of the objects that are sent with the answer.
  ///   - later: The ranges whose objects follow later.
  /// - Returns: The answer.
  private func refine(_ sending: [KeyRange], later: [KeyRange] = []) -> Refine {
    let ranges: [KeyRange]
    let size: Int
    var rest = digests.rest
    switch (later.isEmpty, divided.ranges.isEmpty) {
    case (true, true): (ranges, size, rest) = (rest, Refine.restSize, [])
    case (true, false): (ranges, size) = divided
    case (false, true): (ranges, size) = (later, 0)
    case (false, false):
      // One message has one size: the ranges whose objects follow are compared once more.
      ranges = (later + divided.ranges).sorted { $0.begins(before: $1) }.joined
      size = divided.size
    }
    return Refine(
      state: digests.deltaRequest.state,
      base: ComparisonBase(
        cursor: digests.base?.cursor ?? delta.cursor,
        scopes: progress,
        latest: delta.cursor
      ),
      stagingArea: digests.stagingArea,
      part: sending.isEmpty ? nil : ResetPart(ranges: sending, rows: sent),
      ranges: ranges,
      size: size,
      rest: rest
    )
  }
}

extension Digests {
  /// The device's request, with the server's state at the first comparison.
  package var continued: DeltaRequest {
    DeltaRequest(
      state: deltaRequest.state,
      cursor: ProtocolRule.comparedChanges.holds ? base?.cursor : nil,
      scopes: ProtocolRule.comparedScopes.holds
        ? base?.scopes ?? deltaRequest.scopes : deltaRequest.scopes,
      confirmed: deltaRequest.confirmed
    )
  }

  /// The answer that makes the device begin the comparison again.
  package func ended(in epoch: Epoch) -> Reset {
    Reset(state: deltaRequest.state, epoch: epoch, endsComparison: true)
  }
}
