internal import CObjectBoxIsolation
internal import Dispatch

/// Where a live view may be used: an actor, a serial queue or a thread.
///
/// It does not keep an actor alive: actors hold live views, not the other way round.
enum LiveIsolation: Sendable {
  /// An actor, as long as it lives.
  struct Isolated: Sendable {
    weak let actor: (any Actor)?
  }

  case actor(Isolated)
  case queue(SerialQueue)
  case thread(ThreadIdentity)

  /// The isolation of a caller: its actor, else the serial queue or the thread that it runs on.
  init(_ actor: (any Actor)?) {
    if let actor {
      self = .actor(Isolated(actor: actor))
    } else {
      self = .thread(ThreadContext.current.identity)
    }
  }

  /// Names it; only valid as long as what it names lives.
  var key: ObjectIdentifier? {
    switch self {
    case .actor(let isolated): isolated.actor.map { ObjectIdentifier($0) }
    case .queue(let queue): ObjectIdentifier(queue)
    case .thread(let thread): ObjectIdentifier(thread)
    }
  }

  /// True when jobs can be sent there.
  var canCallBack: Bool {
    if case .thread = self { false } else { true }
  }

  /// Where jobs are sent; nil for a thread, and for an actor that is gone.
  func place(in core: StoreCore) -> Place? {
    switch self {
    case .actor(let isolated): core.places.place(of: isolated.actor)
    case .queue(let queue): core.places.place(of: queue)
    case .thread: nil
    }
  }

  // MARK: Asking

  /// True for code that runs there now.
  ///
  /// Actors are asked by their executors, never by threads: on Linux the main actor runs on several, one
  /// after the other.
  var isCurrent: Bool {
    switch self {
    case .actor(let isolated): isolated.actor.map(Self.isCurrent) ?? false
    case .queue(let queue): queue.isCurrent
    case .thread(let thread): thread.isCurrent
    }
  }

  private static func isCurrent(_ actor: any Actor) -> Bool {
    // A frozen type of two words: what runs the jobs, and how.
    let executor = unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self)
    if objectbox_is_current_executor(executor.0, executor.1) != 0 { return true }
    // Jobs that were sent to a dispatch queue and belong to the actor on it, which no task knows of.
    if let queue = SerialQueue.currentIdentifier, UInt(bitPattern: queue) == executor.0 {
      return true
    }
    return actor === MainActor.shared && isOnMainQueue
  }

  private static let mainQueueKey: DispatchSpecificKey<Void> = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
  }()

  private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueueKey) != nil }
}
