package import ObjectBoxSyncProtocol

extension WaitingTransaction: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(transaction)
    writer.append(forecast)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(transaction: try reader.value(), forecast: try reader.value())
  }
}

extension ToldVerdict: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(transaction)
    writer.append(verdict)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(transaction: try reader.value(), verdict: try reader.value())
  }
}

extension BaseRow: WireValue {
  package func write(to writer: inout WireWriter) { writer.append(row) }

  package init(from reader: inout WireReader) throws(WireError) {
    self = try reader.optional(Row.self).map(BaseRow.row) ?? .absent
  }
}
