import Foundation
import ObjectBox

/// Work for some process.
///
/// A job waits, is leased to a worker, and then is done. When its lease expires, the job waits
/// again.
// objectbox: entity
final class Job {
  var id: Id = 0

  /// The unique name of the job.
  // objectbox: unique
  var key: String = ""

  var priority: Int = 0

  /// The priority while the job waits, else nil: the index contains only waiting jobs, in the order
  /// of claims.
  // objectbox: index
  var waitingPriority: Int?

  /// The end of the lease while a worker has the job, else nil.
  // objectbox: index
  var leaseEnd: Date?

  /// The number of leases so far, which identifies a lease.
  var attempts: Int = 0

  init() {}

  init(key: String, priority: Int) {
    self.key = key
    self.priority = priority
    waitingPriority = priority
  }
}

/// The result of a job, stored in the transaction that ends the job.
// objectbox: entity
final class Effect {
  var id: Id = 0

  /// The index refuses a second result of a job, whatever the workers do.
  // objectbox: unique
  var jobKey: String = ""

  var result: Int = 0
  var worker: String = ""

  init() {}

  init(jobKey: String, result: Int, worker: String) {
    self.jobKey = jobKey
    self.result = result
    self.worker = worker
  }
}
