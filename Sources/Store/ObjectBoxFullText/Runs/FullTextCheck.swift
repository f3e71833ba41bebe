package import ObjectBoxStorage

/// Checks an index: reads all its values, and compares them with each other.
///
/// Damaged bytes are reported, and never read out of bounds.
package struct FullTextCheck {
  /// The greatest number of findings of one index.
  private static let limit = 20

  private let table: IndexTable
  /// Names a term in a finding.
  private let name: (String) -> String
  private var findings: [FullTextError] = []
  private var sum = FullTextSum()

  /// Returns the faults of an index; none for tables without an index.
  ///
  /// Takes a multiple of the time to read the index, 4 bytes of memory for each document, and 8 more for each live one.
  ///
  /// - Parameters:
  ///   - tables: The tables of the index.
  ///   - transaction: The transaction.
  ///   - expected: The sum over the texts that the index should have; nil if unknown.
  ///   - name: Names a term, which may be secret, in a finding.
  /// - Returns: The findings.
  package static func run(
    _ tables: FullTextTables,
    _ transaction: StorageTransaction,
    expecting expected: FullTextSum? = nil,
    naming name: @escaping (String) -> String = { "the term '\($0)'" }
  ) -> [FullTextError] {
    var check = FullTextCheck(IndexTable(tables, transaction, isWriting: false), name)
    check.guarded { check throws(FullTextError) in
      try check.run()
      guard check.findings.isEmpty, let expected, expected != check.sum else { return }
      throw .damaged(run: 0, "its words are not those of the objects")
    }
    return check.findings
  }

  private init(_ table: IndexTable, _ name: @escaping (String) -> String) {
    self.table = table
    self.name = name
  }

  private mutating func guarded(
    _ body: (inout FullTextCheck) throws(FullTextError) -> Void
  ) {
    do { try body(&self) } catch { add(error) }
  }

  private mutating func add(_ finding: FullTextError) {
    if findings.count < Self.limit { findings.append(finding) }
  }

  private mutating func run() throws(FullTextError) {
    guard let settings = try FullTextSettings.read(table) else {
      let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
      for besideState in [false, true]
      where try table.row(from: nothing, besideState: besideState) != nil {
        throw .damaged(run: 0, "the header is missing")
      }
      return
    }
    guard let state = try IndexState.read(table) else {
      throw .damaged(run: 0, "the state is missing")
    }
    guarded { check throws(FullTextError) in try check.checkKeys(state) }
    guarded { check throws(FullTextError) in try check.checkRuns(state, settings) }
    for merge in state.merges {
      guarded { check throws(FullTextError) in try check.checkMerge(merge, state, settings) }
    }
  }

  // MARK: Keys

  /// Checks that each value belongs to a run and has one of its kinds.
  private mutating func checkKeys(_ state: IndexState) throws(FullTextError) {
    var known = Set(state.runs.map(\.number) + state.dropped)
    for merge in state.merges {
      known.insert(merge.output.number)
      known.insert(merge.maps)
    }
    let unique = state.runs.count + state.merges.count
    // Zero also stands for a merge without maps.
    known.subtract(RecentRun.numbers)
    guard Set(state.runs.map(\.number) + state.merges.map(\.output.number)).count == unique,
      known.allSatisfy({ $0 < state.nextRun })
    else { throw .damaged(run: 0, "the numbers of runs") }
    let young = Set(state.runs.lazy.filter(\.isYoung).map(\.number))
    try checkKeys(of: known, alone: [.header], besideState: false)
    try checkKeys(of: young, alone: [.state], besideState: true)
  }

  /// Checks the keys of a table.
  ///
  /// - Parameters:
  ///   - known: The runs that have their values in the table.
  ///   - alone: The kinds of the table's values that belong to the index itself.
  ///   - besideState: Whether the table is the table of the state.
  /// - Throws: ``FullTextError`` when the table cannot be read.
  private mutating func checkKeys(
    of known: Set<UInt32>,
    alone: Set<ValueKind>,
    besideState: Bool
  ) throws(FullTextError) {
    var key: [UInt8] = [0]
    while true {
      let row = try key.withBytes { key throws(FullTextError) in
        try table.row(from: key, besideState: besideState)
      }
      guard let row else { return }
      checkKey(row.key, known, alone)
      key = row.key + [0]
    }
  }

  private mutating func checkKey(
    _ key: UnsafeRawBufferPointer,
    _ known: Set<UInt32>,
    _ alone: Set<ValueKind>
  ) {
    guard key.count >= 5, let kind = ValueKind(rawValue: key[4]) else {
      return add(.damaged(run: 0, "an unknown key"))
    }
    let run = UInt32(bigEndian: key.loadUnaligned(as: UInt32.self))
    let isOfIndex = kind == .header || kind == .state
    guard isOfIndex ? run == 0 && alone.contains(kind) : known.contains(run),
      kind == .terms || key.count == 9
    else { return add(.damaged(run: run, "an unknown key of kind '\(kind)'")) }
  }

  // MARK: Runs

  private mutating func checkRuns(
    _ state: IndexState,
    _ settings: FullTextSettings
  ) throws(FullTextError) {
    var checks: [RunCheck] = []
    var ids: [UInt64] = []
    for run in state.runs {
      guarded { check throws(FullTextError) in
        let reader = RunReader(
          check.table,
          run,
          isWeighted: settings.isWeighted,
          meanLength: state.meanLength
        )
        var runCheck = try RunCheck(reader, settings)
        try runCheck.checkDocuments { ids.append($0) }
        checks.append(runCheck)
      }
    }
    // Totals that depend on damaged runs are not compared.
    guard checks.count == state.runs.count else { return }
    try checkTerms(&checks)
    for check in checks { guarded { _ throws(FullTextError) in try check.checkLengths() } }
    guard ids.count == state.objectCount else {
      throw .damaged(run: 0, "\(ids.count) live objects, but \(state.objectCount) are counted")
    }
    ids.sort()
    for index in ids.indices.dropFirst() where ids[index] == ids[index - 1] {
      throw .damaged(run: 0, "object \(ids[index]) is in two runs")
    }
    let words = checks.reduce(0) { $0 + $1.liveWordCount }
    // Lengths are cut to 65,535.
    guard words <= state.wordCount,
      words == state.wordCount || checks.contains(where: \.hasCutLength)
    else { throw .damaged(run: 0, "\(words) words, but \(state.wordCount) are counted") }
  }

  /// Checks the terms of all runs, and each term's count.
  private mutating func checkTerms(_ checks: inout [RunCheck]) throws(FullTextError) {
    var dictionaries: [DictionaryCursor] = []
    for check in checks {
      let dictionary = DictionaryCursor(table, check.reader.number)
      try dictionary.first()
      dictionaries.append(dictionary)
    }
    while true {
      let valid = dictionaries.filter(\.isValid)
      guard let least = valid.min(by: { isLess($0.term, $1.term) }) else { return }
      let term = [UInt8](least.term)
      var difference = 0
      for index in dictionaries.indices where dictionaries[index].isValid {
        let dictionary = dictionaries[index]
        guard dictionary.term.elementsEqual(term) else { continue }
        let cursor = try PostingsCursor(checks[index].reader, dictionary)
        let hash = term.withUnsafeBytes { FullTextSum.hash(of: $0) }
        let found = try checks[index].check(cursor, of: hash, into: &sum)
        difference += cursor.count - cursor.deadCount - found
        if dictionary.isValid {
          let ascends = term.withBytes { isLess($0, dictionary.term) }
          guard ascends else { throw checks[index].reader.damage("its terms do not ascend") }
        }
      }
      if difference != 0 {
        let name = name(String(decoding: term, as: UTF8.self))
        add(.damaged(run: 0, "the count of \(name) is off by \(difference)"))
      }
    }
  }

  // MARK: Merges

  /// Checks the values that a merge has written.
  private mutating func checkMerge(
    _ merge: MergeDescription,
    _ state: IndexState,
    _ settings: FullTextSettings
  ) throws(FullTextError) {
    let output = RunReader(
      table,
      merge.output,
      isWeighted: settings.isWeighted,
      meanLength: state.meanLength
    )
    for (index, input) in merge.inputs.enumerated() {
      guard let run = state.runs.first(where: { $0.number == input.number }),
        Int(input.passedCount) <= run.documentCount
      else { throw output.damage("an input of its merge") }
      let reader = RunReader(table, run, isWeighted: settings.isWeighted, meanLength: 1)
      let map = OrdinalMap(table, merge, input: index)
      for ordinal in 0..<input.passedCount {
        var place = ordinal
        var mapped: UInt32 = 0
        try map.map(&place, 1, to: &mapped)
        if mapped == .max { continue }
        guard Int(mapped) < output.documentCount,
          try output.id(of: mapped) == reader.id(of: ordinal)
        else { throw output.damage("the map of an input of its merge") }
      }
    }
    guard merge.hasDocuments else { return }
    var check = try RunCheck(output, settings)
    try check.checkDocuments { _ in }
    let dictionary = DictionaryCursor(table, output.number)
    try dictionary.first()
    while dictionary.isValid {
      let term = [UInt8](dictionary.term)
      var ignored = FullTextSum()
      _ = try check.check(PostingsCursor(output, dictionary), into: &ignored)
      guard !dictionary.isValid || term.withBytes({ isLess($0, dictionary.term) }) else {
        throw output.damage("its terms do not ascend")
      }
    }
  }
}
