internal import ObjectBox

/// The groups that have been found so far, and the states of their aggregates.
///
/// One thread at a time may use it.
final class GroupTable {
  private let batch: RecordBatch
  private let keys: [any ValueNumbers]
  /// For each key but the first: the numbers of pairs of the group so far and the key's number.
  private var pairs: [KeyTable]
  private let accumulators: [(any Accumulator)?]
  private(set) var counts: [Int] = []
  private let groups: UnsafeMutablePointer<UInt32>
  private let others: UnsafeMutablePointer<UInt32>
  /// The error that ended the reading of this table.
  private(set) var error: (any Error)?

  init(_ plan: GroupPlan) throws {
    batch = RecordBatch(plan.columns)
    keys = try plan.keys.map(plan.numbers)
    pairs = [KeyTable](repeating: KeyTable(), count: plan.keys.count - 1)
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
      for index in 0..<batch.count {
        groups[index] = pairs[place].number(UInt64(groups[index]) << 32 | UInt64(others[index]))
      }
    }
  }

  /// Makes room for all groups.
  private func extend() {
    let count = pairs.last?.keys.count ?? keys[0].count
    counts.append(contentsOf: repeatElement(0, count: count - counts.count))
  }

  /// Adds the groups of another table of the same plan.
  func add(_ other: GroupTable) {
    error = error ?? other.error
    if error != nil { return }
    var groups = keys[0].numbers(ofAny: other.keys[0])
    for place in pairs.indices {
      let second = keys[place + 1].numbers(ofAny: other.keys[place + 1])
      groups = other.pairs[place].keys.map { pair in
        let first = UInt64(groups[Int(pair >> 32)])
        return pairs[place].number(first << 32 | UInt64(second[Int(pair & 0xFFFF_FFFF)]))
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

  /// Returns the values of the keys of a group.
  func key(_ group: Int) -> [GroupCell] {
    var cells: [GroupCell] = []
    var group = group
    for place in pairs.indices.reversed() {
      let pair = pairs[place].keys[group]
      cells.append(GroupCell(keys[place + 1].content(Int(pair & 0xFFFF_FFFF))))
      group = Int(pair >> 32)
    }
    cells.append(GroupCell(keys[0].content(group)))
    return cells.reversed()
  }

  /// Returns an aggregate of a group.
  func content(_ aggregate: Int, _ group: Int) throws -> GroupCell.Content {
    try accumulators[aggregate]?.content(group) ?? .integer(Int64(counts[group]))
  }
}
