import Dispatch
import ObjectBox
import ObjectBoxLive

/// A serial queue, and the values that a handler got on it.
final class ChangeRecorder<Value: Sendable>: Sendable {
  let queue = SerialQueue(label: "changes")
  private let calls = Guarded<[Value]>([])
  private let gate = DispatchSemaphore(value: 0)

  func note(_ value: Value) { calls.withLock { $0.append(value) } }

  /// The values so far, once the queue is idle: a commit enqueues its call before it returns, and a
  /// call enqueues its successor after it has noted its value.
  var values: [Value] {
    var count = -1
    while calls.withLock(\.count) != count {
      count = calls.withLock(\.count)
      // The first wait ends after a call with a counted value, the second after its successor.
      queue.sync {}
      queue.sync {}
    }
    return calls.withLock(\.self)
  }

  /// Returns the values since the last call of this function.
  func take() -> [Value] {
    let values = values
    calls.withLock { $0 = [] }
    return values
  }

  /// Keeps the queue busy while a body runs.
  func whileBusy(_ body: () throws -> Void) rethrows {
    let isBusy = DispatchSemaphore(value: 0)
    queue.async { [gate] in
      isBusy.signal()
      gate.wait()
    }
    isBusy.wait()
    defer { gate.signal() }
    try body()
  }
}

/// A change of a collection, as plain values.
struct CollectionEvent: Equatable, Sendable, CustomStringConvertible {
  var ids: [Id]
  /// Nil for the initial results.
  var deletions: [Int]?
  var insertions: [Int] = []
  var modifications: [Int] = []
  var version = 0

  static func == (a: Self, b: Self) -> Bool {
    a.ids == b.ids && a.deletions == b.deletions && a.insertions == b.insertions
      && a.modifications == b.modifications
  }

  static func initial(_ ids: [Id]) -> Self { Self(ids: ids) }

  static func update(
    _ ids: [Id],
    _ deletions: [Int] = [],
    _ insertions: [Int] = [],
    _ modifications: [Int] = []
  ) -> Self {
    Self(ids: ids, deletions: deletions, insertions: insertions, modifications: modifications)
  }

  init(
    ids: [Id],
    deletions: [Int]? = nil,
    insertions: [Int] = [],
    modifications: [Int] = [],
    version: Int = 0
  ) {
    self.ids = ids
    self.deletions = deletions
    self.insertions = insertions
    self.modifications = modifications
    self.version = version
  }

  init<E>(_ change: CollectionChange<ObservedResults<E>>) {
    let results = change.results
    ids = results.ids.map(\.value)
    version = results.version
    if case .update(_, let deletions, let insertions, let modifications) = change {
      self.deletions = deletions
      self.insertions = insertions
      self.modifications = modifications
    }
  }

  /// The old collection after the change.
  func applied(to old: [Id]) -> [Id] {
    guard let deletions else { return ids }
    var result = old
    for place in deletions.reversed() { result.remove(at: place) }
    for place in insertions { result.insert(ids[place], at: place) }
    return result
  }

  var description: String {
    "\(ids) deletions \(deletions ?? []) insertions \(insertions) modifications \(modifications)"
  }
}

extension ObjectChange {
  /// The changed properties with their old and new values.
  var text: String {
    switch self {
    case .deleted: "deleted"
    case .change(let properties):
      properties.map { property in
        let old = property.oldValue.map { "\($0)" } ?? "nil"
        let new = property.newValue.map { "\($0)" } ?? "nil"
        return "\(property.name): \(old) -> \(new)"
      }
      .joined(separator: ", ")
    }
  }
}

extension Query where E: SendableMetatype {
  /// Observes the results, and records each change.
  func observe(
    _ recorder: ChangeRecorder<CollectionEvent>,
    properties: [any ObservedProperty<E>]? = nil
  ) throws -> NotificationToken {
    try observe(on: recorder.queue, properties: properties) { recorder.note(CollectionEvent($0)) }
  }
}
