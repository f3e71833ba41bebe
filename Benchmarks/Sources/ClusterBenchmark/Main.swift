import Foundation
import ObjectBox
import ObjectBoxCluster
import Synchronization

/// The entity whose table the C peer uses too.
// objectbox: entity
final class Member {
  var id: Id = 0
  var name: String = ""
  var email: String = ""
  // objectbox: index
  var age: Int = 0
  var born: Date = Date(timeIntervalSince1970: 0)

  init() {}

  init(name: String, email: String, age: Int, born: Date) {
    self.name = name
    self.email = email
    self.age = age
    self.born = born
  }
}

/// Measures the work of a cluster through its public interface; Benchmarks/cluster.sh runs it beside libpq in C.
@main
enum Main {
  static let usage = """
    usage: ClusterBenchmark ADDRESS SCHEMA WORK CONNECTIONS COUNT
      WORK: prepare   makes the table with 10,000 objects
            put       puts COUNT times 10,000 new objects on each connection; nanoseconds for each object
            get       gets COUNT objects by ID on each connection; nanoseconds for each
            query     finds the 100 objects of an age COUNT times on each connection; nanoseconds for each query
            search    searches for words among COUNT texts, and puts texts; a table of milliseconds
    """
  static let batch = 10_000

  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count == 5, let tasks = Int(words[3]), let count = Int(words[4]) else {
      FileHandle.standardError.write(Data((usage + "\n").utf8))
      exit(2)
    }
    var configuration = Cluster.Configuration(words[0])
    configuration.schema = words[1]
    let cluster = try await Cluster(configuration: configuration)
    try await connect(cluster, tasks)
    switch words[2] {
    case "prepare": try await cluster.box(for: Member.self).put(members(0))
    case "put":
      let perObject = try await measure(tasks, tasks * count * batch) { task in
        let box = cluster.box(for: Member.self)
        for round in 0..<count { try await box.put(members(1 + task * count + round)) }
      }
      print(perObject)
    case "get":
      let perCall = try await measure(tasks, tasks * count) { task in
        let box = cluster.box(for: Member.self)
        for round in 0..<count {
          let id = Id(1 + (task * 7919 + round * 31) % batch)
          guard try await box.get(id) != nil else { throw CocoaError(.fileReadUnknown) }
        }
      }
      print(perCall)
    case "query":
      let perCall = try await measure(tasks, tasks * count) { task in
        let box = cluster.box(for: Member.self)
        for round in 0..<count {
          let age = 1 + (task * 7919 + round * 31) % 99
          let found = try await box.query { Member.age == age }.find()
          guard found.count >= 100 else { throw CocoaError(.fileReadUnknown) }
        }
      }
      print(perCall)
    case "search":
      var search = SearchMeasurement(cluster)
      try await search.run(count)
    default:
      FileHandle.standardError.write(Data((usage + "\n").utf8))
      exit(2)
    }
  }

  private static let arrived = Atomic<Int>(0)

  /// Opens a connection for each task, which the peer also does before it starts its clock.
  private static func connect(_ cluster: Cluster, _ tasks: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          try await cluster.read { transaction in
            _ = try await transaction.box(for: Member.self).contains(1 as Id)
            arrived.add(1, ordering: .relaxed)
            while arrived.load(ordering: .relaxed) < tasks { await Task.yield() }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private static func members(_ batchNumber: Int) -> [Member] {
    (0..<batch).map { index in
      Member(
        name: "name \((index * 7919) % 1_000_003)",
        email: "user\(batchNumber * batch + index)@example.org",
        age: (index * 31) % 100,
        born: Date(timeIntervalSince1970: Double(index) * 86_400)
      )
    }
  }

  /// Runs work on several concurrent tasks, and returns the nanoseconds of one operation.
  private static func measure(
    _ tasks: Int,
    _ operations: Int,
    _ body: @escaping @Sendable (Int) async throws -> Void
  ) async throws -> Int {
    let clock = ContinuousClock()
    let start = clock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<tasks { group.addTask { try await body(task) } }
      try await group.waitForAll()
    }
    let duration = clock.now - start
    return Int(duration / .nanoseconds(1)) / operations
  }
}
