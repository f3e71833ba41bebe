extension Want: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(state)
    writer.append(cursor)
    writer.append(scopes)
    writer.append(confirmed)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      state: try reader.value(),
      cursor: try reader.optional(),
      scopes: try reader.value(),
      confirmed: try reader.number()
    )
    // PostgreSQL stores it as a bigint.
    guard confirmed <= UInt64(Int64.max) else {
      throw reader.error("\(confirmed) is no number of a transaction")
    }
  }
}

extension Cut: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(state)
    writer.append(cursor)
    writer.append(scopes)
    writer.append(ranges.sorted())
    writer.append(rangeWidth)
    writer.append(leaves)
    writer.append(rows)
    writer.append(verdicts)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      state: try reader.value(),
      cursor: try reader.value(),
      scopes: try reader.value(),
      ranges: Set(try reader.values()),
      rangeWidth: try reader.number(),
      leaves: try reader.values(),
      rows: try reader.values(),
      verdicts: try reader.values()
    )
    guard rangeWidth > 0 else { throw reader.error("ranges of IDs have the width 0") }
  }
}

extension Reset: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(state)
    writer.append(epoch)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(state: try reader.value(), epoch: try reader.value())
  }
}

extension Digests: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(want)
    writer.append(ranges)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(want: try reader.value(), ranges: try reader.value())
  }
}
