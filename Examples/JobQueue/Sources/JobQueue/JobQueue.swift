import Foundation
import ObjectBox

/// A queue of jobs in a store that several processes have open.
///
/// Each method is one transaction, and one process writes at a time. So everything that a
/// transaction has read is still true when it writes.
struct JobQueue {
  let store: Store

  init(folder: String) throws {
    var configuration = Store.Configuration(directory: folder)
    configuration.isSharedWithOtherProcesses = true
    store = try Store(configuration: configuration)
  }

  /// Adds a job unless its key was added before.
  ///
  /// - Returns: False when the key exists.
  func add(_ key: String, priority: Int) async throws -> Bool {
    do {
      try await store.write { transaction in
        try transaction.put(Job(key: key, priority: priority))
      }
      return true
    } catch ObjectBoxError.uniqueViolation {
      return false
    }
  }

  /// The waiting jobs, by descending priority; jobs of equal priority are ordered by age, the
  /// oldest first.
  func waitingJobs() throws -> Query<Job> {
    try store.box(for: Job.self).query { Job.waitingPriority.isNotNil() }
      .ordered(by: Job.waitingPriority, flags: [.descending, .nullsLast]).build()
  }

  /// Makes jobs with expired leases wait again, then leases the next job to the caller.
  ///
  /// - Returns: The lease; nil when no job waits.
  func claim(for duration: TimeInterval) async throws -> Lease? {
    try await store.write { transaction in
      let now = Date()
      for late in try transaction.query(Job.self, { .leaseEnd < now }).find() {
        late.leaseEnd = nil
        late.waitingPriority = late.priority
        try transaction.put(late)
      }
      guard let job = try waitingJobs().findFirst() else { return nil }
      job.waitingPriority = nil
      job.leaseEnd = now.addingTimeInterval(duration)
      job.attempts += 1
      try transaction.put(job)
      return Lease(jobID: job.id, key: job.key, attempt: job.attempts)
    }
  }

  /// Ends a job and records its effect, both or neither.
  ///
  /// - Returns: False when the lease has ended and another worker has leased or done the job.
  func finish(_ lease: Lease, result: Int, worker: String) async throws -> Bool {
    try await store.write { transaction in
      guard let job = try transaction.get(Job.self, lease.jobID), job.leaseEnd != nil,
        job.attempts == lease.attempt
      else { return false }
      job.leaseEnd = nil
      try transaction.put(job)
      try transaction.put(Effect(jobKey: job.key, result: result, worker: worker))
      return true
    }
  }

  /// The number of waiting and leased jobs.
  func openCount() throws -> Int {
    try store.box(for: Job.self).query { Job.waitingPriority.isNotNil() || Job.leaseEnd.isNotNil() }
      .build().count()
  }
}

/// A worker's right to end a job; a later lease of the job replaces it.
struct Lease: Sendable {
  var jobID: Id
  var key: String
  var attempt: Int
}
