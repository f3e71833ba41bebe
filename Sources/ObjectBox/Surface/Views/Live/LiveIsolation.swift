/// Where a live view may be used: an actor, a serial queue, or a thread with the task that runs on it.
///
/// It does not keep an actor alive: actors hold live views, not the other way round.
enum LiveIsolation: Sendable {
  /// An actor, as long as it lives.
  struct Isolated: Sendable {
    weak let actor: (any Actor)?
  }

  case actor(Isolated)
  case queue(SerialQueue)
  /// Code outside of actors: a thread, and the task that runs on it, which goes on in other threads.
  case thread(ThreadIdentity, CurrentTask?)

  /// The isolation of a caller: its actor, else the serial queue or the thread that it runs on.
  init(_ actor: (any Actor)?) {
    if let actor {
      self = .actor(Isolated(actor: actor))
    } else {
      self = .thread(ThreadContext.current.identity, CurrentTask())
    }
  }

  /// Names it; only valid as long as what it names lives.
  var key: ObjectIdentifier? {
    switch self {
    case .actor(let isolated): isolated.actor.map { ObjectIdentifier($0) }
    case .queue(let queue): ObjectIdentifier(queue)
    case .thread(let thread, let task): task?.key ?? ObjectIdentifier(thread)
    }
  }

  /// Returns whether code of this isolation may share a view that belongs to another one with its key.
  ///
  /// The key of a task may have been that of one that has ended.
  func shares(with other: LiveIsolation) -> Bool {
    guard key == other.key else { return false }
    switch (self, other) {
    case (.thread(let own, let task), .thread(let thread, let otherTask)):
      return own === thread && task == otherTask
    case (.thread, _), (_, .thread): return false
    default: return true
    }
  }

  /// True when jobs can be sent there.
  var canCallBack: Bool {
    if case .thread = self { false } else { true }
  }

  /// The isolation as a target of callbacks; nil for a thread, and for an actor that is gone.
  var callbackTarget: CallbackTarget? {
    switch self {
    case .actor(let isolated): CallbackTarget(isolated.actor)
    case .queue(let queue): .queue(queue)
    case .thread: nil
    }
  }

  // MARK: Asking

  /// True for code that runs there now.
  var isCurrent: Bool {
    switch self {
    case .actor(let isolated): isolated.actor.map(CurrentActor.isIt) ?? false
    case .queue(let queue): queue.isCurrent
    case .thread(let thread, let task):
      thread.isCurrent || (task != nil && task == CurrentTask())
    }
  }
}
