import ObjectBox

extension FuzzTarget {
  /// Records of an entity; each part of the input follows its ID.
  static let record = FuzzTarget("record") {
    try FuzzStore.seeds { store in
      let records = try store.records("e1", ids: 1...17)
      var seeds: [String: [UInt8]] = [:]
      // Replaces a record without these values by one with values of every type.
      for (number, sample) in Thing.Sample.allCases.enumerated() {
        seeds["\(sample)"] = FuzzInput.part(records[12 + number], behind: 2)
      }
      func parts(_ range: Range<Int>, firstID: Int) -> [UInt8] {
        var input: [UInt8] = []
        for (id, number) in zip(UInt8(firstID)..., range) {
          input += FuzzInput.part(records[number], behind: id)
        }
        return input
      }
      seeds["types"] = parts(12..<17, firstID: 1)
      for (name, range) in [("one", 0..<1), ("three", 3..<6), ("all", 0..<12)] {
        seeds[name] = parts(range, firstID: range.lowerBound + 1)
      }
      return seeds
    }
  } body: { input, scratch in
    try FuzzStore(scratch).useRecords(input, of: "e1", atMost: 40)
  }

  /// The values of the system table: schema, layouts, former elements, sequences.
  static let schema = FuzzTarget("schema") {
    try FuzzStore.seeds { store in
      var seeds: [String: [UInt8]] = [:]
      for (number, key) in FuzzStore.describingKeys.enumerated() {
        let value = try store.value(key)
        seeds["key-\(number)"] = FuzzInput.part(value, behind: UInt8(number))
      }
      return seeds
    }
  } body: { input, scratch in
    var input = input
    let store = try FuzzStore(scratch)
    try store.change { transaction in
      while !input.isAtEnd {
        let key = FuzzStore.describingKeys[Int(input.byte()) % FuzzStore.describingKeys.count]
        try store.setValue(input.part(), of: key, in: transaction)
      }
      try store.writeDigest(in: transaction)
    }
    try store.use()
  }

  /// The nodes of a nearest-neighbour graph; each part of the input follows its ID.
  static let vectors = FuzzTarget("vectors") {
    try FuzzStore.seeds(.graph) { store in
      let graph = try store.records("v3", ids: 0...UInt64(FuzzStore.graphCount))
      let parts = graph.enumerated().map { FuzzInput.part($1, behind: UInt8($0)) }
      // A node begins with the number of its levels.
      let high = parts.indices.dropFirst().sorted { (graph[$0][0], $1) > (graph[$1][0], $0) }
      return [
        "all": parts.flatMap(\.self), "start": parts[0], "node": parts[3],
        "high": high.prefix(5).flatMap { parts[$0] }, "highest": parts[high[0]],
        "ends": parts[0] + parts[1] + parts[FuzzStore.graphCount],
        // Each node gets the links of its neighbour.
        "exchanged": graph.indices.dropFirst(2).prefix(12).flatMap {
          FuzzInput.part(graph[$0], behind: UInt8($0 - 1))
        },
      ]
    }
  } body: { input, scratch in
    try FuzzStore(scratch, .graph).useRecords(input, of: "v3", atMost: FuzzStore.graphCount + 1)
  }
}

extension FuzzTarget {
  /// The values of a full-text index; each part of the input follows the number of its row.
  static let words = FuzzTarget("words") {
    try FuzzStore.seeds(.words) { store in
      let parts = try store.wordRows().enumerated().map {
        FuzzInput.part($1.value, behind: UInt8(truncatingIfNeeded: $0))
      }
      var seeds = ["all": parts.flatMap(\.self)]
      for (number, part) in parts.enumerated() { seeds["row-\(number)"] = part }
      return seeds
    }
  } body: { input, scratch in
    var input = input
    let store = try FuzzStore(scratch, .words)
    let rows = try store.wordRows()
    try store.change { transaction in
      while !input.isAtEnd {
        let row = rows[Int(input.byte()) % rows.count]
        try store.setWordRow(input.part(), of: row.key, in: row.table, transaction)
      }
    }
    try store.use()
  }
}

extension FuzzStore {
  /// Keys of the system table.
  static let describingKeys = ["schema", "layouts/1", "retired", "sequence/1", "format"]

  /// Replaces records of a table by the parts of an input, by ID, and uses the store.
  func useRecords(_ input: FuzzInput, of table: String, atMost maximumCount: Int) throws {
    var input = input
    try change { transaction in
      var count = 0
      while !input.isAtEnd, count < maximumCount {
        let id = UInt64(input.byte())
        try setRecord(input.part(), id: id, of: table, in: transaction)
        count += 1
      }
    }
    try use()
  }

  /// Makes seeds from an unchanged store.
  static func seeds(
    _ kind: Kind = .objects,
    _ body: (FuzzStore) throws -> [String: [UInt8]]
  ) throws -> [String: [UInt8]] {
    let scratch = try Scratch()
    defer { scratch.remove() }
    return try body(try FuzzStore(scratch, kind))
  }
}
