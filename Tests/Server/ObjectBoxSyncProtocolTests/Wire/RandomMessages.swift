import ObjectBoxSyncProtocol
import ObjectBoxTestSupport

/// Makes random messages of each kind.
struct RandomMessages {
  private var random: SplitMix

  init(seed: Int) {
    random = SplitMix(seed: seed)
  }

  /// One message of each kind.
  mutating func all() -> [WireMessage] {
    [
      .hello(
        Hello(device: device(), credentials: credentials(), clock: signed(), model: model())
      ),
      .welcome(
        Welcome(
          clock: signed(),
          messageSize: number(),
          uploadOperations: number(),
          digestSize: number() + 1,
          model: model()
        )
      ),
      .refused(Refused(random.pick(Refused.Code.allCases), "wrong \u{e9}")),
      .notice(Refused(random.pick(Refused.Code.allCases), "slow \u{e9}")),
      .upload(Upload(device: device(), seen: time(), transactions: list { $0.transaction() })),
      .reply(chance() ? .forked(device()) : .acknowledged(device(), last: number())),
      .deltaRequest(deltaRequest()),
      .delta(delta()),
      .reset(Reset(state: state(), epoch: epoch(), endsComparison: chance())),
      .digests(digests()),
      .refine(refine()),
      .lend(Lend(device: device(), entity: entity())),
      .lease(Lease(device: device(), block: block())),
      .demand,
      variables(),
    ]
  }

  private mutating func variables() -> WireMessage {
    var values: [String: String] = [:]
    for index in 0..<number() % 5 { values["\u{e9}\(index)"] = "\(number())" }
    return FilterVariables(values).map { .variables($0) } ?? .demand
  }

  // MARK: Numbers

  private mutating func chance() -> Bool { .random(using: &random) }

  /// A number with a random number of bits, so that all lengths occur.
  private mutating func number() -> UInt64 {
    UInt64.random(in: 0 ... .max, using: &random) >> UInt64.random(in: 1...63, using: &random)
  }

  private mutating func signed() -> Int64 {
    let magnitude = Int64(number())
    return chance() ? magnitude : -magnitude - 1
  }

  private mutating func identifier() -> Identifier128 {
    Identifier128(
      high: .random(in: 0 ... .max, using: &random),
      low: .random(in: 0 ... .max, using: &random)
    )
  }

