import Dispatch
import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxSyncServer

struct UserTurnsTests {
  /// A place where tasks wait until it opens.
  private actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var arrivals: [(count: Int, CheckedContinuation<Void, Never>)] = []

    func pass() async {
      if isOpen { return }
      await withCheckedContinuation { continuation in
        waiting.append(continuation)
        for arrival in arrivals where arrival.count <= waiting.count { arrival.1.resume() }
        arrivals.removeAll { $0.count <= waiting.count }
      }
    }

    /// Waits until as many tasks wait.
    func wait(for count: Int) async {
      if waiting.count >= count { return }
      await withCheckedContinuation { arrivals.append((count, $0)) }
    }

    func open() {
      isOpen = true
      waiting.forEach { $0.resume() }
      waiting = []
    }
  }

  @Test func `a user with many requests leaves turns to others`() async throws {
    let turns = UserTurns(connections: 6)
    let gate = Gate()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask { try await turns.run(for: "ada") { await gate.pass() } }
      }
      await gate.wait(for: 2)
      // All of Ada's hold their turns or wait.
      #expect(try await turns.run(for: "bob") { 7 } == 7)
      await gate.open()
      try await group.waitForAll()
    }
  }

  @Test func `users take turns, however many requests each has`() async throws {
    let turns = UserTurns(connections: 3)
    let gate = Gate()
    let order = Guarded<[String]>([])
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await turns.run(for: "eve") { await gate.pass() } }
      await gate.wait(for: 1)
      for user in ["ada", "ada", "ada", "ada", "bob"] {
        let count = turns.waitingCount
        group.addTask {
          try await turns.run(for: user) { order.withLock { $0.append(user) } }
        }
        while turns.waitingCount == count { await Task.yield() }
      }
      await gate.open()
      try await group.waitForAll()
    }
    #expect(order.copy == ["ada", "bob", "ada", "ada", "ada"])
  }

  @Test func `a request that is cancelled while it waits gives its turn back`() async throws {
    let turns = UserTurns(connections: 1)
    let gate = Gate()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await turns.run(for: "ada") { await gate.pass() } }
      await gate.wait(for: 1)
      let late = Task { try await turns.run(for: "bob") {} }
      while turns.waitingCount == 0 { await Task.yield() }
      late.cancel()
      await gate.open()
      await #expect(throws: CancellationError.self) { try await late.value }
      try await group.waitForAll()
    }
    #expect(try await turns.run(for: "eve") { 1 } == 1)
  }

  @Test func `long work leaves the threads of tasks to others`() async throws {
    let count = ProcessInfo.processInfo.activeProcessorCount + 1
    let gate = DispatchSemaphore(value: 0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count { group.addTask { try await LongWork.run { gate.wait() } } }
      group.addTask { for _ in 0..<count { gate.signal() } }
      try await group.waitForAll()
    }
  }
}
