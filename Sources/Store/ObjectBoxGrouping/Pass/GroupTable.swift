internal import ObjectBox

/// The groups that have been found so far, and the states of their aggregates.
///
/// One thread at a time may use it.
package final class GroupTable {
  let plan: GroupPlan
  private let batch: RecordBatch
  private let keys: [any ValueNumbers]
  /// For each key but the first: the numbers of pairs of the group so far and the key's number.
  private let pairs: [PairTable]
  private let accumulators: [(any Accumulator)?]
  private(set) var counts: [Int] = []
  private let groups: UnsafeMutablePointer<UInt32>
  private let others: UnsafeMutablePointer<UInt32>
  /// The error that ended the reading of this table.
  private(set) var error: (any Error)?

  package init(_ plan: GroupPlan) throws {
    self.plan = plan
    batch = RecordBatch(plan.columns)
    keys = try plan.keys.map { try plan.numbers(of: $0, showsTexts: true) }
    pairs = plan.keys.dropFirst().map { _ in PairTable() }
    accumulators = try plan.aggregates.map(plan.accumulator)
    groups = .allocate(capacity: RecordBatch.capacity)
    others = .allocate(capacity: RecordBatch.capacity)
  }

  deinit {
    groups.deallocate()
    others.deallocate()
  }

  /// Adds a record, which need not stay valid.
  func add(_ record: RecordReader) {
    batch.append(record)
    if batch.isFull { flush() }
  }

  /// Adds records.
  ///
  /// Their transaction must not end before the next call of `flush`.
  ///
  /// - Parameters:
  ///   - run: The records.
  ///   - reader: Reads the columns of the plan.
  func add(_ run: RecordRun, _ reader: RecordColumns) {
    var begin = 0
    while begin < run.count {
      begin = batch.append(run, from: begin, reader)
      if batch.isFull { flush() }
    }
  }

  /// Adds a record that stands for several ones with equal values.
  func add(_ record: RecordReader, count: Int) {
    flush()
    batch.append(record)
    flush()
    if error == nil { counts[Int(groups[0])] += count - 1 }
  }

  /// Adds the records that are still in the batch.
  func flush() {
    defer { batch.removeAll() }
    if error != nil || batch.count == 0 { return }
    do { try number() } catch {
      self.error = error
      return
    }
    extend()
    counts.withUnsafeMutableBufferPointer { counts in
      for index in 0..<batch.count { counts[Int(groups[index])] += 1 }
    }
    for accumulator in accumulators {
      accumulator?.add(batch, groups, groupCount: counts.count)
    }
  }

  private func number() throws {
    try keys[0].number(batch, into: groups)
    for place in pairs.indices {
      try keys[place + 1].number(batch, into: others)
      pairs[place].number(groups, others, count: batch.count, ends: ends(place))
    }
  }

  /// Returns the ends of the numbers that the pairs at a place consist of.
  private func ends(_ place: Int) -> (Int, Int) {
    (place == 0 ? keys[0].count : pairs[place - 1].count, keys[place + 1].count)
  }

  /// Returns the number of the group with given values of the columns.
  func number(_ values: [BatchValue?]) throws -> UInt32 {
    defer { batch.removeAll() }
    batch.append(values)
    try number()
    return groups[0]
  }

  /// Adds a result of a database to an existing group.
  func add(_ part: GroupPart, to group: UInt32) {
    counts[Int(group)] += part.count
    for (accumulator, state) in zip(accumulators, part.states) {
      accumulator?.add(state, Int(group), groupCount: counts.count)
    }
  }

  /// Makes room for all groups.
  func extend() {
    let count = pairs.last?.count ?? keys[0].count
    counts.append(contentsOf: repeatElement(0, count: count - counts.count))
  }

  /// Adds the groups of another table of the same plan.
  func add(_ other: GroupTable) {
    error = error ?? other.error
    if error != nil { return }
    var groups = keys[0].numbers(ofAny: other.keys[0])
    for place in pairs.indices {
      let second = keys[place + 1].numbers(ofAny: other.keys[place + 1])
      let found = other.pairs[place].pairs
      let seconds = found.map { second[Int($0 & 0xFFFF_FFFF)] }
      groups = found.map { groups[Int($0 >> 32)] }
      groups.withUnsafeMutableBufferPointer { groups in
        guard let base = groups.baseAddress else { return }
        pairs[place].number(base, seconds, count: groups.count, ends: ends(place))
      }
    }
    extend()
    for (group, count) in zip(groups, other.counts) { counts[Int(group)] += count }
    func add<A: Accumulator>(_ own: A, _ other: any Accumulator) {
      if let other = other as? A { own.add(other, groups, groupCount: counts.count) }
    }
    for (own, other) in zip(accumulators, other.accumulators) {
      if let own, let other { add(own, other) }
    }
  }

  // MARK: Results

  /// Returns the numbers of the values of each key, by groups.
  func keyNumbers() -> [[UInt32]] {
    var groups = counts.indices.map { UInt32($0) }
    var numbers: [[UInt32]] = []
    for place in pairs.indices.reversed() {
      let pairs = pairs[place].pairs
      numbers.append(groups.map { UInt32(truncatingIfNeeded: pairs[Int($0)]) })
      groups = groups.map { UInt32(pairs[Int($0)] >> 32) }
    }
    numbers.append(groups)
    return numbers.reversed()
  }

  /// Returns the value of a key, by its number.
  func key(_ place: Int, _ number: UInt32) -> GroupCell {
    GroupCell(keys[place].content(Int(number)))
  }

  /// Returns numbers in the order of the groups' keys, equal ones for equal keys.
  func keyRanks() -> [UInt64] {
    let numbers = keyNumbers()
    var ranks = [UInt64](repeating: 0, count: counts.count)
    for (place, key) in keys.enumerated() {
      // Two ranks fit into one number.
      if place > 1 { ranks = ranks.dense() }
      let own = key.ranks()
      for group in ranks.indices {
        ranks[group] = ranks[group] << 32 | own[Int(numbers[place][group])]
      }
    }
    return ranks
  }

  /// Returns an aggregate of a group.
  func content(_ aggregate: Int, _ group: Int) throws -> GroupCell.Content {
    try accumulators[aggregate]?.content(group) ?? .integer(Int64(counts[group]))
  }
}
