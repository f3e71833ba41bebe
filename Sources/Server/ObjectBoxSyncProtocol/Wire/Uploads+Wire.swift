extension Operation: WireValue {
  package func write(to writer: inout WireWriter) {
    switch self {
    case .insert(let key, let values, let origin):
      writer.append(byte: origin == .chosen ? 1 : 0)
      writer.append(key)
      writer.append(values)
    case .update(let object, let values, let base):
      writer.append(byte: base == nil ? 2 : 7)
      writer.append(object)
      writer.append(values)
      if let base { writer.append(base) }
    case .increment(let object, let property, let difference):
      writer.append(byte: 3)
      writer.append(object)
      writer.append(property)
      writer.append(difference)
    case .delete(let object):
      writer.append(byte: 4)
      writer.append(object)
    case .addPair(let object, let relation, let target):
      writer.append(byte: 5)
      writer.append(object)
      writer.append(relation)
      writer.append(target)
    case .removePair(let object, let relation, let target, let seen):
      writer.append(byte: 6)
      writer.append(object)
      writer.append(relation)
      writer.append(target)
      writer.append(seen)
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case 0: self = .insert(try reader.value(), try reader.value(), .assigned)
    case 1: self = .insert(try reader.value(), try reader.value(), .chosen)
    case 2: self = .update(try reader.value(), try reader.value())
    case 3: self = .increment(try reader.value(), try reader.value(), by: try reader.signed())
    case 4: self = .delete(try reader.value())
    case 5: self = .addPair(try reader.value(), try reader.value(), try reader.value())
    case 6:
      self = .removePair(
        try reader.value(),
        try reader.value(),
        try reader.value(),
        seen: try reader.value()
      )
    case 7: self = .update(try reader.value(), try reader.value(), base: try reader.value())
    case let kind: throw reader.error("\(kind) is no kind of an operation")
    }
  }
}

extension SyncTransaction: WireValue {
  package func write(to writer: inout WireWriter) {
    writeHead(operationCount: operations.count, to: &writer)
    for operation in operations { writer.append(operation) }
  }

  /// Writes the transaction up to its operations, for a caller that writes the operations itself.
  ///
  /// - Parameters:
  ///   - operationCount: The number of operations that follow.
  ///   - writer: Gets the bytes.
  package func writeHead(operationCount: Int, to writer: inout WireWriter) {
    writer.append(sequence)
    writer.append(token)
    writer.append(previous)
    writer.append(time)
    writer.append(count: operationCount)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    try self.init(from: &reader) { (reader) throws(WireError) in try reader.values() }
  }

  /// Reads a transaction whose operations have another form than in messages.
  ///
  /// - Parameters:
  ///   - reader: The bytes.
  ///   - operations: Reads the number of operations and the operations.
  /// - Throws: ``WireError``.
  package init(
    from reader: inout WireReader,
    _ operations: (inout WireReader) throws(WireError) -> [Operation]
  ) throws(WireError) {
    self.init(
      sequence: try reader.number(),
      token: try reader.value(),
      previous: try reader.optional(),
      time: try reader.value(),
      operations: try operations(&reader)
    )
    // PostgreSQL stores it as a bigint.
    guard sequence > 0, sequence <= UInt64(Int64.max) else {
      throw reader.error("\(sequence) is no number of a transaction")
    }
  }
}

extension Upload: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(device)
    writer.append(seen)
    writer.append(transactions)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      device: try reader.value(),
      seen: try reader.value(),
      transactions: try reader.values()
    )
  }
}

extension ServerReply: WireValue {
  package func write(to writer: inout WireWriter) {
    switch self {
    case .acknowledged(let device, let last):
      writer.append(byte: 0)
      writer.append(device)
      writer.append(last)
    case .forked(let device):
      writer.append(byte: 1)
      writer.append(device)
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case 0: self = .acknowledged(try reader.value(), last: try reader.number())
    case 1: self = .forked(try reader.value())
    case let kind: throw reader.error("\(kind) is no kind of a reply")
    }
  }
}

extension Lend: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(device)
    writer.append(entity)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(device: try reader.value(), entity: try reader.value())
  }
}

extension Lease: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(device)
    writer.append(block)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(device: try reader.value(), block: try reader.value())
  }
}

extension IDBlock: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(entity)
    writer.append(ids.lowerBound)
    writer.append(ids.upperBound - ids.lowerBound)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    let entity = try reader.value(EntityUID.self)
    let lower = try reader.number()
    let count = try reader.number()
    let (upper, isTooGreat) = lower.addingReportingOverflow(count)
    guard lower > 0, count > 0, !isTooGreat, upper - 1 <= UInt64(Int64.max) else {
      throw reader.error("\(count) IDs from \(lower) on are no block of IDs")
    }
    self.init(entity: entity, ids: lower..<upper)
  }
}
