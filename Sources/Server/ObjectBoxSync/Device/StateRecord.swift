internal import ObjectBoxSyncProtocol

/// The device's state with further data of the store; one row of its table.
struct StateRecord: WireValue {
  /// The form of the table; other forms are refused.
  ///
  /// Forms below 6 were never released.
  static let form: UInt8 = 6

  var state: DeviceState
  /// The places of waiting transactions in the queue.
  var queue: Range<UInt64> = 0..<0
  /// The number of the next decision that is kept.
  var nextDecision: UInt64 = 0
  /// The entities whose earlier objects are waiting or synchronized.
  var adopted: Set<EntityUID> = []
  /// The IDs of waiting new objects; their bases are absent, since the server lacks these objects.
  var absentBases: [IDBlock] = []

  init(_ state: DeviceState) { self.state = state }

  func write(to writer: inout WireWriter) {
    writeHead(to: &writer)
    writeRest(to: &writer)
  }

  /// Writes the part that the program's transactions do not change and that can be long.
  func writeHead(to writer: inout WireWriter) {
    writer.append(byte: Self.form)
    writer.append(state.device)
    writer.append(state.cursor)
    writer.append(state.scopes)
    writer.append(bits: state.edition)
  }

  /// Returns true if ``writeHead(to:)`` writes the same bytes for another state; takes little time for equal states.
  func hasSameHead(as other: Self) -> Bool {
    state.edition == other.state.edition && state.device == other.state.device
      && state.cursor == other.state.cursor && state.scopes == other.state.scopes
  }

  /// Writes the part after ``writeHead(to:)``.
  func writeRest(to writer: inout WireWriter) {
    writer.append(state.sequence)
    writer.append(state.confirmed)
    writer.append(byte: state.lastToken == nil ? 0 : 1)
    state.lastToken?.write(to: &writer)
    state.time.write(to: &writer)
    state.seen.write(to: &writer)
    Self.write(state.leases, to: &writer)
    writer.append(count: state.leaseEnds.count)
    if !state.leaseEnds.isEmpty {
      for (entity, end) in state.leaseEnds.sorted(by: { $0.key < $1.key }) {
        writer.append(entity.value)
        writer.append(end)
      }
    }
    writer.append(queue.lowerBound)
    writer.append(UInt64(queue.count))
    writer.append(nextDecision)
    writer.append(adopted.sorted())
    Self.write(absentBases, to: &writer)
  }

  private static func write(_ blocks: [IDBlock], to writer: inout WireWriter) {
    writer.append(count: blocks.count)
    for block in blocks { block.write(to: &writer) }
  }

  init(from reader: inout WireReader) throws(WireError) {
    let form = try reader.byte()
    guard form == Self.form else { throw reader.error("\(form) is no form of a device's state") }
    self.init(DeviceState(device: try reader.value()))
    state.cursor = try reader.optional()
    state.scopes = try reader.value()
    state.edition = try reader.bits()
    state.sequence = try reader.number()
    state.confirmed = try reader.number()
    state.lastToken = try reader.optional()
    state.time = try reader.value()
    state.seen = try reader.value()
    state.leases = try reader.values()
    for _ in 0..<(try reader.count()) {
      let entity = try reader.value(EntityUID.self)
      state.leaseEnds[entity] = try reader.number()
    }
    let first = try reader.number()
    let (end, isTooGreat) = first.addingReportingOverflow(try reader.number())
    guard !isTooGreat else { throw reader.error("the queue ends beyond all numbers") }
    queue = first..<end
    nextDecision = try reader.number()
    adopted = Set(try reader.values(EntityUID.self))
    absentBases = try reader.values()
  }
}

/// The place of a waiting transaction in the queue.
struct QueuedToken: WireValue {
  let place: UInt64
  let token: TransactionToken
  /// True if the device expects that the server accepts the transaction unchanged.
  ///
  /// Then the forecast is known without reading the operations.
  let isAccepted: Bool

  init(place: UInt64, token: TransactionToken, isAccepted: Bool) {
    self.place = place
    self.token = token
    self.isAccepted = isAccepted
  }

  func write(to writer: inout WireWriter) {
    writer.append(place)
    writer.append(token)
    writer.append(byte: isAccepted ? 1 : 0)
  }

  init(from reader: inout WireReader) throws(WireError) {
    self.init(
      place: try reader.number(),
      token: try reader.value(),
      isAccepted: try reader.flag()
    )
  }
}
