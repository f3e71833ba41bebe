internal import ObjectBoxSyncProtocol

extension Verdict {
  private static let format: UInt8 = 1

  /// The bytes in the hub's tables.
  var hubBytes: [UInt8] {
    var writer = HubBytes()
    writer.append(Self.format)
    switch self {
    case .accepted: writer.append(0 as UInt8)
    case .merged(let dropped, let identities):
      writer.append(1 as UInt8)
      writer.append(UInt32(dropped.count))
      for operation in dropped {
        writer.append(UInt32(operation.index))
        writer.append(operation.key)
        writer.append(operation.reason)
      }
      writer.append(UInt32(identities.count))
      for identity in identities {
        writer.append(identity.made)
        writer.append(identity.identity == nil ? 0 as UInt8 : 1)
        guard let object = identity.identity else { continue }
        writer.append(object.key)
        writer.append(object.birth.bits)
      }
    case .rejected(let rejection):
      writer.append(2 as UInt8)
      writer.append(rejection.entity.value)
      writer.append(rejection.property?.value ?? 0)
      writer.append(rejection.reason.code)
    }
    return writer.bytes
  }

  /// Reads ``hubBytes``.
  ///
  /// - Throws: ``HubError/corrupt(message:)``.
  init(hubBytes: [UInt8]) throws {
    var reader = HubBytesReader(hubBytes, "the verdict of a transaction")
    guard try reader.number(UInt8.self) == Self.format else { throw reader.corrupt() }
    switch try reader.number(UInt8.self) {
    case 0: self = .accepted
    case 1:
      let dropped = try (0..<reader.number(UInt32.self)).map { _ in
        let index = Int(try reader.number(UInt32.self))
        return DroppedOperation(index: index, key: try reader.key(), reason: try reader.reason())
      }
      let identities = try (0..<reader.number(UInt32.self)).map { _ in
        let made = try reader.key()
        guard try reader.number(UInt8.self) == 1 else {
          return NewIdentity(made: made, identity: nil)
        }
        let key = try reader.key()
        return NewIdentity(
          made: made,
          identity: ObjectIdentity(key: key, birth: BirthMark(try reader.number()))
        )
      }
      self = .merged(dropped: dropped, identities: identities)
    case 2:
      let entity = EntityUID(try reader.number())
      let property = try reader.number(UInt64.self)
      guard let reason = Rejection.Reason(code: try reader.number()) else { throw reader.corrupt() }
      self = .rejected(
        Rejection(
          entity: entity,
          property: property == 0 ? nil : PropertyUID(property),
          reason: reason
        )
      )
    default: throw reader.corrupt()
    }
    if !reader.isAtEnd { throw reader.corrupt() }
  }
}

extension HubBytes {
  fileprivate mutating func append(_ reason: DroppedOperation.Reason) {
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

extension HubBytesReader {
  fileprivate mutating func reason() throws -> DroppedOperation.Reason {
    switch try number(UInt8.self) {
    case 0: return .deleted
    case 1: return .otherObject
    case 2: return .older(than: try stamp())
    case 3: return .targetMissing
    default: throw corrupt()
    }
  }
}

extension Rejection.Reason {
  fileprivate var code: UInt8 {
    switch self {
    case .unique: 0
    case .permission: 1
    case .unknownEntity: 2
    case .counter: 3
    }
  }

  fileprivate init?(code: UInt8) {
    switch code {
    case 0: self = .unique
    case 1: self = .permission
    case 2: self = .unknownEntity
    case 3: self = .counter
    default: return nil
    }
  }
}
