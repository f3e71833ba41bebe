/// The transactions of a history, with an edge from each to the transactions that must follow it.
///
/// A chain of time nodes saves edges: a transaction that ended before another began reaches it
/// through the chain. That takes two edges per transaction instead of one per pair.
struct OrderGraph {
  private let names: [String]
  private var edges: [[Int]]

  init(_ check: HistoryCheck) {
    let transactions = check.history.transactions
    names = transactions.map(\.name)
    edges = Array(repeating: [], count: transactions.count)
    addDependencies(check)
    addTimes(transactions)
    addVersions(transactions)
  }

  private mutating func addDependencies(_ check: HistoryCheck) {
    for (index, transaction) in check.history.transactions.enumerated()
    where transaction.isCommitted {
      for (register, value) in transaction.outerReads {
        // A reader follows the writer of its value, and precedes the writer of the next value.
        if let writer = check.writers[register]?[value]?.transaction, writer != index {
          edges[writer].append(index)
        }
        if let next = check.successors[register]?[value], next != index {
          edges[index].append(next)
        }
      }
    }
  }

  private mutating func addTimes(_ transactions: [History.Transaction]) {
    let committed = transactions.indices.filter { transactions[$0].isCommitted }
    let ends = committed.sorted { transactions[$0].end < transactions[$1].end }
    let begins = committed.sorted { transactions[$0].begin < transactions[$1].begin }
    var node: Int?
    var position = 0
    for begun in begins {
      while position < ends.count, transactions[ends[position]].end < transactions[begun].begin {
        let next = edges.count
        edges.append([])
        edges[ends[position]].append(next)
        if let node { edges[node].append(next) }
        node = next
        position += 1
      }
      if let node { edges[node].append(begun) }
    }
  }

  /// Adds the order of commits with different versions; commits of a group share a version.
  private mutating func addVersions(_ transactions: [History.Transaction]) {
    var groups: [Int: [Int]] = [:]
    for (index, transaction) in transactions.enumerated()
    where transaction.isCommitted && transaction.isWriter {
      if let version = transaction.version { groups[version, default: []].append(index) }
    }
    var last: Int?
    for version in groups.keys.sorted() {
      let members = groups[version] ?? []
      if let last { for member in members { edges[last].append(member) } }
      let node = edges.count
      edges.append([])
      for member in members { edges[member].append(node) }
      last = node
    }
  }

  /// Returns the names of transactions in a cycle; nil when there is none.
  func cycle() -> [String]? {
    var degrees = Array(repeating: 0, count: edges.count)
    for targets in edges { for target in targets { degrees[target] += 1 } }
    var free = degrees.indices.filter { degrees[$0] == 0 }
    var left = edges.count
    while let node = free.popLast() {
      left -= 1
      for target in edges[node] {
        degrees[target] -= 1
        if degrees[target] == 0 { free.append(target) }
      }
    }
    guard left > 0, let start = degrees.firstIndex(where: { $0 > 0 }) else { return nil }
    return circle(from: start, among: degrees)
  }

  /// Walks backwards among blocked nodes until one repeats.
  private func circle(from start: Int, among degrees: [Int]) -> [String] {
    var before: [Int: Int] = [:]
    for (node, targets) in edges.enumerated() where degrees[node] > 0 {
      for target in targets where degrees[target] > 0 { before[target] = node }
    }
    var path: [Int] = []
    var places: [Int: Int] = [:]
    var node = start
    while places[node] == nil {
      places[node] = path.count
      path.append(node)
      guard let previous = before[node] else { break }
      node = previous
    }
    let circle = path[(places[node] ?? 0)...].reversed()
    return circle.filter { $0 < names.count }.map { names[$0] }
  }
}
