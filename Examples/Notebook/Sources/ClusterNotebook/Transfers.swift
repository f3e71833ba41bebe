import Foundation
import ObjectBox
import ObjectBoxCluster

/// Moves uses between tags, in serializable transactions of several tasks.
///
/// The sum of all uses stays the same. In the same transaction, each task counts its transfers in
/// its own tag. At the end this count is compared with the outcomes that the task got.
struct Transfers {
  private static let taskCount = 8
  private static let prefix = "transfers of task "

  let cluster: Cluster

  /// The outcomes of a task's transactions.
  private struct Outcome: Sendable {
    var acknowledged = 0
    var failed = 0
    /// Commits whose outcome no server could tell.
    var unknown = 0
  }

  func run(for duration: Duration) async throws {
    let tags = cluster.box(for: Tag.self)
    let names = try await tags.query().find().map(\.name).filter { !$0.hasPrefix(Self.prefix) }
    guard names.count > 1 else {
      throw Failure(description: "there are no tags; copy a store to the server first")
    }
    for task in 0..<Self.taskCount {
      try await tags.put(Tag(id: 0, name: Self.prefix + "\(task)", uses: 0))
    }
    let before = try await sum(names)
    let end = ContinuousClock.now + duration
    let outcomes = await withTaskGroup(of: (Int, Outcome).self) { group in
      for task in 0..<Self.taskCount {
        group.addTask { (task, await transfer(task, names, until: end)) }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    var isRight = try await sum(names) == before
    print("sum of all uses: \(before) before, \(try await sum(names)) after")
    for (task, outcome) in outcomes.sorted(by: { $0.key < $1.key }) {
      let name = Self.prefix + "\(task)"
      let stored = try await tags.query { .name == name }.findUnique()?.uses ?? 0
      print(
        "task \(task): \(outcome.acknowledged) acknowledged, \(stored) stored, \(outcome.failed) failed, "
          + "\(outcome.unknown) unknown"
      )
      isRight =
        isRight
        && (outcome.acknowledged...outcome.acknowledged + outcome.unknown).contains(stored)
    }
    guard isRight else {
      throw Failure(description: "the server does not have what it acknowledged")
    }
    print("nothing acknowledged was lost, and nothing was done that was told to have failed")
  }

  private func sum(_ names: [String]) async throws -> Int {
    try await cluster.box(for: Tag.self).query { Tag.name.isIn(names) }.find().reduce(0) {
      $0 + $1.uses
    }
  }

  private func transfer(
    _ task: Int,
    _ names: [String],
    until end: ContinuousClock.Instant
  ) async -> Outcome {
    var outcome = Outcome()
    while ContinuousClock.now < end {
      let source = names.randomElement() ?? ""
      let target = names.randomElement() ?? ""
      do {
        try await cluster.write { transaction in
          let tags = transaction.box(for: Tag.self)
          let moves = source == target ? [] : [(source, -1), (target, 1)]
          for (name, difference) in moves + [(Self.prefix + "\(task)", 1)] {
            guard var tag = try await tags.query({ .name == name }).findUnique() else { continue }
            tag.uses += difference
            try await tags.put(tag)
          }
        }
        outcome.acknowledged += 1
      } catch ClusterError.commitOutcomeUnknown {
        outcome.unknown += 1
      } catch {
        outcome.failed += 1
        // The server may be unavailable.
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
    return outcome
  }
}
