internal import ObjectBoxStorage

extension VectorGraph {
  /// Returns the faults of the graph, in itself and compared with the records; empty for none.
  ///
  /// For tests and checks: it reads all nodes and records.
  package func faults() throws -> [String] {
    try write()
    var faults: [String] = []
    let nodeIDs = Set(try nodeIDs())
    if nodeIDs.count != count { faults.append("\(nodeIDs.count) nodes, counted as \(count)") }
    var vectorIDs: Set<UInt64> = []
    try records.forEach(in: storage) { record in
      if definition.vector(in: record) != nil { vectorIDs.insert(record.id) }
    }
    if nodeIDs != vectorIDs {
      faults.append("nodes and objects differ: \(nodeIDs.symmetricDifference(vectorIDs).sorted())")
    }
    for id in nodeIDs.sorted() { faults += try linkFaults(of: slot(of: id)) }
    return faults + (try reachabilityFaults(nodeIDs))
  }

  /// Returns the greatest number of links that a node has on one level; 0 without nodes.
  ///
  /// For tests: it reads all nodes.
  package func largestLinkCount() throws -> Int {
    try write()
    var largest = 0
    for slot in try nodeIDs().map(slot(of:)) {
      guard try hasLinks(slot), let lists = node(slot).pointee.lists else { continue }
      for level in 0..<node(slot).pointee.levelCount { largest = max(largest, lists[level].count) }
    }
    return largest
  }

  /// Returns the faults of the links of one node.
  private func linkFaults(of slot: UInt32) throws -> [String] {
    guard try hasLinks(slot), let lists = node(slot).pointee.lists else { return [] }
    let id = node(slot).pointee.id
    var faults: [String] = []
    for level in 0..<node(slot).pointee.levelCount {
      let list = lists[level]
      let neighbors = (0..<list.count).map { list.slots[$0] }
      if Set(neighbors).count != neighbors.count || neighbors.contains(slot) {
        faults.append("object \(id) is linked twice or with itself on level \(level)")
      }
      for neighbor in neighbors {
        guard try hasLinks(neighbor), level < node(neighbor).pointee.levelCount,
          try links(neighbor, level: level).pointee.contains(slot)
        else {
          faults.append(
            "object \(id) leads to \(node(neighbor).pointee.id) on level \(level) one way"
          )
          continue
        }
      }
    }
    return faults
  }

  private func reachabilityFaults(_ ids: Set<UInt64>) throws -> [String] {
    guard let entry else { return ids.isEmpty ? [] : ["nodes without a beginning"] }
    var faults: [String] = []
    for level in 0...(topLevel + 1) {
      let expected = try ids.filter { id in
        let slot = slot(of: id)
        return try hasLinks(slot) && node(slot).pointee.levelCount > level
      }
      guard level <= topLevel else {
        if !expected.isEmpty { faults.append("\(expected.count) nodes above the highest level") }
        continue
      }
      var reached: Set<UInt32> = [entry]
      var open = [entry]
      while let slot = open.popLast() {
        let list = try links(slot, level: level).pointee
        for index in 0..<list.count where reached.insert(list.slots[index]).inserted {
          open.append(list.slots[index])
        }
      }
      if reached.count != expected.count {
        faults.append("level \(level): \(reached.count) of \(expected.count) nodes are reached")
      }
    }
    return faults
  }

  #if OBJECTBOX_INTERNAL_CHECKS
    /// Traps unless the links of all changed nodes go both ways.
    func checkInvariants() throws {
      for slot in changed {
        let faults = try linkFaults(of: slot)
        precondition(faults.isEmpty, "\(definition.property.name): \(faults)")
      }
    }
  #endif
}
