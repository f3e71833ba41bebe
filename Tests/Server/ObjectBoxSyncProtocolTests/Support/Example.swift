import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport

/// One entity with rows, and names for what tests use.
struct Example {
  static let entity = EntityUID(1)
  static let owner = PropertyUID(1)
  static let code = PropertyUID(2)
  static let region = PropertyUID(3)
  static let title = PropertyUID(4)
  static let text = PropertyUID(5)
  static let votes = PropertyUID(6)
  static let parent = PropertyUID(7)
  static let rank = PropertyUID(8)
  static let links = PropertyUID(9)

  var rules: EntityRules
  var source: MemoryRows
  /// The rows that the user may not write.
  var forbidden: Set<ObjectKey> = []

  init(_ rules: EntityRules = EntityRules(), resolution: Conflict.Resolution? = nil) {
    var rules = rules
    rules.counters = [Self.votes]
    self.rules = rules
    source = MemoryRows(
      rules: SyncRules(
        [Self.entity: rules],
        resolutions: resolution.map { [Self.entity: $0] } ?? [:]
      )
    )
  }

  static func key(_ id: UInt64) -> ObjectKey { ObjectKey(entity: entity, id: id) }
  static func token(_ number: UInt64) -> TransactionToken {
    TransactionToken(Identifier128(high: number, low: number))
  }
  static func device(_ number: UInt64) -> DeviceIdentity {
    DeviceIdentity(Identifier128(high: number, low: 0))
  }
  static func time(_ milliseconds: Int64) -> HybridTime {
    HybridTime(milliseconds: milliseconds)
  }

  static func row(
    originID: UInt64,
    at milliseconds: Int64 = 100,
    _ values: [(PropertyUID, PropertyValue)] = []
  ) -> Row {
    let stamp = Stamp(time: time(milliseconds), token: token(originID))
    return Row(originID: OriginID(originID), values: PropertyList(values), stamp: stamp)
  }

  /// A reference to a confirmed object.
  static func object(_ id: UInt64, originID: UInt64) -> ObjectReference {
    ObjectReference(ObjectIdentity(key: key(id), originID: OriginID(originID)))
  }

  static func transaction(
    _ operations: [Operation],
    at milliseconds: Int64 = 200,
    token: UInt64 = 7,
    sequence: UInt64 = 1,
    previous: UInt64? = nil
  ) -> SyncTransaction {
    SyncTransaction(
      sequence: sequence,
      token: Self.token(token),
      previous: previous.map(Self.token),
      time: time(milliseconds),
      operations: operations
    )
  }

  func apply(
    _ operations: [Operation],
    at milliseconds: Int64 = 200,
    token: UInt64 = 7,
    side: Application.Side = .server
  ) throws -> Application {
    let transaction = Self.transaction(operations, at: milliseconds, token: token)
    return try .apply(
      transaction,
      at: transaction.time,
      to: source,
      rules: source.rules,
      side: side,
      mayWrite: { key, _, _ in !forbidden.contains(key) }
    )
  }

  /// Returns the changes of operations that must be applied.
  func changes(
    _ operations: [Operation],
    at milliseconds: Int64 = 200,
    token: UInt64 = 7,
    side: Application.Side = .server
  ) throws -> Changes {
    switch try apply(operations, at: milliseconds, token: token, side: side) {
    case .changes(let changes): return changes
    case .rejected(let rejection): throw rejection
    case .needs: throw Unexpected()
    }
  }

  /// Returns the rejection of operations, or nil.
  func rejection(_ operations: [Operation]) throws -> Rejection? {
    guard case .rejected(let rejection) = try apply(operations) else { return nil }
    return rejection
  }

  struct Unexpected: Error {}
}

extension Changes {
  /// The row at an ID after the changes; nil if it was removed or not changed.
  func row(_ id: UInt64) -> Row? { rows[Example.key(id)] ?? nil }
  func removes(_ id: UInt64) -> Bool { rows[Example.key(id)] == .some(nil) }
  var reasons: [DroppedOperation.Reason] { dropped.map(\.reason) }
}

extension Row {
  /// The sum of this object alone.
  func sum(_ id: UInt64) -> ObjectSum {
    var sum = ObjectSum()
    sum.add(digest(at: Example.key(id)), id: id)
    return sum
  }
}
