import ObjectBoxSyncProtocol
import ObjectBoxSyncSchema
import ObjectBoxSyncTestSupport
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

/// A device with its store in memory that speaks with the server without a network.
struct TestDevice {
  let test: TestServerLog
  let receiver: UploadReceiver
  let granted: [Scope]
  var device: Device<MemoryStore>
  /// What the user may write.
  var mayWrite: WriteTest = { _, _, _ in true }
  private var nextToken: UInt64

  init(
    _ number: UInt64,
    _ test: TestServerLog,
    granted: [Scope] = [
      Scope(entity: TestServerLog.item), Scope(entity: TestServerLog.label),
      Scope(entity: TestServerLog.code),
      Scope(entity: TestServerLog.values),
    ],
    rules: SyncRules? = nil
  ) {
    let rules = rules ?? SyncRules(test.cluster.tables.model)
    self.test = test
    self.granted = granted
    let identity = DeviceIdentity(Identifier128(high: number, low: 0))
    device = Device(store: MemoryStore(device: identity, rules: rules), rules: rules)
    receiver = UploadReceiver(test.serverLog, of: test.cluster, rules: rules)
    nextToken = number << 32
  }

  mutating func token() -> TransactionToken {
    nextToken += 1
    return TransactionToken(Identifier128(high: nextToken, low: nextToken))
  }

  /// Writes a transaction, whose body gets the device before it and the token.
  mutating func write(_ operations: (Self, TransactionToken) throws -> [Operation]) throws {
    let token = token()
    try device.write(operations(self, token), token: token, wall: 1_000)
  }

  mutating func insert(
    _ entity: EntityUID,
    _ id: UInt64,
    _ values: [(PropertyUID, PropertyValue)],
    _ origin: Operation.IDOrigin = .assigned
  ) throws {
    try write { _, _ in
      [.insert(ObjectKey(entity: entity, id: id), PropertyList(values), origin)]
    }
  }

  func reference(_ entity: EntityUID, _ id: UInt64) throws -> ObjectReference {
    try #require(try device.reference(to: ObjectKey(entity: entity, id: id)))
  }

  @discardableResult
  mutating func upload(limit: Int = 200) async throws -> ServerReply {
    let reply = try await receiver.receive(
      device.upload(limit: limit),
      now: { 2_000 },
      mayWrite: mayWrite
    )
    try device.receive(reply) { DeviceIdentity(Identifier128(high: 999, low: 999)) }
    return reply
  }

  /// Takes deltas until the first fill is complete.
  mutating func download() async throws {
    repeat {
      let answer = try await DeltaReading(test.serverLog).read(
        device.deltaRequest(),
        granted: granted.map { LinkedScope($0) }
      )
      guard case .delta(let delta) = answer else {
        Issue.record("the server answered \(answer)")
        return
      }
      let result = try device.receive(delta) { DeviceIdentity(Identifier128(high: 998, low: 998)) }
      #expect(result == .taken)
    } while !device.store.state.scopes.isComplete
  }

  mutating func synchronize() async throws {
    try await upload()
    try await download()
  }

  func row(_ entity: EntityUID, _ id: UInt64) -> Row? {
    device.store.shownRow(at: ObjectKey(entity: entity, id: id))
  }

  var decisions: [Decision] { device.store.told.map(\.decision) }
}
