extension TransactionSnapshot: WireValue {
  /// Transactions in progress are written as differences: a thousand of them would be 8,000 bytes.
  package func write(to writer: inout WireWriter) {
    writer.append(xmax)
    writer.append(count: inProgress.count)
    var last: UInt64 = 0
    for transaction in inProgress {
      writer.append(transaction - last)
      last = transaction
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    let xmax = try reader.number()
    var inProgress: [UInt64] = []
    var last: UInt64 = 0
    // The limit is above PostgreSQL's limits of connections and prepared transactions.
    for _ in 0..<(try reader.count(limit: 1 << 18)) {
      let (next, isTooGreat) = last.addingReportingOverflow(try reader.number())
      guard !isTooGreat, next < xmax, next > last || inProgress.isEmpty else {
        throw reader.error("the transactions in progress are not in ascending order below \(xmax)")
      }
      inProgress.append(next)
      last = next
    }
    self.init(xmax: xmax, inProgress: inProgress)
  }
}

extension Epoch: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(bits: system)
    writer.append(UInt64(database))
    writer.append(UInt64(timeline))
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      system: try reader.bits(),
      database: try reader.number32(),
      timeline: try reader.number32()
    )
  }
}

extension Cursor: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(snapshot)
    writer.append(epoch)
    writer.append(position)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      snapshot: try reader.value(),
      epoch: try reader.value(),
      position: try reader.number()
    )
  }
}

extension Scope: WireValue {
  /// The most comparisons of a scope; each object is tested by all of them.
  package static let limit = 16

  /// The byte before a list of comparisons.
  ///
  /// Scopes with at most one equality have the form of the first version, which stored device states contain: 0, or 1
  /// and the equality.
  private static let list: UInt8 = 2

  package func write(to writer: inout WireWriter) {
    writer.append(entity)
    switch comparisons.count {
    case 0: writer.append(byte: 0)
    case 1 where comparisons[0].test == .equals:
      writer.append(byte: 1)
      writer.append(comparisons[0].property)
      writer.append(comparisons[0].value)
    default:
      writer.append(byte: Self.list)
      writer.append(count: comparisons.count)
      for comparison in comparisons {
        writer.append(comparison.property)
        writer.append(byte: comparison.test.rawValue)
        writer.append(comparison.value)
      }
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    let entity = try reader.value(EntityUID.self)
    switch try reader.byte() {
    case 0: self.init(entity: entity)
    case 1: self.init(entity: entity, property: try reader.value(), value: try reader.value())
    case Self.list:
      var comparisons: [Comparison] = []
      for _ in 0..<(try reader.count(limit: Self.limit)) {
        let property = try reader.value(PropertyUID.self)
        let byte = try reader.byte()
        guard let test = Comparison.Test(rawValue: byte) else {
          throw reader.error("a comparison of a scope has the unknown kind \(byte)")
        }
        comparisons.append(Comparison(property, test, try reader.value()))
      }
      self.init(entity: entity, comparisons)
      guard self.comparisons == comparisons else {
        throw reader.error("the comparisons of a scope are not in ascending order")
      }
    case let byte: throw reader.error("a scope has the unknown form \(byte)")
    }
  }
}

extension ScopeProgress: WireValue {
  /// The most scopes of a device; a message with so many takes about 10 MB in memory.
  package static let limit = 20_000

  package func write(to writer: inout WireWriter) {
    writer.append(count: elements.count)
    for element in elements {
      writer.append(element.scope)
      switch element.progress {
      case .complete: writer.append(byte: 0)
      case .filled(let id):
        writer.append(byte: 1)
        writer.append(id)
      }
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init()
    for _ in 0..<(try reader.count(limit: Self.limit)) {
      let scope = try reader.value(Scope.self)
      guard self[scope] == nil else { throw reader.error("a scope occurs twice") }
      self[scope] = try reader.flag() ? .filled(upTo: try reader.number()) : .complete
    }
  }
}

extension StateKey: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(device)
    writer.append(bits: edition)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(device: try reader.value(), edition: try reader.bits())
  }
}
