internal import Dispatch

/// A listener to commits, and its interest.
final class Subscription: Sendable {
  let key: CommitHub.Key
  let interest: CommitInterest
  /// The store instance whose end ends the subscription.
  let owner: ObjectIdentifier?
  let onEnd: @Sendable () -> Void
  /// The listener, if it is a handler on a queue that is called for any change; nil for others.
  let delivery: Delivery?
  let listener: any CommitListener

  init(
    key: CommitHub.Key,
    interest: CommitInterest,
    owner: ObjectIdentifier?,
    listener: any CommitListener,
    onEnd: @escaping @Sendable () -> Void
  ) {
    self.key = key
    self.interest = interest
    self.owner = owner
    self.listener = listener
    self.onEnd = onEnd
    let delivery = listener as? Delivery
    self.delivery = delivery?.target.queue == nil || interest.includesObjects ? nil : delivery
  }

  /// Calls `willCommit` of the listener, unless the commit is silent for it.
  func announce(_ commit: CommitSummary) {
    if isTold(commit) {
      listener.willCommit(commit, isSkipped: commit.skipped.contains(key))
    }
  }

  /// Calls `didCommit` of the listener, and returns the handler to call.
  func publish(_ commit: CommitSummary) -> Delivery? {
    guard isTold(commit) else { return nil }
    return listener.didCommit(commit, isSkipped: commit.skipped.contains(key))
  }

  private func isTold(_ commit: CommitSummary) -> Bool {
    interest.includesSilentCommits || !commit.skipped.contains(key)
  }
}

/// The subscriptions of a hub, by entity.
///
/// A program may have thousands of subscriptions. A commit finds its own without looking at the
/// others.
struct Subscriptions: Sendable {
  /// Subscriptions in the order in which they began.
  private struct Group {
    var toObjects: [Subscription] = []
    var toCommits: [Subscription] = []
    /// Handlers on queues, by the queue; a commit calls all handlers of a queue with one job.
    var onQueues: [ObjectIdentifier: QueueList] = [:]

    mutating func change(
      _ subscription: Subscription,
      _ change: (inout [Subscription]) -> Void
    ) {
      guard let queue = subscription.delivery?.target.queue else {
        return subscription.interest.includesObjects ? change(&toObjects) : change(&toCommits)
      }
      let key = ObjectIdentifier(queue)
      change(&onQueues[key, default: QueueList(queue: queue)].subscriptions)
      if onQueues[key]?.subscriptions.isEmpty == true { onQueues[key] = nil }
    }
  }

  /// Subscriptions with handlers on one queue, in the order in which they began.
  private struct QueueList {
    let queue: DispatchQueue
    var subscriptions: [Subscription] = []
  }

  private var byKey: [CommitHub.Key: Subscription] = [:]
  /// Subscriptions to all entities.
  private var toAll = Group()
  private var byEntity: [Int: Group] = [:]

  // MARK: Changing

  mutating func insert(_ subscription: Subscription) {
    byKey[subscription.key] = subscription
    changeLists(of: subscription) { $0.append(subscription) }
  }

  /// Removes a subscription and returns it; nil if there is none.
  mutating func remove(_ key: CommitHub.Key) -> Subscription? {
    guard let subscription = byKey.removeValue(forKey: key) else { return nil }
    changeLists(of: subscription) { list in
      let index = list.partitionIndex { $0.key.number >= key.number }
      if index < list.endIndex, list[index].key == key { list.remove(at: index) }
    }
    return subscription
  }

  /// Removes the subscriptions of a store instance, and returns them in the order in which they began.
  mutating func remove(of owner: ObjectIdentifier) -> [Subscription] {
    byKey.values.filter { $0.owner == owner }
      .sorted { $0.key.number < $1.key.number }
      .compactMap { remove($0.key) }
  }

  private mutating func changeLists(
    of subscription: Subscription,
    _ change: (inout [Subscription]) -> Void
  ) {
    guard let entities = subscription.interest.entities else {
      return toAll.change(subscription, change)
    }
    for entity in entities { byEntity[entity, default: Group()].change(subscription, change) }
  }

  // MARK: Finding

  /// Returns the subscriptions to objects of any of the entities, in the order in which they began.
  func toObjects(of entities: some Collection<Int>) -> [Subscription] {
    find(entities, \.toObjects)
  }

  /// Returns the subscriptions to commits of any of the entities, in the order in which they began.
  ///
  /// Handlers on queues are left out; see `addHandlers`.
  func toCommits(of entities: some Collection<Int>) -> [Subscription] {
    find(entities, \.toCommits)
  }

  private func find(
    _ entities: some Collection<Int>,
    _ list: KeyPath<Group, [Subscription]>
  ) -> [Subscription] {
    if entities.isEmpty || byKey.isEmpty { return [] }
    var found = toAll[keyPath: list]
    for entity in entities {
      guard let more = byEntity[entity]?[keyPath: list], !more.isEmpty else { continue }
      found = found.isEmpty ? more : Self.union(found, more)
    }
    return found
  }

  /// Adds to a batch the handlers on queues that a transaction calls.
  ///
  /// The time grows with the number of queues, not of handlers.
  ///
  /// - Parameters:
  ///   - entities: The changed entities.
  ///   - skipped: The listeners that are not called.
  ///   - batch: Receives the calls.
  func addHandlers(
    of entities: Set<Int>,
    except skipped: SkippedListeners,
    to batch: inout DeliveryBatch
  ) {
    if skipped.keys == nil || entities.isEmpty || byKey.isEmpty { return }
    // Each queue appears once, with the lists of all entities: a handler may be in several lists.
    var lists = toAll.onQueues.mapValues { ($0.queue, [$0.subscriptions]) }
    for entity in entities {
      for (key, list) in byEntity[entity]?.onQueues ?? [:] {
        lists[key, default: (list.queue, [])].1.append(list.subscriptions)
      }
    }
    for (queue, subscriptions) in lists.values {
      batch.add(subscriptions, on: .dispatchQueue(queue), except: skipped)
    }
  }

  /// Returns the subscriptions of several lists, each once, in the order in which they began.
  static func union(_ lists: [[Subscription]]) -> [Subscription] {
    lists.dropFirst().reduce(lists.first ?? []) { union($0, $1) }
  }

  /// Returns the subscriptions of two lists, each once.
  private static func union(_ a: [Subscription], _ b: [Subscription]) -> [Subscription] {
    var result: [Subscription] = []
    result.reserveCapacity(a.count + b.count)
    var rest = b[...]
    for subscription in a {
      let number = subscription.key.number
      while let first = rest.first, first.key.number <= number {
        if first.key.number < number { result.append(first) }
        rest.removeFirst()
      }
      result.append(subscription)
    }
    return result + rest
  }
}
