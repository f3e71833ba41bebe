extension Identifier128: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(bits: high)
    writer.append(bits: low)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(high: try reader.bits(), low: try reader.bits())
  }
}

extension DeviceIdentity: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(bits)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(try reader.value())
  }
}

extension TransactionToken: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(bits)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(try reader.value())
  }
}

extension OriginID: WireValue {
  /// The number of bytes.
  package static let size = 8

  package func write(to writer: inout WireWriter) {
    writer.append(bits: bits)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(try reader.bits())
  }
}

extension EntityUID: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(value)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(try reader.number())
  }
}

extension PropertyUID: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(value)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(try reader.number())
  }
}

extension ObjectKey: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(entity)
    writer.append(id)
  }

  /// The greatest ID is the greatest bigint of PostgreSQL.
  package init(from reader: inout WireReader) throws(WireError) {
    let entity = try reader.value(EntityUID.self)
    let id = try reader.number()
    guard id > 0, id <= UInt64(Int64.max) else {
      throw reader.error("\(id) is not the ID of an object")
    }
    self.init(entity: entity, id: id)
  }
}

extension ObjectIdentity: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(key)
    writer.append(originID)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(key: try reader.value(), originID: try reader.value())
  }
}

extension ObjectReference: WireValue {
  /// Writes no origin ID for a reference to an unconfirmed object: its maker determines the origin ID.
  package func write(to writer: inout WireWriter) {
    writer.append(key)
    writer.append(maker)
    if maker == nil { writer.append(identity.originID) }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    let key = try reader.value(ObjectKey.self)
    if let maker = try reader.optional(TransactionToken.self) {
      self.init(key, madeBy: maker)
    } else {
      self.init(ObjectIdentity(key: key, originID: try reader.value()))
    }
  }
}

extension HybridTime: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(milliseconds)
    writer.append(UInt64(counter))
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(milliseconds: try reader.signed(), counter: try reader.number32())
  }
}

extension Stamp: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(precedence)
    writer.append(time)
    writer.append(token)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(precedence: try reader.signed(), time: try reader.value(), token: try reader.value())
  }
}