  private mutating func list<Element>(_ element: (inout Self) -> Element) -> [Element] {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in element(&self) }
  }

  private mutating func optional<Value>(_ value: (inout Self) -> Value) -> Value? {
    chance() ? value(&self) : nil
  }

  // MARK: Identities

  private mutating func device() -> DeviceIdentity { DeviceIdentity(identifier()) }
  private mutating func token() -> TransactionToken { TransactionToken(identifier()) }
  private mutating func entity() -> EntityUID { EntityUID(number()) }
  private mutating func property() -> PropertyUID { PropertyUID(number()) }
  private mutating func key() -> ObjectKey { ObjectKey(entity: entity(), id: number() / 2 + 1) }
  private mutating func identity() -> ObjectIdentity {
    ObjectIdentity(key: key(), originID: OriginID(identifier().low))
  }
  private mutating func reference() -> ObjectReference {
    chance() ? ObjectReference(key(), madeBy: token()) : ObjectReference(identity())
  }
  private mutating func time() -> HybridTime {
    chance()
      ? .distantPast
      : HybridTime(milliseconds: signed(), counter: UInt32(truncatingIfNeeded: number()))
  }
  private mutating func stamp() -> Stamp {
    Stamp(precedence: signed(), time: time(), token: token())
  }

  // MARK: Rows

  private mutating func value() -> PropertyValue {
    switch Int.random(in: 0...4, using: &random) {
    case 0: .null
    case 1: .integer(signed())
    case 2: .double(bits: identifier().low)
    case 3: .bytes(list { UInt8(truncatingIfNeeded: $0.number()) })
    default: .target(reference())
    }
  }

  private mutating func values() -> PropertyList<PropertyValue> {
    PropertyList(list { ($0.property(), $0.value()) })
  }

  private mutating func row(_ values: PropertyList<PropertyValue>) -> Row {
    let pairs = list { Pair(relation: $0.property(), target: $0.key(), dot: $0.token()) }
    return Row(
      originID: OriginID(identifier().low),
      values: values,
      stamp: stamp(),
      stamps: PropertyList(list { ($0.property(), $0.stamp()) }),
      pairs: pairs.sorted()
    )
  }

  /// Objects of which some have the entity, the properties, and the versions of the one before.
  private mutating func rows() -> [KeyedRow] {
    var rows: [KeyedRow] = []
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      guard let last = rows.last, chance() else {
        rows.append(KeyedRow(key: key(), row: row(values())))
        continue
      }
      let next = last.key.id < 1 << 62 && chance() ? last.key.id + 1 + number() >> 4 : 1
      let values = PropertyList(last.row.values.elements.map { ($0.property, value()) })
      var row = row(values)
      if chance() { (row.originID, row.stamp) = (last.row.originID, last.row.stamp) }
      rows.append(KeyedRow(key: ObjectKey(entity: last.key.entity, id: next), row: row))
    }
    return rows
  }

  // MARK: Parts of messages

  private mutating func credentials() -> Credentials {
    switch Int.random(in: 0...3, using: &random) {
    case 0: .none
    case 1: .sharedSecret(list { UInt8(truncatingIfNeeded: $0.number()) })
    case 2: .user(name: "na\u{ef}ve", password: "\u{1F511}")
    default: .token("a.b.c")
    }
  }

  private mutating func model() -> [EntityDescription] {
    list {
      EntityDescription(
        entity: $0.entity(),
        properties: $0.list {
          PropertyDescription(
            property: $0.property(),
            type: UInt32($0.number() & 31),
            conflictFlags: UInt32(truncatingIfNeeded: $0.number())
          )
        },
        relations: $0.list { $0.property() },
        conflictFlags: UInt32(truncatingIfNeeded: $0.number())
      )
    }
  }

  private mutating func operation() -> Operation {
    switch Int.random(in: 0...5, using: &random) {
    case 0: .insert(key(), values(), chance() ? .chosen : .assigned)
    case 1: .update(reference(), values(), base: optional { $0.values() })
    case 2: .increment(reference(), property(), by: signed())
    case 3: .delete(reference())
    case 4: .addPair(reference(), property(), reference())
    default: .removePair(reference(), property(), reference(), seen: token())
    }
  }

  private mutating func transaction() -> SyncTransaction {
    SyncTransaction(
      sequence: number() / 2 + 1,
      token: token(),
      previous: optional { $0.token() },
      time: time(),
      operations: list { $0.operation() }
    )
  }

  private mutating func epoch() -> Epoch {
    Epoch(system: identifier().low, database: UInt32(number() & 0xffff), timeline: 1)
  }

  private mutating func cursor() -> Cursor {
    let inProgress = Set(list { $0.number() }).sorted()
    let snapshot = TransactionSnapshot(xmax: (inProgress.last ?? 0) + 1, inProgress: inProgress)
    return Cursor(snapshot: snapshot, epoch: epoch(), position: number())
  }

  private mutating func state() -> StateKey {
    StateKey(device: device(), edition: identifier().low)
  }

  private mutating func test() -> Scope.Comparison.Test {
    Scope.Comparison.Test(rawValue: .random(in: 0...8, using: &random)) ?? .equals
  }

  private mutating func scopes() -> ScopeProgress {
    var progress = ScopeProgress()
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let comparisons = list { random in
        Scope.Comparison(random.property(), random.test(), random.value())
      }
      let scope = Scope(entity: entity(), comparisons)
      progress[scope] = chance() ? .complete : .filled(upTo: number())
    }
    return progress
  }

  private mutating func deltaRequest() -> DeltaRequest {
    DeltaRequest(
      state: state(),
      cursor: optional { $0.cursor() },
      scopes: scopes(),
      confirmed: number()
    )
  }

  private mutating func digests() -> Digests {
    let (ranges, rest) = dividedRanges()
    let size = size()
    return Digests(
      deltaRequest: deltaRequest(),
      epoch: epoch(),
      base: optional { $0.base() },
      stagingArea: number(),
      ranges: size == 0
        ? RangeDigests(wanting: ranges)
        : RangeDigests(
          size: size,
          ranges.map {
            let bits = identifier()
            return RangeDigests.Element($0, sum: ObjectSum(hashes: bits.high, products: bits.low))
          }
        ),
      rest: rest
    )
  }

  private mutating func refine() -> Refine {
    let (ranges, rest) = dividedRanges()
    return Refine(
      state: state(),
      base: base(),
      stagingArea: number(),
      part: optional { ResetPart(ranges: $0.ranges(), rows: RowBatch($0.rows())) },
      ranges: ranges,
      size: size(),
      rest: rest
    )
  }

  private mutating func base() -> ComparisonBase {
    ComparisonBase(cursor: cursor(), scopes: scopes(), latest: cursor())
  }

  private mutating func size() -> Int { chance() ? Int(number() / 2) : 0 }

  /// Ranges, and others behind them.
  private mutating func dividedRanges() -> (first: [KeyRange], rest: [KeyRange]) {
    let all = ranges()
    let count = Int.random(in: 0...all.count, using: &random)
    return (Array(all.prefix(count)), Array(all.dropFirst(count)))
  }

  /// Ranges of some entities, which touch or not.
  private mutating func ranges() -> [KeyRange] {
    Set(list { $0.entity() }).sorted().flatMap { entity in
      var next: UInt64 = 1
      return list { messages in
        let first = next + (messages.chance() ? 0 : messages.number() >> 4)
        let last = first + (messages.chance() ? 0 : messages.number() >> 4)
        next = last + 1
        return KeyRange(entity, first...last)
      }
    }
  }

  private mutating func decision() -> Decision {
    switch Int.random(in: 0...2, using: &random) {
    case 0: .accepted
    case 1:
      .merged(
        dropped: list {
          let reasons: [DroppedOperation.Reason] = [
            .deleted, .otherObject, .older(than: $0.stamp()), .targetMissing,
            .resolved($0.property()),
          ]
          return DroppedOperation(
            index: Int($0.number() & 0xffff),
            key: $0.key(),
            reason: $0.random.pick(reasons)
          )
        },
        identities: list { NewIdentity(made: $0.key(), identity: $0.optional { $0.identity() }) }
      )
    default: .rejected(rejection())
    }
  }

  private mutating func rejection() -> Rejection {
    let reason: Rejection.Reason = random.pick([
      .unique, .permission, .unknownEntity, .counter, .value, .restricted, .resolution, .expired,
    ])
    return Rejection(
      entity: entity(),
      property: optional { $0.property() },
      reason: reason,
      message: reason == .resolution || reason == .value && property().value % 2 == 0
        ? "no \u{e9}" : nil
    )
  }

  private mutating func delta() -> Delta {
    Delta(
      state: state(),
      stagingArea: number(),
      cursor: cursor(),
      scopes: scopes(),
      ranges: ranges(),
      leaves: list { $0.key() },
      rows: RowBatch(rows()),
      decisions: list {
        SequencedDecision(sequence: $0.number(), token: $0.token(), decision: $0.decision())
      },
      decidedTime: time()
    )
  }

  private mutating func block() -> IDBlock {
    let first = number() / 4 + 1
    return IDBlock(entity: entity(), ids: first..<first + number() / 4 + 1)
  }
}
