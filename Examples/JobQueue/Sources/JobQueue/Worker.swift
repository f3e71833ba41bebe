import Foundation

/// A process that does jobs until none is left.
struct Worker {
  private let queue: JobQueue
  private let name = "worker-\(ProcessInfo.processInfo.processIdentifier)"
  private let options: WorkerOptions

  init(_ queue: JobQueue, _ options: WorkerOptions) {
    self.queue = queue
    self.options = options
  }

  /// The result of a job, the same in each attempt.
  static func result(of key: String) -> Int { key.utf8.reduce(0) { $0 &* 31 &+ Int($1) } }

  func run() async throws {
    while true {
      guard let lease = try await queue.claim(for: options.lease) else {
        if try queue.openCount() == 0 { return }
        // Other workers have leases. Commits of other processes send no notification, so poll the
        // queue.
        try await Task.sleep(for: .milliseconds(20))
        continue
      }
      try log("began \(lease.key)")
      try await work()
      let result = Self.result(of: lease.key)
      let isOurs = try await queue.finish(lease, result: result, worker: name)
      try log("\(isOurs ? "ended" : "late with") \(lease.key)")
    }
  }

  /// Works for the time in the options.
  private func work() async throws {
    try await Task.sleep(for: .seconds(options.duration))
    while let file = options.heldUntil, !FileManager.default.fileExists(atPath: file) {
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Appends a line to the workers' shared log.
  private func log(_ event: String) throws {
    guard let file = options.log else { return }
    let line = Array("\(event) \(name)\n".utf8)
    let descriptor = open(file, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    guard descriptor >= 0, write(descriptor, line, line.count) == line.count else {
      throw Failure("cannot write to '\(file)'")
    }
    close(descriptor)
  }
}

/// The options of `work`.
struct WorkerOptions {
  /// Seconds until an unfinished job waits again.
  var lease: TimeInterval = 10
  /// The duration of a job in seconds.
  var duration: TimeInterval = 0
  /// A file that must exist before a job can end.
  var heldUntil: String?
  /// A file that gets a line for the beginning and the end of each job.
  var log: String?
}
