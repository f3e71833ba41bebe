package import ObjectBoxSyncProtocol

extension WaitingTransaction: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(transaction)
    writer.append(forecast)
  }

  /// Reads a transaction in the form of messages or of ``StoredOperations``.
  package init(from reader: inout WireReader) throws(WireError) {
    var after = reader
    guard try after.byte() == StoredOperations.form else {
      self.init(transaction: try reader.value(), forecast: try reader.value())
      return
    }
    reader = after
    let transaction = try SyncTransaction(from: &reader, StoredOperations.read)
    self.init(transaction: transaction, forecast: try reader.value())
  }
}

extension ToldDecision: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(transaction)
    writer.append(decision)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(transaction: try reader.value(), decision: try reader.value())
  }
}

extension BaseRow: WireValue {
  package func write(to writer: inout WireWriter) { writer.append(row) }

  package init(from reader: inout WireReader) throws(WireError) {
    self = try reader.optional(Row.self).map(BaseRow.row) ?? .absent
  }
}

extension ModelParts: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(count: entities.count)
    for (entity, parts) in entities.sorted(by: { $0.key < $1.key }) {
      writer.append(entity)
      writer.append(parts.properties.sorted())
      writer.append(parts.relations.sorted())
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init()
    for _ in 0..<(try reader.count()) {
      let entity = try reader.value(EntityUID.self)
      self[entity] = Entity(
        properties: Set(try reader.values(PropertyUID.self)),
        relations: Set(try reader.values(PropertyUID.self))
      )
    }
  }
}

extension DeviceModels: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(own)
    writer.append(shared)
    writer.append(received)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      own: try reader.value(),
      shared: try reader.optional(),
      received: try reader.value()
    )
  }
}
