import Foundation
import ObjectBox

/// Runs a workload on a store until the process is killed.
///
/// Runs a workload on a store until the process is killed.
///
/// It reports `ready` when the store is open, `g GENERATION` before it opens the store under a
/// model, and `a WORKER STEP SLOT:ID,…` when a step and all earlier ones are stored.
enum WriteJob {
  static func arguments(
    _ directory: String,
    workload: Int,
    seed: Int,
    generation: Int,
    process: Int?
  ) -> [String] {
    ["job", "write", directory] + [workload, seed, generation, process ?? -1].map { "\($0)" }
  }

  static func run(_ arguments: inout [String]) throws {
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    let (number, seed, generation, process) = (numbers[0], numbers[1], numbers[2], numbers[3])
    let workload = Workload.all[number]
    tell("g \(generation)")
    let session = try Session(
      arguments[0],
      generation: generation,
      isShared: process >= 0,
      tell: { tell($0) }
    )
    tell("ready")
    for thread in 0..<workload.threads {
      let plan = Workload.plan(
        workload: number,
        thread: max(0, process) * workload.threads + thread,
        seed: seed
      )
      Thread {
        do {
          let worker = try Worker(plan, session, inFlight: workload.inFlight)
          while true { try workload.perform(worker) }
        } catch {
          tell("error \(error)")
          exit(3)
        }
      }.start()
    }
    while true { sleep(1000) }
  }
}
