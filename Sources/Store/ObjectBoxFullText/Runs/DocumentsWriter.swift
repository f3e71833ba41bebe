/// Writes the IDs and the lengths of a run's documents, in the order of their IDs.
struct DocumentsWriter {
  private let table: IndexTable
  private let run: UInt32
  /// Nil for a small run.
  private var ids: NumberTableWriter?
  private let lengths: StreamWriter?
  private var buffer: [UInt8] = []
  private var smallIDs: [UInt64] = []
  private(set) var count: Int

  /// Begins the documents of a run, or continues them if the run is not small.
  init(_ table: IndexTable, _ run: RunDescription, count: Int = 0) throws(FullTextError) {
    self.table = table
    self.run = run.number
    self.count = count
    if run.isSmall {
      precondition(count == 0, "a small run is written at once")
      lengths = nil
    } else {
      ids = try NumberTableWriter(
        table,
        run.number,
        .ids,
        directory: .idDirectory,
        count: count
      )
      lengths = try StreamWriter(table, run.number, .lengths, size: UInt64(count * 2))
    }
  }

  mutating func add(_ id: UInt64, _ length: UInt16) throws(FullTextError) {
    count += 1
    withUnsafeBytes(of: length.littleEndian) { buffer.append(contentsOf: $0) }
    if lengths == nil { return smallIDs.append(id) }
    try ids?.append(id)
    if buffer.count >= IndexTable.chunkSize { try flushLengths() }
  }

  private mutating func flushLengths() throws(FullTextError) {
    try buffer.withBytes { bytes throws(FullTextError) in try lengths?.append(bytes) }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes the rest; a run that is not small can be continued later.
  mutating func finish() throws(FullTextError) {
    if let lengths {
      try flushLengths()
      try lengths.finish()
      try ids?.finish()
    } else if let first = smallIDs.first {
      let encoded = NumberTable.encode(smallIDs, false, base: first)
      let value = encoded.entry + encoded.offsets + buffer
      try value.withBytes { bytes throws(FullTextError) in
        try table.put(run, .documents, 0, bytes)
      }
    }
  }
}
