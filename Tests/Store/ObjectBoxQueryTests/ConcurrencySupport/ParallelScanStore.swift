import Foundation
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

@testable import ObjectBox

/// A store with enough samples that several threads share a scan.
struct ParallelScanStore {
  /// A little more than the smallest scan that is split.
  static let count = ParallelScan.minimumCount + 700

  let world: SampleStore
  var samples: Box<Sample> { world.samples }

  init() throws {
    world = try SampleStore(.init())
    var random = SplitMix(seed: 7)
    let samples = (0..<Self.count + 300).map { index in
      let sample = Sample()
      sample.number = index % 10 == 0 ? nil : Int32(index % 1000)
      sample.size = UInt32.max - UInt32(index % 7)
      sample.weight = index % 11 == 0 ? nil : Double.random(in: -1e9...1e9, using: &random)
      sample.text = index % 3 == 0 ? "needle \(index)" : nil
      return sample
    }
    try world.samples.put(samples)
    // Leaves a gap, and parts of the scan without objects.
    try world.samples.remove(Array(samples[50_000..<50_300]))
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

  /// Expects that several threads find the same as one thread, in the same order.
  func expectSame(_ query: Query<Sample>) throws {
    let isSplit = try samples.reading { table, transaction in
      try ParallelScan(table, count: Self.count, in: transaction) != nil
    }
    #expect(isSplit || ProcessInfo.processInfo.activeProcessorCount == 1)
    let split = try answers(query)
    // A write transaction reads through LMDB, on one thread.
    let whole = try world.store.runInTransaction { try answers(query) }
    #expect(split == whole, "\(query)")
  }
}
