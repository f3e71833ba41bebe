import Foundation
import ObjectBox
import ObjectBoxSyncProtocol
import ObjectBoxTestSupport

/// Makes transactions that no device makes: any operation on any object, by any ID, with any value.
struct RandomUpload {
  private static let integers: [Int64] = [
    .min, .min + 1, -62_135_596_800_001, -1, 0, 1, 9, 11, 255, 70_000, 1 << 40, 253_402_300_800_000,
    .max - 1, .max,
  ]
  private static let numbers: [Double] = [0, -0.0, 0.1, 1e39, 1e308, .infinity, -.infinity, .nan]
  private static let texts: [[UInt8]] = [
    [], [0], [0xFF, 0xFE], Array("code 3".utf8), Array("h".utf8), Array("1".utf8),
    Array("NaN".utf8),
    Array("1e200".utf8), [0, 0, 0, 1, 97], [0xFF, 0xFF, 0xFF, 0xFF],
    [UInt8](repeating: 65, count: 5_000),
  ]

  var random: SplitMix
  let entities: [EntitySchema]
  let user: String
  /// The origin IDs of objects, as far as the device has heard of them.
  var originIDs: [ObjectKey: OriginID] = [:]
  /// Pairs of objects that the device has heard of.
  var pairs: [(source: ObjectKey, pair: Pair)] = []
  /// Tokens of transactions, own and others'.
  var tokens: [TransactionToken] = []

  /// True for a transaction that is mostly permitted, so that the rest of it is not rejected with the first operation.
  private(set) var isSly = false

  private func uid(_ entity: EntitySchema) -> EntityUID { EntityUID(entity.identity.uid) }

  mutating func token() -> TransactionToken {
    if !tokens.isEmpty, random.happens(0.05) { return random.pick(tokens) }
    let token = TransactionToken(Identifier128(high: random.next(), low: random.next()))
    tokens.append(token)
    return token
  }

  private mutating func key(_ entity: EntitySchema) -> ObjectKey {
    if isSly, random.happens(0.85) {
      // The device hears of its user's objects alone.
      let own = originIDs.keys.filter { $0.entity == uid(entity) }.sorted()
      if !own.isEmpty { return random.pick(own) }
    }
    let id: UInt64 =
      switch Int.random(in: 0..<300, using: &random) {
      case 0: 0
      case 1: .max
      case 2: UInt64(Int64.max)
      case 3...20: UInt64.random(in: 1 << 40..<1 << 41, using: &random)
      default: UInt64.random(in: 1...UInt64(Server.wardCount + 10), using: &random)
      }
    return ObjectKey(entity: random.happens(0.02) ? EntityUID(random.next()) : uid(entity), id: id)
  }

  private mutating func reference(_ entity: EntitySchema) -> ObjectReference {
    let key = key(entity)
    if random.happens(0.1) { return ObjectReference(key, madeBy: token()) }
    return ObjectReference(ObjectIdentity(key: key, originID: originIDs[key] ?? OriginID(0)))
  }

  private mutating func value(_ property: PropertySchema) -> PropertyValue {
    // Mostly a value of the right kind: others are refused at once.
    if property.name == "owner", random.happens(0.8) {
      return .bytes(
        Array((random.happens(isSly ? 0.95 : 0.6) ? user : random.pick(Server.users)).utf8)
      )
    }
    if random.happens(isSly ? 0.98 : 0.8) { return plausible(property) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .null
    case 1: return .target(reference(random.pick(entities)))
    case 2: return .integer(random.pick(Self.integers))
    case 3: return .double(bits: random.pick(Self.numbers).bitPattern)
    default: break
    }
    switch property.type {
    case .float, .double: return .double(bits: random.pick(Self.numbers).bitPattern)
    case .string, .byteVector, .intVector, .stringVector: return .bytes(random.pick(Self.texts))
    default: return .integer(random.pick(Self.integers))
    }
  }

