import ObjectBoxFullText
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// Indexes whose terms have several segments, and whose documents have several chunks.
struct LargeIndexTests {
  private static let count = 20_000

  /// Makes an index with a word in every object, and removes a part of the objects.
  private func makeModel(_ factor: UInt64, stepSize: Int) throws -> IndexModel {
    let model = try IndexModel()
    model.stepSize = stepSize
    try model.write {
      for index in 1...Self.count {
        try model.put(UInt64(index) * factor, index % 7 == 0 ? "all seven" : "all n\(index % 50)")
      }
    }
    return model
  }

  @Test(arguments: [1, 40, 1 << 40])
  func `terms of many segments are found after merges in steps`(factor: Int) throws {
    let factor = UInt64(factor)
    let model = try makeModel(factor, stepSize: 3000)
    var random = SplitMix(seed: 9)
    // Most are dead, so the run is written anew, while others die.
    try model.write {
      for index in 1...Self.count where index % 9 < 5 { try model.remove(UInt64(index) * factor) }
    }
    for _ in 0..<25 {
      try model.write {
        for _ in 0..<40 {
          let id = UInt64.random(in: 1...UInt64(Self.count), using: &random) * factor
          if Bool.random(using: &random) {
            try model.remove(id)
          } else {
            try model.put(id + UInt64.random(in: 0..<factor, using: &random), "all new")
          }
        }
      }
    }
    try model.verify()
    try model.write { try model.mergeAll() }
    try model.verify()
  }

  @Test(arguments: [90, 100, 126, 127, 128])
  func `postings that grow out of an entry in the order of IDs are kept`(count: Int) throws {
    let model = try IndexModel()
    // Each of these has a place of one byte in the order of puts, and of two in that of IDs.
    let spacing = 70
    try model.write {
      for index in (1...count).reversed() {
        try model.put(UInt64(index * spacing), [("rare", 200 + UInt32(index)), ("other", 300)])
      }
      for id in 1...count * spacing where id % spacing != 0 { try model.put(UInt64(id), "other") }
    }
    try model.verify()
    // The last objects are in the output of a merge with others between them.
    try model.write {
      for index in 1...count / 2 {
        try model.put(UInt64(index * spacing + 1), [("rare", 5), ("other", 6)])
      }
    }
    try model.write { try model.mergeAll() }
    try model.verify()
  }

  @Test func `runs of ascending IDs are merged while objects are removed`() throws {
    let model = try makeModel(1, stepSize: 3000)
    for part in 1..<9 {
      try model.write {
        for index in 1...Self.count / 8 {
          let id = UInt64(part * Self.count + index)
          try model.put(id, "all p\(part)")
        }
        // In the same run, so that terms of several segments have dead counts.
        for index in 1...20 { try model.remove(UInt64((part - 1) * Self.count + index * 90)) }
      }
    }
    try model.verify()
    // Small runs, so that steps end inside the term.
    for index in 1...40 {
      try model.write {
        try model.remove(UInt64(index))
        for place in 0..<150 { try model.put(UInt64(Self.count * 10 + index * 150 + place), "all") }
      }
    }
    try model.verify()
    try model.write { try model.mergeAll() }
    try model.verify()
  }

  @Test func `blocks are skipped to any ordinal`() throws {
    let model = try makeModel(1, stepSize: 3000)
    let read = try model.beginRead()
    defer { read.abort() }
    let run = try #require(try FullTextReader(model.tables, read).runs.first)
    var random = SplitMix(seed: 2)
    for _ in 0..<20 {
      let term = Array("all".utf8)
      let cursor = try #require(try term.withUnsafeBytes { try run.postings(of: $0) })
      var ordinal: UInt32 = 0
      while ordinal < UInt32(Self.count) {
        ordinal += UInt32.random(in: 0..<4000, using: &random)
        guard try cursor.skipBlocks(to: ordinal) else { break }
        try cursor.decode()
        #expect(cursor.ordinals[0] <= ordinal)
        #expect(cursor.blockLast >= ordinal)
        #expect(cursor.segmentLast >= cursor.blockLast)
      }
      #expect(ordinal >= UInt32(Self.count))
      let hasBlock = try cursor.skipBlocks(to: ordinal)
      #expect(!hasBlock)
    }
  }
}
