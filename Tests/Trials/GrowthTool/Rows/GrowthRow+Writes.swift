import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport

/// Puts, gets and removals.
extension GrowthRow {
  static var writes: [GrowthRow] {
    Samples.Form.allCases.map { form in
      GrowthRow("put of many, \(form.rawValue) values", .linear, size: 250) { count, measure in
        let store = try SampleStore(Samples.few)
        let samples = Samples.make(count) { place, sample in
          sample.number = Int32(form.number(place, of: count))
          sample.text = "text \(form.number(place, of: count))"
        }
        try measure { try store.samples.put(samples) }
      }
    } + [
      GrowthRow("put of many, one huge among small", .linear, size: 250) { count, measure in
        let store = try SampleStore(Samples.few)
        let samples = Samples.make(count) { place, sample in
          sample.text = place == 7 ? String(repeating: "long ", count: 100 * count) : "short"
        }
        try measure { try store.samples.put(samples) }
      },
      GrowthRow("puts, each in its transaction", .linear, size: 100) { count, measure in
        let store = try SampleStore(Samples.few)
        let samples = Samples.make(count) { $1.number = Int32($0 / 2) }
        try measure { for sample in samples { try store.samples.put(sample) } }
      },
      GrowthRow("puts that change a value while a version is kept", .linear, size: 100) {
        count,
        measure in
        let store = try Samples.store(count) { $1.number = Int32($0) }
        let objects = try store.samples.all()
        try withExtendedLifetime(try store.store.freeze()) {
          try measure {
            for sample in objects {
              sample.number = 1
              try store.samples.put(sample)
            }
          }
        }
      },
      GrowthRow("gets by ID", .linear, size: 500) { count, measure in
        let store = try Samples.store(count) { _, _ in }
        try measure {
          for id in 1...count { _ = try store.samples.get(Id(id)) }
        }
      },
      GrowthRow("get of all", .linear, size: 1000) { count, measure in
        let store = try Samples.store(count) { _, _ in }
        try measure { try expect(try store.samples.all().count == count) }
      },
      GrowthRow("removals by ID among equal values", .linear, size: 100) { count, measure in
        let store = try Samples.store(count) { $1.number = 1 }
        try measure {
          for id in 1...count { try store.samples.remove(Id(id)) }
        }
      },
      GrowthRow("removal of many objects", .linear, size: 250) { count, measure in
        let store = try Samples.store(count) { $1.number = Int32($0) }
        let objects = try store.samples.all()
        try measure { _ = try store.samples.remove(objects) }
      },
      GrowthRow("removal by a query", .linear, size: 250) { count, measure in
        let store = try Samples.store(count) { $1.number = 1 }
        let query = try store.samples.query { Sample.number == 1 }.build()
        try measure { try expect(try query.remove() == UInt64(count)) }
      },
      GrowthRow("removal of all", .linear, size: 500) { count, measure in
        let store = try Samples.store(count) { $1.number = 1 }
        try measure { _ = try store.samples.removeAll() }
      },
      GrowthRow("cancelled asynchronous writes, oldest first", .linear, size: 500) {
        try cancelled($0, $1) { $0 }
      },
      GrowthRow("cancelled asynchronous writes, newest first", .linear, size: 500) {
        try cancelled($0, $1) { $0.reversed() }
      },
    ]
  }

  /// Cancels blocks that wait behind a block.
  private static func cancelled(
    _ count: Int,
    _ measure: Measure,
    _ order: ([AsyncTransactionID]) -> [AsyncTransactionID]
  ) throws {
    let store = try SampleStore(Samples.few)
    let queue = SerialQueue(label: "growth")
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    store.store.writeAsync(on: SerialQueue(label: "first")) { _ in
      begun.signal()
      end.wait()
    }
    begun.wait()
    let ended = DispatchSemaphore(value: 0)
    let ids = (0..<count).map { _ in
      store.store.writeAsync(on: queue) { _ in
      } onComplete: { _ in
        ended.signal()
      }
    }
    let ordered = order(ids)
    try measure {
      for id in ordered { try expect(store.store.cancelAsyncWrite(id)) }
      for _ in ordered { ended.wait() }
    }
    end.signal()
    store.store.close()
  }
}
