/// The step of a merge that writes documents of the output.
struct DocumentMerge {
  private struct Source {
    let reader: RunReader
    let live: UnsafePointer<UInt64>?
    var ordinal: UInt32
    var count: UInt32
    var id: UInt64 = 0
    var map: NumberTableWriter?
  }

  private let table: IndexTable
  private var sources: [Source]
  private var documents: DocumentsWriter
  private let usesMaps: Bool

  /// - Parameters:
  ///   - table: The table of the index.
  ///   - merge: The merge.
  ///   - readers: The inputs.
  /// - Throws: ``FullTextError`` for damaged bytes.
  init(
    _ table: IndexTable,
    _ merge: MergeDescription,
    _ readers: [RunReader]
  ) throws(FullTextError) {
    self.table = table
    usesMaps = merge.maps != 0
    documents = try DocumentsWriter(table, merge.output, count: merge.output.documentCount)
    sources = []
    for (index, reader) in readers.enumerated() {
      let passed = merge.inputs[index].passedCount
      var source = Source(
        reader: reader,
        live: try reader.liveBits,
        ordinal: passed,
        count: UInt32(reader.documentCount)
      )
      if usesMaps {
        source.map = try NumberTableWriter(
          table,
          merge.maps,
          .maps,
          directory: .mapDirectory,
          firstChunk: OrdinalMap.firstChunk(ofInput: index),
          count: Int(passed)
        )
      }
      if source.ordinal < source.count { source.id = try reader.id(of: source.ordinal) }
      sources.append(source)
    }
  }

  /// Writes documents, at most `limit` of the inputs.
  ///
  /// - Returns: The number of documents of the inputs that were passed.
  /// - Throws: ``FullTextError`` when the index cannot be read or written.
  mutating func run(
    _ merge: inout MergeDescription,
    limit: Int
  ) throws(FullTextError) -> Int {
    var passed = 0
    while passed < limit, let least = leastSource() {
      let end = bound(of: least)
      repeat {
        try pass(least, &merge)
        passed += 1
      } while passed < limit && sources[least].ordinal < sources[least].count
        && sources[least].id <= end
    }
    for index in sources.indices {
      merge.inputs[index].passedCount = sources[index].ordinal
      try sources[index].map?.finish()
    }
    try documents.finish()
    merge.output.documentCount = documents.count
    merge.hasDocuments = leastSource() == nil
    return passed
  }

  /// The source with the least next ID; nil at the end.
  private func leastSource() -> Int? {
    var least: Int?
    for index in sources.indices where sources[index].ordinal < sources[index].count {
      if let known = least, sources[known].id <= sources[index].id { continue }
      least = index
    }
    return least
  }

  /// The greatest ID up to which a source has the least next ID.
  private func bound(of least: Int) -> UInt64 {
    var bound = UInt64.max
    for index in sources.indices
    where index != least && sources[index].ordinal < sources[index].count {
      bound = min(bound, sources[index].id)
    }
    return bound
  }

  /// Passes the next document of a source.
  private mutating func pass(
    _ index: Int,
    _ merge: inout MergeDescription
  ) throws(FullTextError) {
    let ordinal = sources[index].ordinal
    let id = sources[index].id
    if sources[index].live.isLive(Int(ordinal)) || !usesMaps {
      try sources[index].map?.append(UInt64(documents.count))
      if documents.count == 0 { merge.output.minimumID = id }
      merge.output.maximumID = id
      let length = try sources[index].reader.length(of: ordinal)
      try documents.add(id, UInt16(truncatingIfNeeded: length))
    } else {
      try sources[index].map?.appendNone(next: UInt64(documents.count))
    }
    sources[index].ordinal = ordinal + 1
    if ordinal + 1 < sources[index].count {
      sources[index].id = try sources[index].reader.id(of: ordinal + 1)
    }
  }
}
