/// Merges of runs, and removal of the values of merged runs.
///
/// Runs of about the same size are merged when there are ``RunDescription/fanout`` of them, so the number of runs grows
/// with the logarithm of the index's size. A merge is done in steps: each flush allows each merge to write three times
/// the bytes that the flush has written.
extension FullTextWriter {
  /// Bytes that a merge may write for each byte of a flush.
  private static let rate = 3
  /// The least number of values that a flush removes, if there are so many.
  private static let removalCount = 64
  /// The greatest number of inputs of a merge.
  private static let inputLimit = 2 * RunDescription.fanout
  /// The number of bytes that a document of an input counts for.
  private static let bytesPerDocument = 4

  /// Begins merges that are due, and does a part of each.
  func maintain(writtenBytes: Int) throws(FullTextError) {
    var spent = try mergeSmallRuns()
    let given = Self.rate * writtenBytes
    var limit = 0
    for index in state.merges.indices {
      state.merges[index].credit += given
      limit += given
    }
    limit = max(limit, stepSize)
    while spent < limit, let index = mergeToContinue() {
      let credit = state.merges[index].credit
      let written = try step(index, budget: max(stepSize, min(credit, limit - spent)))
      spent += written
      spent += try mergeSmallRuns()
    }
    try removeDropped(limit: Self.removalCount + spent / 256)
  }

  /// Ends all merges, and merges the runs to one.
  func finishMerges() throws(FullTextError) {
    while !state.merges.isEmpty { _ = try step(0, budget: .max) }
    while state.runs.count > 1 || state.runs.contains(where: { $0.deadCount > 0 }) {
      begin(state.runs.prefix(128).map(\.number), level: 0)
      _ = try step(0, budget: .max)
    }
    try removeDropped(limit: .max)
  }

  private func mergeToContinue() -> Int? {
    let index = state.merges.indices.max { state.merges[$0].credit < state.merges[$1].credit }
    return index.flatMap { state.merges[$0].credit >= stepSize ? $0 : nil }
  }

  /// Begins merges that are due, and completes at once the merges that are no larger than a step.
  private func mergeSmallRuns() throws(FullTextError) -> Int {
    var spent = 0
    while true {
      beginMerges()
      let small = state.merges.firstIndex { merge in
        merge.inputs.reduce(0) { $0 + byteCount(of: $1.number) } <= stepSize
      }
      guard let small else { return spent }
      spent += try step(small, budget: .max)
    }
  }

  private func byteCount(of run: UInt32) -> Int {
    state.runs.first { $0.number == run }?.byteCount ?? 0
  }

  // MARK: Beginning

  private func beginMerges() {
    var isBusy: Set<UInt32> = []
    for merge in state.merges { for input in merge.inputs { isBusy.insert(input.number) } }
    var levels: [Int: [UInt32]] = [:]
    for run in state.runs where !run.isYoung && !isBusy.contains(run.number) {
      levels[run.level, default: []].append(run.number)
    }
    // One merge per level at a time: small runs do not wait for large ones.
    for (level, runs) in levels.sorted(by: { $0.key < $1.key })
    where runs.count >= RunDescription.fanout
      && !state.merges.contains(where: { $0.output.level == level + 1 && $0.inputs.count > 1 })
    {
      begin(Array(runs.prefix(Self.inputLimit)), level: level + 1)
      isBusy.formUnion(runs.prefix(Self.inputLimit))
    }
    // A run with mostly dead documents is rewritten.
    if state.merges.contains(where: { $0.inputs.count == 1 }) { return }
    let mostlyDead = state.runs.first {
      $0.deadCount > max($0.documentCount / 2, RunDescription.smallLimit)
        && !$0.isYoung && !isBusy.contains($0.number)
    }
    if let mostlyDead { begin([mostlyDead.number], level: mostlyDead.level) }
  }

