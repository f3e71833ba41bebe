import Foundation
import ObjectBox

/// A queue of jobs in a store that several processes have open.
///
/// Each method is one transaction, and one process writes at a time: whatever a transaction has read is still true
/// when it writes.
struct JobQueue {
  let store: Store

  init(folder: String) throws {
    var configuration = Store.Configuration(directory: folder)
    configuration.isSharedWithOtherProcesses = true
    store = try Store(configuration: configuration)
  }

  /// Adds a job, unless one with the key has been added before.
  ///
  /// - Returns: False when there is such a job.
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

  /// The waiting jobs, those of the highest priority first, of equal ones the oldest.
  func waitingJobs() throws -> Query<Job> {
    try store.box(for: Job.self).query { Job.waitingPriority.isNotNil() }
      .ordered(by: Job.waitingPriority, flags: [.descending, .nullsLast]).build()
  }

  /// Leases the next job to the caller, after the jobs whose leases have ended wait again.
  ///
  /// - Returns: Nil when no job waits.
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
  /// - Returns: False when the lease has ended and the job was leased again, or done by another worker.
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

  /// The number of jobs that wait or are leased.
  func openCount() throws -> Int {
    try store.box(for: Job.self).query { Job.waitingPriority.isNotNil() || Job.leaseEnd.isNotNil() }
      .build().count()
  }
}

/// A worker's right to end a job, which a later lease of the job replaces.
struct Lease: Sendable {
  var jobID: Id
  var key: String
  var attempt: Int
}
