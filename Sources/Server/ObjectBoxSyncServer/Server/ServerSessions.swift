internal import ObjectBoxSyncProtocol

/// The sessions of a server by number, with an index of their scopes.
struct ServerSessions: Sendable {
  private struct Slot {
    let session: ServerSession
    let user: String
    var scopes: [Scope]
  }

  /// The sessions by number; nil for free numbers.
  private var slots: [Slot?] = []
  private var free: [Int32] = []
  private var index = ScopeIndex()

  /// All sessions.
  var all: [ServerSession] { slots.compactMap { $0?.session } }

  /// Returns the sessions of a user.
  func sessions(of user: String) -> [ServerSession] {
    slots.compactMap { $0 }.filter { $0.user == user }.map(\.session)
  }

  /// Adds a session of a user.
  ///
  /// - Returns: Its number, which no other session gets until it is removed.
  mutating func add(_ session: ServerSession, of user: String) -> Int32 {
    let slot = Slot(session: session, user: user, scopes: session.scopes)
    let number = free.popLast() ?? Int32(slots.count)
    if number == slots.count { slots.append(slot) } else { slots[Int(number)] = slot }
    index.add(number, slot.scopes)
    return number
  }

  /// Replaces the scopes of a session.
  mutating func move(_ number: Int32, to scopes: [Scope]) {
    guard let slot = slots[Int(number)] else { return }
    index.remove(number, slot.scopes)
    index.add(number, scopes)
    slots[Int(number)]?.scopes = scopes
  }

  /// Removes a session.
  mutating func remove(_ number: Int32) {
    guard let slot = slots[Int(number)] else { return }
    index.remove(number, slot.scopes)
    slots[Int(number)] = nil
    free.append(number)
  }

  /// Returns the sessions that may be concerned by changes, each once.
  func sessions(concernedBy entries: [LogEntry]) -> [ServerSession] {
    index.numbers(concernedBy: entries[...]).compactMap { slots[Int($0)]?.session }
  }
}
