import Foundation
import ObjectBox

/// Work that some process has to do.
///
/// A job waits, then is leased to a worker, then is done; a lease that ends makes it wait again.
// objectbox: entity
final class Job {
  var id: Id = 0

  /// The name of the job, which no other job has.
  // objectbox: unique
  var key: String = ""

  var priority: Int = 0

  /// The priority while the job waits, else nil: the index has the waiting jobs together, in the order of claims.
  // objectbox: index
  var waitingPriority: Int?

  /// The end of the lease while a worker has the job, else nil.
  // objectbox: index
  var leaseEnd: Date?

  /// The number of leases so far; it tells the lease of a worker from later ones.
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

  /// Refuses a second result of a job, whatever the workers do.
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
