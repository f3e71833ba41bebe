internal import ObjectBoxSyncProtocol

extension SyncBytes {
  mutating func append(_ operation: Operation) {
    switch operation {
    case .insert(let key, let values, let origin):
      append(0 as UInt8)
      append(key)
      append(values)
      append(origin == .chosen)
    case .update(let object, let values):
      append(1 as UInt8)
      append(object)
      append(values)
    case .increment(let object, let property, let difference):
      append(2 as UInt8)
      append(object)
      append(property.value)
      append(difference)
    case .delete(let object):
      append(3 as UInt8)
      append(object)
    case .addPair(let object, let relation, let target):
      append(4 as UInt8)
      append(object)
      append(relation.value)
      append(target)
    case .removePair(let object, let relation, let target, let seen):
      append(5 as UInt8)
      append(object)
      append(relation.value)
      append(target)
      append(seen.bits)
    }
  }

  mutating func append(_ transaction: SyncTransaction) {
    append(transaction.sequence)
    append(transaction.token.bits)
    append(transaction.previous) { $0.append($1.bits) }
    append(transaction.time)
    append(transaction.operations) { $0.append($1) }
  }

  mutating func append(_ verdict: Verdict) {
    switch verdict {
    case .accepted: append(0 as UInt8)
    case .merged(let dropped, let identities):
      append(1 as UInt8)
      append(dropped) {
        $0.append(UInt32($1.index))
        $0.append($1.key)
        $0.append($1.reason)
      }
      append(identities) {
        $0.append($1.made)
        $0.append($1.identity) {
          $0.append($1.key)
          $0.append($1.birth.bits)
        }
      }
    case .rejected(let rejection):
      append(2 as UInt8)
      append(rejection.entity.value)
      append(rejection.property) { $0.append($1.value) }
      append(Self.reasons.firstIndex(of: rejection.reason).map(UInt8.init) ?? .max)
    }
  }

  /// The causes of rejections by their stored numbers.
  static let reasons: [Rejection.Reason] = [.unique, .permission, .unknownEntity, .counter]

  private mutating func append(_ reason: DroppedOperation.Reason) {
    switch reason {
    case .deleted: append(0 as UInt8)
    case .otherObject: append(1 as UInt8)
    case .older(let stamp):
      append(2 as UInt8)
      append(stamp)
    case .targetMissing: append(3 as UInt8)
    }
  }
}

extension SyncBytesReader {
  mutating func operation() throws(SyncTable.Damage) -> Operation {
    switch try number(UInt8.self) {
    case 0:
      let key = try key()
      let values = try values()
      return .insert(key, values, try flag() ? .chosen : .assigned)
    case 1: return .update(try reference(), try values())
    case 2: return .increment(try reference(), PropertyUID(try number()), by: try number())
    case 3: return .delete(try reference())
    case 4: return .addPair(try reference(), PropertyUID(try number()), try reference())
    case 5:
      return .removePair(
        try reference(),
        PropertyUID(try number()),
        try reference(),
        seen: try token()
      )
    default: throw SyncTable.Damage()
    }
  }

  mutating func transaction() throws(SyncTable.Damage) -> SyncTransaction {
    SyncTransaction(
      sequence: try number(),
      token: try token(),
      previous: try optional { (reader) throws(SyncTable.Damage) in try reader.token() },
      time: try time(),
      operations: try list { (reader) throws(SyncTable.Damage) in try reader.operation() }
    )
  }

  mutating func verdict() throws(SyncTable.Damage) -> Verdict {
    switch try number(UInt8.self) {
    case 0: return .accepted
    case 1:
      let dropped = try list { (reader) throws(SyncTable.Damage) in
        DroppedOperation(
          index: Int(try reader.number(UInt32.self)),
          key: try reader.key(),
          reason: try reader.reason()
        )
      }
      let identities = try list { (reader) throws(SyncTable.Damage) in
        NewIdentity(
          made: try reader.key(),
          identity: try reader.optional { (reader) throws(SyncTable.Damage) in
            ObjectIdentity(key: try reader.key(), birth: BirthMark(try reader.number()))
          }
        )
      }
      return .merged(dropped: dropped, identities: identities)
    case 2:
      let entity = EntityUID(try number())
      let property = try optional { (reader) throws(SyncTable.Damage) in
        PropertyUID(try reader.number())
      }
      let number = Int(try number(UInt8.self))
      guard number < SyncBytes.reasons.count else { throw SyncTable.Damage() }
      return .rejected(
        Rejection(entity: entity, property: property, reason: SyncBytes.reasons[number])
      )
    default: throw SyncTable.Damage()
    }
  }

  private mutating func reason() throws(SyncTable.Damage) -> DroppedOperation.Reason {
    switch try number(UInt8.self) {
    case 0: return .deleted
    case 1: return .otherObject
    case 2: return .older(than: try stamp())
    case 3: return .targetMissing
    default: throw SyncTable.Damage()
    }
  }
}
