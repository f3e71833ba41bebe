import Foundation
import ObjectBox

/// Makes a store and runs steps of some workloads on it, while the shim records file calls.
///
/// The log also gets the lines that ``WriteJob`` reports, as marks.
enum RecordJob {
  static func run(_ arguments: inout [String]) throws {
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    let (seed, steps, workloads) = (numbers[0], numbers[1], numbers.dropFirst(2))
    let mark = ShimLibrary.mark
    let failure: @Sendable (String) -> Void = { line in
      mark(line)
      if line.hasPrefix("error") { tell(line) }
    }
    mark("g 0")
    let session = try Session(arguments[0], generation: 0, isShared: false, tell: failure)
    for number in workloads {
      let workload = Workload.all[number]
      let group = DispatchGroup()
      for thread in 0..<workload.threads {
        group.enter()
        Thread {
          do {
            let plan = Workload.plan(workload: number, thread: thread, seed: seed)
            let worker = try Worker(plan, session, inFlight: workload.inFlight)
            for _ in 0..<max(1, steps / workload.threads) { try workload.perform(worker) }
            worker.waitForAll(workload.inFlight)
          } catch {
            tell("error \(error)")
          }
          group.leave()
        }.start()
      }
      group.wait()
    }
    session.store.close()
    mark("done")
  }
}

extension Worker {
  /// Waits for all submitted writes.
  fileprivate func waitForAll(_ inFlight: Int) {
    for _ in 0..<inFlight { free.wait() }
    for _ in 0..<inFlight { free.signal() }
  }
}
