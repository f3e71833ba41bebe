import Foundation
import ObjectBox
import Synchronization

extension Workloads {
  /// Runs two readers, with one transaction per get: first alone, then beside a writer.
  func concurrent() throws {
    let objects = DataSet.objects(count, as: Plain.self)
    let store = try freshStore()
    defer { store.close() }
    let box = store.box(for: Plain.self)
    try box.put(objects)
    try read(box, objects, "W13_conc_2readers_idle_writer", hasWriter: false)
    try read(box, objects, "W13_conc_2readers_1writer", hasWriter: true)
  }

  private func read(
    _ box: Box<Plain>,
    _ objects: [Plain],
    _ workload: String,
    hasWriter: Bool
  ) throws {
    guard report.isWanted(workload) else { return }
    let ids = objects.map(\.id)
    let readers = Readers()
    let threads = Self.startThreads(2) { thread in
      readers.read(box, ids, seed: 99 + UInt64(thread))
    }
    let start = Latencies.now()
    var commits = 0
    if hasWriter {
      commits = try commit(objects, to: box, since: start)
    } else {
      Thread.sleep(forTimeInterval: seconds)
    }
    let duration = Double(Latencies.now() - start)
    readers.stops.store(true, ordering: .relaxed)
    threads.wait()
    let latencies = readers.latencies.withLock { $0 }
    try require(readers.failures.load(ordering: .relaxed) == 0, "reads beside a writer")
    report.emit(workload, [duration], latencies.count)
    report.emit(value: latencies.quantile(0.999) / 1000, workload + ".p999_us")
    report.emit(value: Double(latencies.greatest) / 1000, workload + ".max_us")
    report.emit(value: Double(latencies.overAMillisecond), workload + ".over1ms")
    if hasWriter { report.emit("W13_conc_writer_commit", [duration], commits) }
  }

  /// Puts ten objects in each commit, and returns the number of commits.
  private func commit(_ objects: [Plain], to box: Box<Plain>, since start: Int) throws -> Int {
    var state: UInt64 = 5
    var commits = 0
    while Double(Latencies.now() - start) < seconds * 1e9 {
      let changed = (0..<10).map { _ in
        state = DataSet.mix(state)
        return objects[Int(state % UInt64(objects.count))]
      }
      try box.put(changed)
      commits += 1
    }
    return commits
  }

  /// Runs a body on new threads: `concurrentPerform` has no more threads than processors.
  static func startThreads(
    _ count: Int,
    _ body: @escaping @Sendable (Int) -> Void
  ) -> DispatchGroup {
    let group = DispatchGroup()
    for thread in 0..<count {
      group.enter()
      Thread {
        body(thread)
        group.leave()
      }.start()
    }
    return group
  }
}

/// Threads that get objects until they are stopped, and the latencies of all threads.
private final class Readers: Sendable {
  let stops = Atomic(false)
  let failures = Atomic(0)
  let latencies = Mutex(Latencies())

  func read(_ box: Box<Plain>, _ ids: [Id], seed: UInt64) {
    var own = Latencies()
    var state = seed
    while !stops.load(ordering: .relaxed) {
      state = DataSet.mix(state)
      let id = ids[Int(state % UInt64(ids.count))]
      let start = Latencies.now()
      let object = try? box.get(id)
      own.add(Latencies.now() - start)
      if object == nil { failures.add(1, ordering: .relaxed) }
    }
    latencies.withLock { $0.merge(own) }
  }
}