  /// Returns a value that the property's column can have.
  private mutating func plausible(_ property: PropertySchema) -> PropertyValue {
    let small = Int64.random(in: 0...9, using: &random)
    switch property.type {
    case .bool: return .integer(small & 1)
    case .float, .double: return .double(bits: (Double(small) / 2).bitPattern)
    case .string where property.collation == .decimal: return .bytes(Array("\(small).5".utf8))
    // Texts that other objects have, too: they are unique.
    case .string: return .bytes(Array("code \(Int64.random(in: 0...50, using: &random))".utf8))
    case .byteVector: return .bytes([UInt8](repeating: UInt8(small), count: 16))
    case .intVector: return .bytes([0, 0, 0, 4, 0, 0, 0, UInt8(small)])
    case .stringVector: return .bytes([0, 0, 0, 1, 97])
    case .relation where random.happens(0.7):
      let target = entities.first { $0.name == property.targetEntityName }
      return .target(reference(target ?? entities[0]))
    default: return .integer(small)
    }
  }

  private mutating func values(_ entity: EntitySchema) -> PropertyList<PropertyValue> {
    var list = PropertyList<PropertyValue>()
    for property in entity.properties where !property.has(.id) && random.happens(0.25) {
      list[PropertyUID(property.identity.uid)] = value(property)
    }
    if random.happens(0.05) { list[PropertyUID(random.next())] = .integer(1) }
    return list
  }

  private mutating func property(of entity: EntitySchema) -> PropertyUID {
    if random.happens(0.7), let counter = entity.properties.first(where: { $0.name == "stock" }) {
      return PropertyUID(counter.identity.uid)
    }
    return PropertyUID(random.pick(entity.properties).identity.uid)
  }

  private mutating func relation(of entity: EntitySchema) -> PropertyUID {
    PropertyUID(entity.relations.first?.identity.uid ?? random.next())
  }

  private func reference(_ key: ObjectKey) -> ObjectReference {
    ObjectReference(ObjectIdentity(key: key, originID: originIDs[key] ?? OriginID(0)))
  }

  /// Adds or removes a pair: of any objects, or one that there is.
  private mutating func pairOperation() -> ObjectBoxSyncProtocol.Operation {
    let related = entities.filter { !$0.relations.isEmpty }
    let entity = random.pick(random.happens(0.9) && !related.isEmpty ? related : entities)
    let other = random.happens(0.9) ? entity : random.pick(entities)
    if !pairs.isEmpty, random.happens(0.4) {
      let (source, pair) = random.pick(pairs)
      // The relation of this pair, at its source or at an object of somebody else.
      let from = random.happens(0.5) ? reference(source) : reference(entity)
      if random.happens(0.3) { return .addPair(from, pair.relation, reference(pair.target)) }
      return .removePair(from, pair.relation, reference(pair.target), seen: pair.dot)
    }
    if random.happens(0.4) {
      return .addPair(reference(entity), relation(of: entity), reference(other))
    }
    // The neighbours that an object had at the beginning.
    let source = key(entity)
    let target = ObjectKey(entity: source.entity, id: source.id &+ random.pick([4, 5, 7]))
    let dot = TransactionToken(Identifier128(high: 0, low: Server.pairDot))
    return .removePair(
      reference(source),
      relation(of: entity),
      reference(target),
      seen: random.happens(0.8) ? dot : token()
    )
  }

  private mutating func operation() -> ObjectBoxSyncProtocol.Operation {
    let entity = random.pick(entities)
    switch Int.random(in: 0..<14, using: &random) {
    case 0...3:
      return .insert(key(entity), values(entity), random.happens(0.5) ? .chosen : .assigned)
    case 4...6: return .update(reference(entity), values(entity))
    case 7: return .update(reference(entity), values(entity), base: values(entity))
    case 8:
      return .increment(reference(entity), property(of: entity), by: random.pick(Self.integers))
    case 9: return .delete(reference(entity))
    default: return pairOperation()
    }
  }

  mutating func transaction(
    _ sequence: UInt64,
    behind previous: TransactionToken?
  ) -> SyncTransaction {
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    isSly = random.happens(0.6)
    let operations = (0..<random.pick([1, 1, 1, 2, 3, 30])).map { _ in operation() }
    return SyncTransaction(
      sequence: random.happens(0.02)
        ? random.pick([1, UInt64(Int64.max), sequence + 5]) : sequence,
      token: token(),
      previous: random.happens(0.02) ? token() : previous,
      time: HybridTime(milliseconds: random.happens(0.1) ? random.pick(Self.integers) : now),
      operations: operations
    )
  }
}
