package import ObjectBoxStorage

/// Writes an index in one transaction.
///
/// Gathers the postings of added objects in memory. ``flush()`` writes them as a run, and does a part of the merges;
/// without it, they are lost. Call it before the transaction commits, before a child transaction begins or ends, and
/// before the transaction reads the index. A child transaction needs its own writer. Make a new writer after a child
/// transaction, because a writer holds the state of the index.
package final class FullTextWriter {
  /// Number of bytes of gathered postings from which they are written as a run without a flush.
  package static let memoryLimit = 64 << 20

  /// Bytes of a step of a merge; smaller merges are completed at once.
  package static let stepSize = 32768

  package let settings: FullTextSettings
  let table: IndexTable
  var state: IndexState
  let stepSize: Int
  private let memoryLimit: Int
  private let memory: FullTextStateMemory?
  private var gathered: GatheredPostings?
  private var hasChanged = false
  /// Readers of the IDs of runs that were searched twice, by the number of the run.
  private var readers: [UInt32: RunReader] = [:]
  /// The numbers of the runs that were searched.
  private var seenRuns: Set<UInt32> = []

  /// Begins to write an index; creates it in tables without an index.
  ///
  /// - Parameters:
  ///   - tables: The tables; they contain nothing else.
  ///   - transaction: A write transaction.
  ///   - settings: The settings of a new index; an existing one keeps its own.
  ///   - memory: The state that an earlier transaction has written, if known.
  ///   - memoryLimit: Number of bytes of gathered postings from which they are written as a run.
  ///   - stepSize: Bytes of a step of a merge, which bound the time that a flush takes.
  /// - Throws: ``FullTextError`` when the index cannot be read or has another format.
  package init(
    _ tables: FullTextTables,
    _ transaction: StorageTransaction,
    _ settings: FullTextSettings,
    memory: FullTextStateMemory? = nil,
    memoryLimit: Int = FullTextWriter.memoryLimit,
    stepSize: Int = FullTextWriter.stepSize
  ) throws(FullTextError) {
    precondition(
      settings.isValid,
      "weights are from 1 to 255, k1 is not negative, b is from 0 to 1"
    )
    table = IndexTable(tables, transaction, isWriting: true)
    self.memory = memory
    self.memoryLimit = memoryLimit
    self.stepSize = stepSize
    if let known = try FullTextSettings.read(table) {
      self.settings = known
      guard let value = try table.value(0, .state) else {
        throw .damaged(run: 0, "the state is missing")
      }
      if let memory { state = try memory.take(value) } else { state = try IndexState(value) }
    } else {
      self.settings = settings
      state = IndexState()
      try settings.write(to: table)
      try state.write(to: table, memory)
    }
  }

  /// Adds an object that the index does not have.
  ///
  /// - Parameters:
  ///   - id: The ID.
  ///   - tokens: The words of its text.
  /// - Throws: ``FullTextError`` when a run cannot be written.
  package func add(_ id: UInt64, _ tokens: FullTextTokens) throws(FullTextError) {
    let gathered = try makeGathered()
    assert(!gathered.contains(id), "an object is removed before it is added again")
    try gathered.add(id, tokens)
    state.objectCount += 1
    state.wordCount += tokens.wordCount
    hasChanged = true
    if gathered.memory > memoryLimit { try writeRun() }
  }

  /// Removes an object.
  ///
  /// - Parameters:
  ///   - id: The ID.
  ///   - tokens: The words of the text that was added; counts of terms are exact only with these words.
  /// - Returns: Whether the index had the object.
  /// - Throws: ``FullTextError`` when the index cannot be read or written.
  @discardableResult
  package func remove(_ id: UInt64, _ tokens: FullTextTokens) throws(FullTextError) -> Bool {
    if gathered?.contains(id) == true { try writeRun() }
    guard try markDead(id) else { return false }
    try makeGathered().remove(tokens)
    state.objectCount -= 1
    state.wordCount -= tokens.wordCount
    hasChanged = true
    return true
  }

  /// Writes the gathered postings as a run, and does a part of the merges.
  package func flush() throws(FullTextError) {
    try writeRun()
    if !hasChanged { return }
    try state.write(to: table, memory)
    hasChanged = false
  }

  /// Merges all runs to one, and removes the values of the others.
  ///
  /// Takes time in proportion to the size of the index, and room for a second index.
  package func mergeAll() throws(FullTextError) {
    // Young runs cannot be inputs of merges.
    if state.runs.contains(where: \.isYoung) { _ = try makeGathered() }
    try writeRun(mayBeYoung: false)
    try finishMerges()
    hasChanged = true
    readers.removeAll()
    try flush()
  }

  private func makeGathered() throws(FullTextError) -> GatheredPostings {
    if let gathered { return gathered }
    let made = try GatheredPostings(settings)
    gathered = made
    return made
  }

  /// Writes the gathered postings: as a young run if there is room, else together with the young runs.
  private func writeRun(mayBeYoung: Bool = true) throws(FullTextError) {
    guard let gathered else { return }
    self.gathered = nil
    try gathered.sort()
    if mayBeYoung {
      if gathered.isEmpty { return }
      let free = RecentRun.numbers.first { number in !state.runs.contains { $0.number == number } }
      if let free, gathered.fits(try youngCapacity()) { return try append(gathered, free) }
    }
    try absorbYoungRuns(gathered)
    if gathered.isEmpty { return }
    if mayBeYoung, gathered.fits(try youngCapacity()) {
      return try append(gathered, RecentRun.numbers[0])
    }
    let start = table.writtenBytes
    try append(gathered, state.nextRun)
    state.nextRun += 1
    // Most commits do not write to the table of the runs.
    try maintain(writtenBytes: table.writtenBytes - start)
    readers = readers.filter { number, _ in state.runs.contains { $0.number == number } }
  }

  /// Returns the room for another young run in bytes.
  private func youngCapacity() throws(FullTextError) -> Int {
    // The new state is about as large as the last one.
    let stateSize = try table.value(0, .state)?.count ?? 0
    return RecentRun.capacity(besideStateOf: stateSize, state.runs)
  }

  /// Moves the documents of the young runs to the gathered postings.
  private func absorbYoungRuns(_ gathered: GatheredPostings) throws(FullTextError) {
    let young = state.runs.filter(\.isYoung)
    if young.isEmpty { return }
    for run in young {
      try gathered.absorb(run, table, settings)
      try table.removeYoungRun(run.number)
      readers[run.number] = nil
    }
    state.runs.removeAll(where: \.isYoung)
    try gathered.sort()
  }

  private func append(_ gathered: GatheredPostings, _ number: UInt32) throws(FullTextError) {
    let meanLength = state.meanLength
    state.runs.append(
      try gathered.write(to: table, settings, number: number, meanLength: meanLength)
    )
  }

  // MARK: Dead documents

  /// Marks the document of an object as dead; false if there is none.
  private func markDead(_ id: UInt64) throws(FullTextError) -> Bool {
    // Most objects are in the largest run.
    let largest = state.runs.indices.max {
      state.runs[$0].documentCount < state.runs[$1].documentCount
    }
    guard let largest else { return false }
    if try markDead(id, in: largest) { return true }
    for index in state.runs.indices where index != largest {
      if try markDead(id, in: index) { return true }
    }
    return false
  }

  private func markDead(_ id: UInt64, in index: Int) throws(FullTextError) -> Bool {
    let run = state.runs[index]
    guard run.mayHave(id), let ordinal = try liveOrdinal(of: id, in: run) else { return false }
    state.runs[index].pendingDead.append(ordinal)
    state.runs[index].deadCount += 1
    try markDeadInOutput(of: run.number, ordinal)
    if state.pendingCount > IndexState.pendingLimit { try clearPending() }
    return true
  }

  private func liveOrdinal(
    of id: UInt64,
    in run: RunDescription
  ) throws(FullTextError) -> UInt32? {
    let reader = reader(of: run)
    let ordinal = try reader.firstOrdinal(from: id)
    guard Int(ordinal) < run.documentCount, try reader.id(of: ordinal) == id else { return nil }
    if run.deadCount == 0 { return ordinal }
    if run.pendingDead.contains(ordinal) { return nil }
    return try LiveDocuments(table: table).isSet(run.number, ordinal) ? ordinal : nil
  }

  /// Returns a reader of the IDs of a run, valid until the next write; the IDs do not change.
  private func reader(of run: RunDescription) -> RunReader {
    if let known = readers[run.number] { return known }
    // The first reader makes no copies: most transactions remove one object.
    let isFirst = seenRuns.insert(run.number).inserted
    let made = RunReader(
      table,
      run,
      isWeighted: settings.isWeighted,
      meanLength: 1,
      isCopying: !isFirst
    )
    if !isFirst { readers[run.number] = made }
    return made
  }

  /// Marks a document as dead in the output of a merge, if the output already has it.
  private func markDeadInOutput(of number: UInt32, _ ordinal: UInt32) throws(FullTextError) {
    for index in state.merges.indices {
      let merge = state.merges[index]
      guard let input = merge.inputs.firstIndex(where: { $0.number == number }) else { continue }
      guard let place = try merge.outputOrdinal(of: ordinal, input: input, table) else { return }
      state.merges[index].output.pendingDead.append(place)
      state.merges[index].output.deadCount += 1
      return
    }
  }

  /// Clears the live bits of dead documents that are still set.
  private func clearPending() throws(FullTextError) {
    let bits = LiveDocuments(table: table)
    for index in state.runs.indices where !state.runs[index].pendingDead.isEmpty {
      try bits.clear(state.runs[index].number, state.runs[index].pendingDead)
      state.runs[index].pendingDead.removeAll()
    }
    for index in state.merges.indices where !state.merges[index].output.pendingDead.isEmpty {
      let output = state.merges[index].output
      try bits.clear(output.number, output.pendingDead)
      state.merges[index].output.pendingDead.removeAll()
    }
  }
}
