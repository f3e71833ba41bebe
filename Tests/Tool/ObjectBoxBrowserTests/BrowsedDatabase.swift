import Foundation
import ObjectBoxCluster
import ObjectBoxTool
import Testing

/// A database with the objects of a store, and the site that shows it.
///
/// Its calls wait for the server: use ``WaitingThread``.
struct BrowsedDatabase: Browsed {
  static let address = ProcessInfo.processInfo.environment["OBJECTBOX_TEST_POSTGRES"]
  static let isThere: Bool = address != nil
  static let reason: Comment =
    "set OBJECTBOX_TEST_POSTGRES to the address of a server, or run the tests by 'Scripts/postgres.sh run'"

  let configuration: Cluster.Configuration
  let database: DatabaseContent
  var content: any BrowserContent { database }

  init(_ store: BrowsedStore, isWritable: Bool = true) throws {
    var configuration = Cluster.Configuration(Self.address ?? "")
    configuration.schema = "browse \(UUID().uuidString)"
    _ = try CopyIntoDatabase(store.store, to: configuration).run()
    self.configuration = configuration
    database = try DatabaseContent(configuration, isWritable: isWritable)
  }
}

/// Runs tasks on a thread that may block, unlike the threads of Swift's tasks.
final class WaitingThread: TaskExecutor {
  private let queue = DispatchQueue(label: "waiting")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Runs a body that blocks.
  static func run<T: Sendable>(_ body: @Sendable () throws -> T) async throws -> T {
    try await withTaskExecutorPreference(WaitingThread()) { try await waiting(body) }
  }

  @concurrent private static func waiting<T>(_ body: @Sendable () throws -> T) async throws -> T {
    try body()
  }
}
