import CObjectBoxPages
import CObjectBoxRecords
import Foundation
import ObjectBoxRuntimeTestSupport
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

@testable import ObjectBox

/// Filters exist twice, in Swift for single records and in C for scans.
///
/// Both must agree on any bytes.
struct ScanFilterTests {
  /// The answers of the C loops, up to the first damaged record; nil when C does not know a test.
  private func inC(
    _ filter: RecordFilter,
    _ records: [[UInt8]],
    _ table: RecordTable,
    keeps: Bool
  ) -> (passed: [Int], tested: Int)? {
    guard let program = filter.program(for: table) else { return nil }
    // Exact copies, so that the address sanitizer sees reads beyond a record.
    let copies = records.map { record in
      let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: record.count)
      copy.initialize(from: record, count: record.count)
      return copy
    }
    let ids = UnsafeMutablePointer<UInt64>.allocate(capacity: records.count)
    defer {
      for copy in copies { copy.deallocate() }
      ids.deallocate()
    }
    var entries: [obx_pages_entry] = []
    for (index, copy) in copies.enumerated() {
      ids[index] = UInt64(index + 1)
      entries.append(
        obx_pages_entry(
          key: UnsafeRawPointer(ids + index).assumingMemoryBound(to: UInt8.self),
          value: copy,
          key_size: 8,
          value_size: UInt32(records[index].count)
        )
      )
    }
    var tested = 0
    guard keeps else {
      let count = obx_filter_count(program.filter, entries, entries.count, &tested)
      return (Array(repeating: 0, count: count), tested)
    }
    let count = obx_filter_keep(program.filter, &entries, entries.count, &tested)
    let passed = entries[..<count].map { entry in
      UnsafeRawPointer(entry.key ?? UnsafePointer(copies[0])).loadUnaligned(as: UInt64.self)
    }
    if tested < records.count { #expect(entries[tested].value == UnsafePointer(copies[tested])) }
    return (passed.map { Int($0) - 1 }, tested)
  }

  private func inSwift(
    _ filter: RecordFilter,
    _ records: [[UInt8]],
    _ table: RecordTable
  ) -> (passed: [Int], tested: Int) {
    var passed: [Int] = []
    for (index, record) in records.enumerated() {
      let passes = record.withUnsafeBytes { bytes in
        (try? table.reader(bytes, id: UInt64(index + 1))).map { filter.test.passes($0) }
      }
      guard let passes else { return (passed, index) }
      if passes { passed.append(index) }
    }
    return (passed, records.count)
  }

  private func tree(_ depth: Int, _ random: inout SplitMix) -> QueryCondition<Sample> {
    guard depth > 0, Int.random(in: 0..<3, using: &random) > 0 else {
      return Int.random(in: 0..<12, using: &random) == 0
        ? Sample.id == 3 : RandomSamples.leaf(&random).0
    }
    let (left, right) = (tree(depth - 1, &random), tree(depth - 1, &random))
    return Bool.random(using: &random) ? left && right : left || right
  }

  private func records(_ random: inout SplitMix) throws -> (SampleStore, EntityTable, [[UInt8]]) {
    let store = try SampleStore(.init())
    let samples = (0..<60).map { _ in
      let sample = Sample()
      sample.number = Bool.random(using: &random) ? random.pick(RandomSamples.numbers) : nil
      sample.size = random.pick(RandomSamples.sizes)
      sample.text = Bool.random(using: &random) ? random.pick(RandomSamples.texts) : nil
      sample.date = Bool.random(using: &random) ? random.pick(RandomSamples.dates) : nil
      sample.weight = Bool.random(using: &random) ? random.pick(RandomSamples.weights) : nil
      sample.key = Bool.random(using: &random) ? random.pick(RandomSamples.keys) : nil
      return sample
    }
    try store.samples.put(samples)
    let table = try store.samples.table()
    let records = try store.samples.reading { table, transaction in
      try samples.map { try table.bytes(of: $0.id, in: transaction.storage) ?? [] }
    }
    return (store, table, records)
  }

  @Test(arguments: 0..<12)
  func `both forms pass the same records, of any bytes`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    let (store, table, genuine) = try records(&random)
    defer { store.store.close() }
    var knownCount = 0
    for _ in 0..<300 {
      let condition = tree(2, &random).condition
      let filter = try RecordFilter(condition, entity: table.schema, links: [])
      var records = genuine.shuffled(using: &random)
      if Bool.random(using: &random) {
        for index in records.indices where Int.random(in: 0..<4, using: &random) == 0 {
          // Keeps the layout number, without which there is nothing to test.
          let place = Int.random(in: 2..<records[index].count, using: &random)
          records[index][place] = UInt8.random(in: 0...255, using: &random)
        }
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        let index = records.indices.randomElement(using: &random) ?? 0
        let size = Int.random(in: 0..<records[index].count, using: &random)
        records[index] = Array(records[index][..<size])
      }
      let expected = inSwift(filter, records, table.records)
      guard let kept = inC(filter, records, table.records, keeps: true),
        let counted = inC(filter, records, table.records, keeps: false)
      else { continue }
      knownCount += 1
      #expect(kept.passed == expected.passed, "\(condition)")
      #expect(kept.tested == expected.tested, "\(condition)")
      #expect(counted.passed.count == expected.passed.count, "\(condition)")
      #expect(counted.tested == expected.tested, "\(condition)")
    }
    #expect(knownCount > 60)
  }

  @Test func `a text is found at each place, whatever stands around it`() throws {
    var random = SplitMix(seed: 1)
    let store = try SampleStore(.init())
    func text(shorterThan end: Int) -> String {
      let letters = (0..<Int.random(in: 0..<end, using: &random)).map { _ in
        random.pick(["a", "b"])
      }
      return letters.joined()
    }
    let samples = (0..<400).map { _ in
      let sample = Sample()
      sample.text = text(shorterThan: 40)
      return sample
    }
    try store.samples.put(samples)
    for _ in 0..<100 {
      let part = text(shorterThan: 12)
      let found = try store.samples.query { Sample.text.contains(part) }.build().findIds()
      let expected = samples.filter { sample in
        part.isEmpty || Array((sample.text ?? "").utf8).firstRange(of: Array(part.utf8)) != nil
      }
      #expect(found.map(\.value) == expected.map(\.id), "'\(part)'")
    }
  }

  @Test func `results before a damaged record are found, those behind are not`() throws {
    let store = try SampleStore(.init())
    let samples = (0..<200).map { index in
      let sample = Sample()
      sample.number = Int32(index)
      return sample
    }
    try store.samples.put(samples)
    try store.samples.writing { writer, _ in
      try writer.transaction.storage.put(
        writer.table.records.objects,
        id: samples[150].id,
        record: UnsafeRawBufferPointer(start: nil, count: 0)
      )
    }
    let query = try store.samples.query { Sample.number >= 100 }.build()
    #expect(try query.find(limit: 50).map(\.id) == samples[100..<150].map(\.id))
    #expect(try query.findFirst()?.id == samples[100].id)
    func isDamage(_ error: any Error) -> Bool {
      if case ObjectBoxError.fileCorrupt = error { true } else { false }
    }
    #expect(performing: { try query.find(limit: 51) }, throws: isDamage)
    #expect(performing: { try query.find() }, throws: isDamage)
    #expect(performing: { try query.findIds() }, throws: isDamage)
    #expect(performing: { try query.count() }, throws: isDamage)
  }
}