  private func begin(_ numbers: [UInt32], level: Int) {
    var runs = state.runs.filter { numbers.contains($0.number) }
    // Runs without documents first: they have no IDs.
    runs.sort {
      ($0.documentCount == 0 ? 0 : 1, $0.minimumID) < ($1.documentCount == 0 ? 0 : 1, $1.minimumID)
    }
    var isDisjoint = true
    var last: UInt64?
    for run in runs where run.documentCount > 0 {
      if let last, run.minimumID <= last { isDisjoint = false }
      last = run.maximumID
    }
    let usesMaps = !isDisjoint || runs.contains { $0.deadCount > 0 }
    var output = RunDescription(number: state.nextRun)
    state.nextRun += 1
    output.level = level
    output.meanLength = state.meanLength
    var count = 0
    var inputs: [MergeDescription.Input] = []
    for run in runs {
      inputs.append(.init(number: run.number, base: UInt32(count)))
      count += usesMaps ? run.documentCount - run.deadCount : run.documentCount
    }
    output.isSmall = count <= RunDescription.smallLimit
    var maps: UInt32 = 0
    if usesMaps {
      maps = state.nextRun
      state.nextRun += 1
      for index in inputs.indices { inputs[index].base = 0 }
    }
    state.merges.append(MergeDescription(output: output, inputs: inputs, maps: maps))
  }

  // MARK: Steps

  /// Does a step of a merge, which ends after about `budget` bytes.
  ///
  /// - Returns: A measure of the work in bytes, at least 1.
  private func step(_ index: Int, budget: Int) throws(FullTextError) -> Int {
    var merge = state.merges[index]
    let readers = merge.inputs.compactMap { input in
      state.runs.first { $0.number == input.number }
        .map { RunReader(table, $0, isWeighted: settings.isWeighted, meanLength: 1) }
    }
    guard readers.count == merge.inputs.count else {
      throw .damaged(run: merge.output.number, "an input of a merge is missing")
    }
    var work = 1
    let start = table.writtenBytes
    if !merge.hasDocuments {
      var documents = try DocumentMerge(table, merge, readers)
      let isOneStep = budget == .max || merge.output.isSmall
      let limit = isOneStep ? Int.max : budget / Self.bytesPerDocument
      work += try documents.run(&merge, limit: limit) * Self.bytesPerDocument
    }
    var isFinished = false
    if merge.hasDocuments, work < budget {
      let terms = try TermMerge(table, merge, readers, settings, budget: budget - work)
      isFinished = try terms.run(&merge)
      work += terms.writtenBytes
    }
    merge.output.byteCount += table.writtenBytes - start
    merge.credit -= work
    if isFinished {
      state.merges.remove(at: index)
      finish(merge)
    } else {
      state.merges[index] = merge
    }
    return work
  }

  /// Replaces the inputs of a merge by its output in the list of runs.
  private func finish(_ merge: MergeDescription) {
    var output = merge.output
    let inputs = Set(merge.inputs.map(\.number))
    let inputBytes = inputs.reduce(0) { $0 + byteCount(of: $1) }
    let level = RunDescription.level(ofByteCount: output.byteCount)
    // The level rises even if the output is slightly too small for it, but not if most documents were dead.
    let rises = inputs.count > 1 && output.byteCount * 2 >= inputBytes
    output.level = rises ? max(level, output.level) : level
    state.runs.removeAll { inputs.contains($0.number) }
    state.dropped.append(contentsOf: inputs.sorted())
    if merge.maps != 0 { state.dropped.append(merge.maps) }
    if output.documentCount > 0 || output.byteCount > 0 { state.runs.append(output) }
  }

  private func removeDropped(limit: Int) throws(FullTextError) {
    var rest = limit
    while rest > 0, let run = state.dropped.last {
      let count = try table.remove(run, limit: rest)
      if count < rest { state.dropped.removeLast() }
      rest -= max(1, count)
    }
  }
}
