import Dispatch
import Foundation
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

@testable import ObjectBox

/// Scans of many objects, which several threads read; run under the thread sanitizer as well.
struct SplitScanConcurrencyTests {
  /// Some more than the least that is split.
  private static let count = SplitScan.minimumCount + 700

  private func filled() throws -> SampleStore {
    let store = try SampleStore(.init())
    var random = SplitMix(seed: 7)
    let samples = (0..<Self.count + 300).map { index in
      let sample = Sample()
      sample.number = index % 10 == 0 ? nil : Int32(index % 1000)
      sample.size = UInt32.max - UInt32(index % 7)
      sample.weight = index % 11 == 0 ? nil : Double.random(in: -1e9...1e9, using: &random)
      sample.text = index % 3 == 0 ? "needle \(index)" : nil
      return sample
    }
    try store.samples.put(samples)
    // A gap, and parts without a single object.
    try store.samples.remove(Array(samples[50_000..<50_300]))
    return store
  }

  /// The answers of a query and of its properties.
  private func answers(_ query: Query<Sample>) throws -> [String] {
    let number = query.property(Sample.number)
    let size = query.property(Sample.size)
    let weight = query.property(Sample.weight)
    return [
      "\(try query.count())", "\(try query.findIds().hashValue)",
      "\(try query.find().map(\.id).hashValue)",
      "\(try number.sum()) \(try number.min()) \(try number.max()) \(try number.average())",
      "\(try number.count()) \(try query.property(Sample.text).count()) \(try weight.count())",
      "\(try size.sumUnsigned()) \(try size.min()) \(try size.max())",
      "\(try weight.sum().bitPattern) \(try weight.min()) \(try weight.max())",
      "\(try query.property(Sample.number).distinct().count())",
      "\(try query.property(Sample.number).distinct().sum())",
    ]
  }

  @Test func `several threads find what one thread finds, in the same order`() throws {
    let store = try filled()
    let samples = store.samples
    let isSplit = try samples.reading { table, transaction in
      try SplitScan(table, count: Self.count, in: transaction) != nil
    }
    #expect(isSplit || ProcessInfo.processInfo.activeProcessorCount == 1)
    let queries = [
      try samples.query { Sample.number ∈ 100...299 }.build(),
      try samples.query { Sample.text.contains("needle 1") || Sample.number == 7 }.build(),
      try samples.query { Sample.number < 0 }.build(),
      try samples.query().build(),
      try samples.query { Sample.number > 500 }.ordered(by: Sample.id, flags: .descending).build(),
    ]
    for query in queries {
      let split = try answers(query)
      // A write transaction reads through LMDB, by one thread.
      let whole = try store.store.runInTransaction { try answers(query) }
      #expect(split == whole, "\(query)")
    }
  }

  @Test func `the first damaged record gives the error, as for one thread`() throws {
    let store = try filled()
    let ids: [Id] = [170_001, 90_001, 90_002]
    try store.samples.writing { writer, _ in
      for id in ids {
        try writer.transaction.storage.put(
          writer.table.records.objects,
          id: id,
          record: UnsafeRawBufferPointer(start: nil, count: 0)
        )
      }
    }
    let query = try store.samples.query { Sample.number == 7 }.build()
    let calls: [() throws -> Void] = [
      { _ = try query.count() }, { _ = try query.findIds() }, { _ = try query.find() },
      { _ = try query.property(Sample.number).sum() },
      { _ = try query.property(Sample.weight).sum() },
    ]
    for call in calls {
      #expect {
        try call()
      } throws: { error in
        guard case ObjectBoxError.fileCorrupt(let message) = error else { return false }
        return message.contains("with ID 90001 ")
      }
    }
  }

  @Test func `threads that scan beside a writer each see one version`() throws {
    let world = try filled()
    let (store, samples) = (world.store, world.samples)
    let expected = try samples.query { Sample.number == 7 }.build().count()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      do {
        let query = try samples.query { Sample.number == 7 }.build()
        for round in 0..<3 {
          if thread == 0 {
            // One result comes and one goes, far from each other.
            try store.runInTransaction {
              let last = try #require(try query.findIds().last)
              let sample = Sample()
              sample.number = 7
              try samples.put(sample)
              try samples.remove([last])
            }
          } else {
            #expect(try query.count() == expected, "\(round)")
            #expect(try query.find().count == expected, "\(round)")
          }
        }
      } catch {
        Issue.record(error)
      }
    }
    withExtendedLifetime(world) {}
  }
}
