/// The calls of handlers for one commit, as one job for each queue or actor.
///
/// One job for each handler would cost the committing thread several times as much.
struct DeliveryBatch {
  private struct Job: Sendable {
    let target: CallbackTarget
    /// Handlers of listeners to objects.
    var deliveries: [Delivery] = []
    /// Handlers that are called for any change, for each transaction.
    var lists: [(subscriptions: [[Subscription]], skipped: SkippedListeners)] = []

    func run() {
      for delivery in deliveries { delivery.deliver() }
      for list in lists {
        for subscription in Subscriptions.union(list.subscriptions)
        where !list.skipped.contains(subscription.key) {
          subscription.delivery?.deliver()
        }
      }
    }
  }

  private var jobs: [Job] = []
  /// Positions in `jobs`.
  private var positions: [ObjectIdentifier: Int] = [:]

  /// Adds a call, unless a call that was requested before answers it.
  mutating func add(_ delivery: Delivery) {
    guard delivery.claim(), let target = delivery.target.present else { return }
    jobs[position(of: target)].deliveries.append(delivery)
  }

  /// Adds one call for each subscription on a queue.
  ///
  /// - Parameters:
  ///   - subscriptions: Lists of subscriptions, each in the order in which they began.
  ///   - target: Their queue.
  ///   - skipped: The listeners that are not called.
  mutating func add(
    _ subscriptions: [[Subscription]],
    on target: CallbackTarget,
    except skipped: SkippedListeners
  ) {
    jobs[position(of: target)].lists.append((subscriptions, skipped))
  }

  private mutating func position(of target: CallbackTarget) -> Int {
    let key = target.key
    if let last = jobs.last, last.target.key == key { return jobs.count - 1 }
    if let position = positions[key] { return position }
    positions[key] = jobs.count
    jobs.append(Job(target: target))
    return jobs.count - 1
  }

  /// Sends the jobs; when this returns, all jobs are in their queues.
  func send() {
    for job in jobs { job.target.send { job.run() } }
  }
}
