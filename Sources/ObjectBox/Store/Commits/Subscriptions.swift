/// A listener to commits with its interest.
struct Subscription: Sendable {
  let key: CommitHub.Key
  let interest: CommitInterest
  /// The store instance that the subscription ends with.
  let owner: ObjectIdentifier?
  let listener: any CommitListener
  let onEnd: @Sendable () -> Void

  /// Tells of a transaction that is about to be committed.
  func announce(_ commit: CommitSummary) {
    tell(commit) { listener.willCommit(commit, isSkipped: $0) }
  }

  /// Tells of a committed transaction.
  func publish(_ commit: CommitSummary) {
    tell(commit) { listener.didCommit(commit, isSkipped: $0) }
  }

  private func tell(_ commit: CommitSummary, _ body: (_ isSkipped: Bool) -> Void) {
    let isSkipped = commit.skipped.contains(key)
    if !isSkipped || interest.includesSilentCommits { body(isSkipped) }
  }
}

/// The subscriptions of a hub by the entities of their interests.
///
/// A commit finds its listeners without looking at the others, of which a program may have thousands.
struct Subscriptions: Sendable {
  /// Subscriptions in the order in which they began.
  private struct Group {
    var toObjects: [Subscription] = []
    var toCommits: [Subscription] = []
  }

  private var byKey: [CommitHub.Key: Subscription] = [:]
  /// Subscriptions to all entities.
  private var toAll = Group()
  private var byEntity: [Int: Group] = [:]

  // MARK: Changing

  mutating func insert(_ subscription: Subscription) {
    byKey[subscription.key] = subscription
    changeLists(of: subscription.interest) { $0.append(subscription) }
  }

  /// Removes a subscription and returns it; nil when there is none.
  mutating func remove(_ key: CommitHub.Key) -> Subscription? {
    guard let subscription = byKey.removeValue(forKey: key) else { return nil }
    changeLists(of: subscription.interest) { list in
      if let index = list.firstIndex(where: { $0.key == key }) { list.remove(at: index) }
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
    of interest: CommitInterest,
    _ change: (inout [Subscription]) -> Void
  ) {
    let list = interest.includesObjects ? \Group.toObjects : \Group.toCommits
    guard let entities = interest.entities else { return change(&toAll[keyPath: list]) }
    for entity in entities { change(&byEntity[entity, default: Group()][keyPath: list]) }
  }

  // MARK: Finding

  /// Returns the subscriptions to objects of any of the entities, in the order in which they began.
  func toObjects(of entities: some Collection<Int>) -> [Subscription] {
    find(entities, \.toObjects)
  }

  /// Returns the subscriptions to commits to any of the entities, in the order in which they began.
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
