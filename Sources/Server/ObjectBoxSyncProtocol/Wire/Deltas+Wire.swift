extension DeltaRequest: WireValue {
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

extension Delta: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(state)
    writer.append(stagingArea)
    writer.append(cursor)
    writer.append(scopes)
    writer.append(ranges: ranges)
    writer.append(leaves)
    writer.append(rows)
    writer.append(decisions)
    writer.append(decidedTime)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      state: try reader.value(),
      stagingArea: try reader.number(),
      cursor: try reader.value(),
      scopes: try reader.value(),
      ranges: try reader.ranges(),
      leaves: try reader.values(),
      rows: try reader.value(),
      decisions: try reader.values(),
      decidedTime: try reader.value()
    )
  }
}
