internal import ObjectBoxSyncProtocol

/// The sessions of a server by numbers, and an index of their scopes.
struct ServerSessions: Sendable {
  /// The sessions by number; nil for free numbers.
  private var slots: [ServerSession?] = []
  private var free: [Int32] = []
  private var index = ScopeIndex()

  /// All sessions.
  var all: [ServerSession] { slots.compactMap(\.self) }

  /// Adds a session.
  ///
  /// - Returns: Its number, which no other session has until it is removed.
  mutating func add(_ session: ServerSession) -> Int32 {
    let number = free.popLast() ?? Int32(slots.count)
    if number == slots.count { slots.append(session) } else { slots[Int(number)] = session }
    index.add(number, session.scopes)
    return number
  }

  /// Removes a session.
  mutating func remove(_ number: Int32) {
    guard let session = slots[Int(number)] else { return }
    index.remove(number, session.scopes)
    slots[Int(number)] = nil
    free.append(number)
  }

  /// Returns the sessions that changes may concern, each once.
  func sessions(concernedBy entries: [LogEntry]) -> [ServerSession] {
    index.numbers(concernedBy: entries[...]).compactMap { slots[Int($0)] }
  }
}
