import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport

/// Programs with thousands of observers.
extension GrowthRow {
  static var observers: [GrowthRow] {
    [
      GrowthRow("observers begin", .linear, size: 250) { count, measure in
        let store = try SampleStore(Samples.few)
        var observers: [Observer] = []
        try measure { observers = observe(store.samples, count) }
        observers.forEach { $0.unsubscribe() }
      },
      GrowthRow("observers end, oldest first", .linear, size: 500) { count, measure in
        let store = try SampleStore(Samples.few)
        let observers = observe(store.samples, count)
        try measure { observers.forEach { $0.unsubscribe() } }
      },
      GrowthRow("observers end, newest first", .linear, size: 500) { count, measure in
        let store = try SampleStore(Samples.few)
        let observers = observe(store.samples, count)
        try measure { observers.reversed().forEach { $0.unsubscribe() } }
      },
      GrowthRow("commit beside observers of other objects", .constant, size: 1000) {
        count,
        measure in
        let store = try SampleStore(Samples.few)
        let observers = observe(store.samples, count)
        try store.keepers.put(Keeper())
        try measure { try store.keepers.put(Keeper()) }
        observers.forEach { $0.unsubscribe() }
      },
      heard("commit that observers hear") { [queue = DispatchQueue(label: "growth")] in queue },
      heard("commit that observers with queues of their own hear") {
        DispatchQueue(label: "growth")
      },
      // Each put has a savepoint, and its noted changes join the earlier ones.
      GrowthRow("new targets put one by one in a block, noted", .linear, size: 1000) {
        count,
        measure in
        let store = try RelationStore()
        let observation = try store.orders.query().build()
          .observe(on: SerialQueue(label: "growth")) { _ in }
        let orders = (0..<count).map { place in
          let order = Order()
          order.customer.target = Customer("\(place)")
          return order
        }
        try measure {
          try store.store.write { write in
            for order in orders { try write.put(order) }
          }
        }
        withExtendedLifetime(observation) {}
      },
      GrowthRow("observers with queues of their own begin and end", .linear, size: 500) {
        count,
        measure in
        let store = try SampleStore(Samples.few)
        let queues = (0..<count).map { DispatchQueue(label: "growth \($0)") }
        try measure {
          let observers = queues.map { store.samples.subscribe(dispatchQueue: $0, flags: []) {} }
          observers.reversed().forEach { $0.unsubscribe() }
        }
      },
    ]
  }

  private static func heard(_ name: String, on queue: @escaping () -> DispatchQueue) -> GrowthRow {
    GrowthRow(name, .linear, size: 250) { count, measure in
      let store = try SampleStore(Samples.few)
      let heard = DispatchSemaphore(value: 0)
      let observers = (0..<count).map { _ in
        store.samples.subscribe(dispatchQueue: queue(), flags: []) { heard.signal() }
      }
      try measure {
        try store.samples.put(Sample())
        for _ in 0..<count { heard.wait() }
      }
      observers.forEach { $0.unsubscribe() }
    }
  }

  private static func observe(_ box: Box<Sample>, _ count: Int) -> [Observer] {
    let queue = DispatchQueue(label: "growth")
    return (0..<count).map { _ in
      box.subscribe(dispatchQueue: queue, flags: []) {}
    }
  }
}
