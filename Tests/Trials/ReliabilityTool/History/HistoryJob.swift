import Foundation
import ObjectBox

/// Runs transactions on threads and tasks, and reports each with its reads and writes.
enum HistoryJob {
  static func arguments(_ directory: String, process: Int, seed: Int, count: Int, isShared: Bool)
    -> [String]
  {
    ["job", "history", directory] + [process, seed, count, isShared ? 1 : 0].map { "\($0)" }
  }

  static func run(_ arguments: inout [String]) throws {
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    let (process, seed, count, isShared) = (numbers[0], numbers[1], numbers[2], numbers[3] == 1)
    let store = try TrialStore.open(arguments[0]) {
      $0.isSharedWithOtherProcesses = isShared
      $0.groupCommit = .init(maximumGroupSize: 4, linger: .milliseconds(1))
    }
    let group = DispatchGroup()
    func start(
      _ name: String,
      _ number: Int,
      _ work: @escaping @Sendable (HistoryActor) throws -> Void
    ) {
      group.enter()
      Thread {
        let actor = HistoryActor(store, name: name, process: process, number: number, seed: seed)
        do { for _ in 0..<count { try work(actor) } } catch { tell("error \(name): \(error)") }
        group.leave()
      }.start()
    }
    start("write", 0) { try $0.write() }
    start("write", 1) { try $0.write() }
    let queue = SerialQueue(label: "group")
    start("group", 2) { $0.writeGroup(on: queue) }
    start("read", 3) { try $0.read() }
    start("read", 4) { try $0.read() }
    start("one", 5) { try $0.readOne() }
    start("query", 6) { try $0.query() }
    start("snapshot", 7) { try $0.readSnapshot() }
    for number in 8...9 {
      group.enter()
      Task {
        let actor = HistoryActor(store, name: "task", process: process, number: number, seed: seed)
        do { for _ in 0..<count { try await actor.writeSuspending() } } catch {
          tell("error \(error)")
        }
        group.leave()
      }
    }
    group.enter()
    Task {
      let actor = HistoryActor(store, name: "live", process: process, number: 10, seed: seed)
      let follower = HistoryFollower()
      do { for _ in 0..<count { try await actor.readLive(by: follower) } } catch {
        tell("error \(error)")
      }
      await follower.end()
      group.leave()
    }
    group.wait()
    store.close()
  }
}
