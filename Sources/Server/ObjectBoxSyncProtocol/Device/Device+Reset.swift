extension Device {
  /// All keys that the device's objects can have.
  var allKeys: [KeyRange] { rules.entities.keys.sorted().map { KeyRange(allOf: $0) } }

  /// Gives up the cursor.
  ///
  /// The server answers the next request with a reset: all rows are compared, and only rows that differ travel.
  ///
  /// A device without a cursor gets all rows anyway.
  ///
  /// - Throws: Errors of the store.
  package mutating func compareAnew() throws {
    var state = try store.state
    guard let cursor = state.cursor else { return }
    state.cursor = cursor.lost
    // Answers that are under way, and the parts of a staged reset, continue from the cursor.
    state.edition = state.nextEdition
    try store.removeStagingArea()
    try store.setState(state)
  }

  /// Begins to compare the server's rows on this device with the server, or continues a comparison with staged parts.
  ///
  /// Keeps the waiting transactions. Gives up leases if the epoch changed, since the server may lease their IDs again.
  ///
  /// - Parameters:
  ///   - reset: The server's answer to a request.
  ///   - size: The greatest number of objects in a range of the first digests, at least 1.
  /// - Returns: Hashes of the rows to compare, or nil if the reset is not for the device's state.
  /// - Throws: Errors of the store.
  package mutating func receive(_ reset: Reset, size: Int) throws -> Digests? {
    try prepare(for: reset)
    return try digests(for: reset, size: size)
  }

  /// Returns true if ``prepare(for:)`` has something to change.
  package func mustPrepare(for reset: Reset) throws -> Bool {
    guard try reset.state == stateKey else { return false }
    return try reset.mayLackCommits(of: deltaRequest()) || !ProtocolRule.resetKeepsQueue.holds
      || reset.endsComparison && presentStagingArea != nil
  }

  /// Applies the changes of a reset to the device's state; call it before ``digests(for:size:)``.
  package mutating func prepare(for reset: Reset) throws {
    guard try reset.state == stateKey else { return }
    if reset.mayLackCommits(of: try deltaRequest()) {
      var state = try store.state
      state.leases = []
      state.leaseEnds = [:]
      try store.setState(state)
    }
    if !ProtocolRule.resetKeepsQueue.holds {
      while try store.waitingCount > 0 { try store.removeFirstWaiting() }
    }
    if try presentStagingArea != nil, reset.endsComparison { try store.removeStagingArea() }
  }

  /// Hashes the server's rows on this device after ``prepare(for:)``.
  ///
  /// Changes nothing, so the program may write at the same time.
  ///
  /// - Parameters:
  ///   - reset: The server's answer to a request.
  ///   - size: The greatest number of objects in a range of the first digests, at least 1.
  /// - Returns: The same as ``receive(_:size:)``.
  /// - Throws: Errors of the store.
  package func digests(for reset: Reset, size: Int) throws -> Digests? {
    guard try reset.state == stateKey else { return nil }
    if let stagingArea = try presentStagingArea {
      return try digests(continuing: stagingArea, epoch: reset.epoch)
    }
    var builder = DigestBuilder(dividing: allKeys, size: size, limit: digestLimit)
    try addRows(in: allKeys, to: &builder)
    return Digests(deltaRequest: try deltaRequest(), epoch: reset.epoch, ranges: builder.finish())
  }

  /// Stages the part that came with a refinement.
  ///
  /// - Parameter refine: The server's answer to digests.
  /// - Returns: False if there is no part, or if the answer is for another state of the device or for
  ///   other staged parts.
  /// - Throws: Errors of the store.
  @discardableResult package mutating func stagingArea(_ refine: Refine) throws -> Bool {
    guard let part = refine.part, try refine.state == stateKey, try hasStaged(refine.stagingArea)
    else {
      return false
    }
    #if SYNC_MUTATIONS
      if !ProtocolRule.stagedParts.holds {
        try unwind()
        try replaceRows(by: part)
        try replay()
      }
    #endif
    // The staged parts are of another state.
    if try presentStagingArea == nil { try store.removeStagingArea() }
    try store.append(part, to: StagingArea(refine))
    return true
  }

  /// Returns true if the device has staged the parts with a key; the key 0 stands for no parts.
  func hasStaged(_ key: UInt64) throws -> Bool {
    try presentStagingArea?.key ?? 0 == key || !ProtocolRule.stagingAreaKeys.holds
  }

  /// The head of the parts that were staged in the device's present state.
  private var presentStagingArea: StagingArea? {
    get throws {
      guard let stagingArea = try store.stagingArea, try stagingArea.state == stateKey else {
        return nil
      }
      return stagingArea
    }
  }

  /// Divides the ranges that differ; the part of the refinement must have been staged before.
  ///
  /// - Parameter refine: The server's answer to digests.
  /// - Returns: Hashes of the rows in the parts, or nil if the answer is not for the device's state and
  ///   its staged parts.
  /// - Throws: Errors of the store.
  package func receive(_ refine: Refine) throws -> Digests? {
    guard try refine.state == stateKey else { return nil }
    // The server divides its changes at each request for a delta, and does not know of earlier parts.
    if refine.isFirst, let stagingArea = try presentStagingArea,
      ProtocolRule.continuedStagingAreas.holds
    {
      return try digests(continuing: stagingArea, epoch: refine.base.latest.epoch)
    }
    guard try hasStaged(refine.nextStagingArea) else { return nil }
    return try digests(
      in: refine.ranges,
      size: refine.size,
      rest: refine.rest,
      epoch: refine.base.latest.epoch,
      base: refine.base,
      stagingArea: refine.nextStagingArea
    )
  }

  /// Compares the ranges that follow the staged parts.
  private func digests(continuing stagingArea: StagingArea, epoch: Epoch) throws -> Digests {
    try digests(
      in: stagingArea.ranges,
      size: stagingArea.size,
      rest: stagingArea.rest,
      epoch: epoch,
      base: stagingArea.base,
      stagingArea: stagingArea.key
    )
  }

  private func digests(
    in ranges: [KeyRange],
    size: Int,
    rest: [KeyRange],
    epoch: Epoch,
    base: ComparisonBase,
    stagingArea: UInt64
  ) throws -> Digests {
    var found = RangeDigests(wanting: ranges)
    var rest = rest
    if size > 0 {
      var builder = DigestBuilder(dividing: ranges, size: size, end: 2 * digestLimit)
      try addRows(in: ranges, to: &builder)
      found = builder.finish()
      rest = (builder.left + rest).joined
    }
    return Digests(
      deltaRequest: try deltaRequest(),
      epoch: epoch,
      base: base,
      stagingArea: stagingArea,
      ranges: found,
      rest: rest
    )
  }

  /// Adds the server's rows in some ranges until the builder is full.
  private func addRows(in ranges: [KeyRange], to builder: inout DigestBuilder) throws {
    let shared = try sharedParts
    func add(_ row: Row, at key: ObjectKey) -> Bool {
      builder.add(shared?.reduced(row, at: key) ?? row, at: key)
    }
    // Rows with a base are added in their places among the others.
    let based = try store.baseKeys.sorted()
    var next = based.startIndex
    func addBases(before key: ObjectKey?) throws -> Bool {
      while next < based.endIndex, key.map({ based[next] < $0 }) ?? true {
        if let row = try store.base(at: based[next])?.row, !add(row, at: based[next]) {
          return false
        }
        next += 1
      }
      return true
    }
    try store.forEachShownRow(in: ranges) { key, row in
      guard try addBases(before: key) else { return false }
      if next < based.endIndex, based[next] == key { return true }
      return add(row, at: key)
    }
    _ = try addBases(before: nil)
  }

  /// The parts of rows that the server also has; nil for all parts.
  private var sharedParts: ModelParts? {
    get throws {
      guard ProtocolRule.sharedDigests.holds, let models = try store.models,
        let shared = models.shared, !models.own.isPart(of: shared)
      else { return nil }
      return shared
    }
  }
}
