import CObjectBoxFullText

/// The numbers of an index that change with each commit.
struct IndexState: Hashable {
  /// Number of objects, including empty texts.
  var objectCount = 0
  /// Number of words of all objects.
  var wordCount = 0
  var nextRun: UInt32 = 1
  var runs: [RunDescription] = []
  var merges: [MergeDescription] = []
  /// Runs with values that are being removed in steps.
  var dropped: [UInt32] = []

  /// The greatest number of dead documents with live bits that are still set.
  static let pendingLimit = 64

  init() {}

  /// Number of dead documents with live bits that are still set.
  var pendingCount: Int {
    runs.reduce(0) { $0 + $1.pendingDead.count }
      + merges.reduce(0) { $0 + $1.output.pendingDead.count }
  }

  /// The mean number of words of an object; 1 if there is none.
  var meanLength: Double {
    wordCount > 0 && objectCount > 0 ? Double(wordCount) / Double(objectCount) : 1
  }

  private func write(to bytes: inout VarintWriter) {
    bytes.add(objectCount)
    bytes.add(wordCount)
    bytes.add(nextRun)
    bytes.add(runs.count)
    // A copy of a run would retain its array.
    for index in runs.indices { runs[index].write(to: &bytes) }
    bytes.add(merges.count)
    for index in merges.indices { merges[index].write(to: &bytes) }
    bytes.add(dropped.count)
    for run in dropped { bytes.add(run) }
    let pending =
      runs.count { !$0.pendingDead.isEmpty } + merges.count { !$0.output.pendingDead.isEmpty }
    bytes.add(pending)
    for index in runs.indices { runs[index].writePending(to: &bytes) }
    for index in merges.indices { merges[index].output.writePending(to: &bytes) }
  }

  init(_ value: UnsafeRawBufferPointer) throws(FullTextError) {
    var bytes = VarintReader(value)
    objectCount = bytes.integer()
    wordCount = bytes.integer()
    nextRun = bytes.number32()
    runs = bytes.list { RunDescription(from: &$0) }
    merges = bytes.list { MergeDescription(from: &$0) }
    dropped = bytes.list { $0.number32() }
    guard readPending(&bytes), bytes.isComplete, Self.isCount(objectCount), Self.isCount(wordCount),
      runs.allSatisfy(\.isPlausible), merges.allSatisfy(\.isPlausible),
      !RecentRun.isNumber(nextRun), !dropped.contains(where: RecentRun.isNumber)
    else { throw .damaged(run: 0, "the state") }
  }

  private static func isCount(_ count: Int) -> Bool { count >= 0 && count >> OBX_COUNT_BITS == 0 }

  /// Reads the dead documents with live bits that are still set; false if a run is unknown.
  private mutating func readPending(_ bytes: inout VarintReader) -> Bool {
    let pending = bytes.list { (run: $0.number32(), ordinals: $0.list { $0.number32() }) }
    for (number, ordinals) in pending {
      if let index = runs.firstIndex(where: { $0.number == number }) {
        runs[index].pendingDead = ordinals
      } else if let index = merges.firstIndex(where: { $0.output.number == number }) {
        merges[index].output.pendingDead = ordinals
      } else {
        return false
      }
    }
    return true
  }

  /// Reads the state; nil for a table without an index.
  static func read(_ table: IndexTable) throws(FullTextError) -> IndexState? {
    guard let value = try table.value(0, .state) else { return nil }
    return try IndexState(value)
  }

  /// Writes the state.
  func write(to table: IndexTable, _ memory: FullTextStateMemory?) throws(FullTextError) {
    var bytes = VarintWriter(capacity: 2048)
    write(to: &bytes)
    try bytes.withBytes { value throws(FullTextError) in
      try table.put(0, .state, 0, value)
      memory?.remember(value, self)
    }
  }
}
