/// Where blocks are called back: an actor, or a serial queue.
///
/// Jobs sent to one place run there one at a time, in the order in which they were sent. A class, since it
/// holds the jobs that are under way.
final class Place: Sendable {
  private enum Target: Sendable {
    case actor(any Actor)
    case queue(SerialQueue)
  }

  private let target: Target
  private let jobs = Guarded<[@Sendable () -> Void]>([])

  init(_ actor: any Actor) {
    target = .actor(actor)
  }

  init(_ queue: SerialQueue) {
    target = .queue(queue)
  }

  /// What it names: the actor or queue.
  var key: ObjectIdentifier {
    switch target {
    case .actor(let actor): ObjectIdentifier(actor)
    case .queue(let queue): ObjectIdentifier(queue)
    }
  }

  /// Sends a job and returns at once.
  func send(_ job: @escaping @Sendable () -> Void) {
    jobs.withLock { $0.append(job) }
    switch target {
    case .queue(let queue): queue.async { self.runNext() }
    case .actor(let actor):
      // Tasks may overtake each other on their way to the actor; the jobs they find there do not.
      Task { await Self.run(in: actor) { self.runNext() } }
    }
  }

  private static func run(in actor: isolated any Actor, _ body: @Sendable () -> Void) {
    body()
  }

  private func runNext() {
    let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    job?()
  }
}

/// A value that crosses from the isolation where it was made to a place in the same isolation, by way of
/// threads that do not touch it.
///
/// Invariant of `@unchecked Sendable`: it is opened in the isolation that made it only.
struct Homing<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}
