extension Decision: WireValue {
  package func write(to writer: inout WireWriter) {
    switch self {
    case .accepted: writer.append(byte: 0)
    case .merged(let dropped, let identities):
      writer.append(byte: 1)
      writer.append(dropped)
      writer.append(identities)
    case .rejected(let rejection):
      writer.append(byte: 2)
      writer.append(rejection)
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case 0: self = .accepted
    case 1: self = .merged(dropped: try reader.values(), identities: try reader.values())
    case 2: self = .rejected(try reader.value())
    case let kind: throw reader.error("\(kind) is no kind of a decision")
    }
  }
}

extension DroppedOperation: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(count: index)
    writer.append(key)
    switch reason {
    case .deleted: writer.append(byte: 0)
    case .otherObject: writer.append(byte: 1)
    case .older(let stamp):
      writer.append(byte: 2)
      writer.append(stamp)
    case .targetMissing: writer.append(byte: 3)
    case .resolved(let property):
      writer.append(byte: 4)
      writer.append(property)
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    let index = Int(try reader.number32())
    let key = try reader.value(ObjectKey.self)
    let reason: Reason
    switch try reader.byte() {
    case 0: reason = .deleted
    case 1: reason = .otherObject
    case 2: reason = .older(than: try reader.value())
    case 3: reason = .targetMissing
    case 4: reason = .resolved(try reader.value())
    case let kind: throw reader.error("\(kind) is no reason to drop an operation")
    }
    self.init(index: index, key: key, reason: reason)
  }
}

extension NewIdentity: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(made)
    writer.append(identity)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(made: try reader.value(), identity: try reader.optional())
  }
}

extension Rejection: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(entity)
    writer.append(property)
    switch reason {
    case .unique: writer.append(byte: 0)
    case .permission: writer.append(byte: 1)
    case .unknownEntity: writer.append(byte: 2)
    case .counter: writer.append(byte: 3)
    case .value:
      writer.append(byte: message == nil ? 4 : 8)
      if let message { writer.append(message) }
    case .restricted: writer.append(byte: 5)
    case .expired: writer.append(byte: 7)
    case .resolution:
      writer.append(byte: 6)
      writer.append(message ?? "")
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    let entity = try reader.value(EntityUID.self)
    let property = try reader.optional(PropertyUID.self)
    let reason: Reason
    var message: String?
    switch try reader.byte() {
    case 0: reason = .unique
    case 1: reason = .permission
    case 2: reason = .unknownEntity
    case 3: reason = .counter
    case 4: reason = .value
    case 8:
      reason = .value
      message = try reader.text()
    case 5: reason = .restricted
    case 7: reason = .expired
    case 6:
      reason = .resolution
      message = try reader.text()
    case let kind: throw reader.error("\(kind) is no reason of a rejection")
    }
    self.init(entity: entity, property: property, reason: reason, message: message)
  }
}

extension SequencedDecision: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(sequence)
    writer.append(token)
    writer.append(decision)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      sequence: try reader.number(),
      token: try reader.value(),
      decision: try reader.value()
    )
  }
}
