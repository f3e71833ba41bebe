extension Hello: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(UInt64(version))
    writer.append(device)
    writer.append(credentials)
    writer.append(clock)
    writer.append(model)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      version: try reader.number32(),
      device: try reader.value(),
      credentials: try reader.value(),
      clock: try reader.signed(),
      model: try reader.values(limit: EntityDescription.limit)
    )
  }
}

extension Credentials: WireValue {
  package func write(to writer: inout WireWriter) {
    switch self {
    case .none: writer.append(byte: 0)
    case .sharedSecret(let secret):
      writer.append(byte: 1)
      writer.append(secret)
    case .user(let name, let password):
      writer.append(byte: 2)
      writer.append(name)
      writer.append(password)
    case .token(let token):
      writer.append(byte: 3)
      writer.append(token)
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case 0: self = .none
    case 1: self = .sharedSecret(try reader.content())
    case 2: self = .user(name: try reader.text(), password: try reader.text())
    case 3: self = .token(try reader.text())
    case let kind: throw reader.error("\(kind) is no kind of credentials")
    }
  }
}

extension EntityDescription: WireValue {
  /// The most entities of a model, properties of an entity, and relations of an entity.
  package static let limit = 10_000

  package func write(to writer: inout WireWriter) {
    writer.append(entity)
    writer.append(properties)
    writer.append(relations)
    writer.append(UInt64(conflictFlags))
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      entity: try reader.value(),
      properties: try reader.values(limit: Self.limit),
      relations: try reader.values(limit: Self.limit),
      conflictFlags: try reader.number32()
    )
  }
}

extension PropertyDescription: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(property)
    writer.append(UInt64(type))
    writer.append(UInt64(conflictFlags))
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      property: try reader.value(),
      type: try reader.number32(),
      conflictFlags: try reader.number32()
    )
  }
}

extension Welcome: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(UInt64(version))
    writer.append(clock)
    writer.append(messageSize)
    writer.append(uploadOperations)
    writer.append(transactionSize)
    writer.append(transactionOperations)
    writer.append(digestSize)
    writer.append(model)
    writer.append(user)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      version: try reader.number32(),
      clock: try reader.signed(),
      messageSize: try reader.number(),
      uploadOperations: try reader.number(),
      transactionSize: try reader.number(),
      transactionOperations: try reader.number(),
      digestSize: try reader.number(),
      model: try reader.values(limit: EntityDescription.limit),
      user: try reader.text()
    )
    guard digestSize > 0 else { throw reader.error("ranges of digests have the size 0") }
  }
}

extension Refused: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(UInt64(code.rawValue))
    writer.append(text)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    let number = try reader.number32()
    guard let code = Code(rawValue: number) else {
      throw reader.error("\(number) is no cause of a refusal")
    }
    self.init(code, try reader.text())
  }
}
