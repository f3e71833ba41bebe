internal import Dispatch
internal import ObjectBox

/// An event that pages receive.
package enum BrowserEvent: Hashable, Sendable {
  /// A new version exists, with this number.
  case version(String)
  /// The objects cannot be read at present.
  case fault

  /// The event in the format of an event stream.
  fileprivate var text: String {
    switch self {
    case .version(let number): "data: \(number)\n\n"
    case .fault: "event: fault\ndata:\n\n"
    }
  }
}

/// The events of one connection, shared with the hub; a slow reader only gets the newest event.
package final class EventFeed: Sendable {
  private struct State {
    var newest: BrowserEvent?
    var isEnded = false
  }

  /// The number of seconds after which a comment is sent: only a write reveals that the reader is
  /// gone.
  private static let secondsOfSilence = 2

  private let state = Guarded(State())
  private let change = DispatchSemaphore(value: 0)

  package init() {}

  /// Sends an event; it replaces an unread one.
  package func send(_ event: BrowserEvent) {
    state.withLock { $0.newest = event }
    change.signal()
  }

  /// Ends the feed.
  package func end() {
    state.withLock { $0.isEnded = true }
    change.signal()
  }

  /// Returns the next event or a comment, in the format of an event stream; nil at the end.
  ///
  /// Blocks until there is an event, two seconds at most.
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

/// The open feeds, which receive the same events.
package final class EventHub: Sendable {
  /// Weak, since feeds belong to their connections.
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

  /// Returns a feed that starts with the newest event.
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

  /// Sends an event to all feeds, unless it equals the newest one.
  package func send(_ event: BrowserEvent) {
    state.withLock { state in
      guard state.newest != event else { return }
      state.newest = event
      for entry in state.feeds { entry.feed?.send(event) }
    }
  }

  /// Ends all feeds, including future ones.
  package func end() {
    state.withLock { state in
      state.isEnded = true
      for entry in state.feeds { entry.feed?.end() }
    }
  }
}
