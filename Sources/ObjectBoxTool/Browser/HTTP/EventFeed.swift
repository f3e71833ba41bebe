internal import Dispatch
internal import ObjectBox

/// An event of the objects that pages show.
package enum BrowserEvent: Hashable, Sendable {
  /// There is a new version, with this number.
  case version(String)
  /// The objects cannot be read now.
  case fault

  /// The event in the form of a stream.
  fileprivate var text: String {
    switch self {
    case .version(let number): "data: \(number)\n\n"
    case .fault: "event: fault\ndata:\n\n"
    }
  }
}

/// The events of one connection; a reader that is slow gets the newest only.
///
/// A class, since the connection and the hub share it.
package final class EventFeed: Sendable {
  private struct State {
    var newest: BrowserEvent?
    var isEnded = false
  }

  /// The time after which a comment is sent: a reader that has gone shows at the next write only.
  private static let secondsOfSilence = 2

  private let state = Guarded(State())
  private let change = DispatchSemaphore(value: 0)

  package init() {}

  /// Sends an event, in place of one that was not read yet.
  package func send(_ event: BrowserEvent) {
    state.withLock { $0.newest = event }
    change.signal()
  }

  /// Ends the feed.
  package func end() {
    state.withLock { $0.isEnded = true }
    change.signal()
  }

  /// Returns the next event in the form of a stream, or a comment; nil at the end.
  ///
  /// Blocks for as long as nothing happens, two seconds at most.
  package func next() -> String? {
    _ = change.wait(timeout: .now() + .seconds(Self.secondsOfSilence))
    return state.withLock { state in
      if state.isEnded { return nil }
      guard let event = state.newest else { return ":\n\n" }
      state.newest = nil
      return event.text
    }
  }
}

/// The open feeds, which get the same events.
package final class EventHub: Sendable {
  /// Feeds belong to their connections.
  private struct Weak {
    weak var feed: EventFeed?
  }

  private struct State {
    var feeds: [Weak] = []
    var newest: BrowserEvent?
    var isEnded = false
  }

  private let state = Guarded(State())

  package init() {}

  /// Returns a feed that begins with the newest event.
  package func feed() -> EventFeed {
    let feed = EventFeed()
    state.withLock { state in
      state.feeds.removeAll { $0.feed == nil }
      state.feeds.append(Weak(feed: feed))
      if state.isEnded { feed.end() }
      if let newest = state.newest { feed.send(newest) }
    }
    return feed
  }

  /// Sends an event to all feeds, unless it is the newest one already.
  package func send(_ event: BrowserEvent) {
    state.withLock { state in
      guard state.newest != event else { return }
      state.newest = event
      for entry in state.feeds { entry.feed?.send(event) }
    }
  }

  /// Ends all feeds, also those to come.
  package func end() {
    state.withLock { state in
      state.isEnded = true
      for entry in state.feeds { entry.feed?.end() }
    }
  }
}
