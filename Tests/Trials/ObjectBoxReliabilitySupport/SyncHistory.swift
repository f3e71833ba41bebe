/// The history of a trial of synchronization: writes, views and stores of devices, and the database.
package struct SyncHistory: Sendable {
  /// The server's decision about a transaction.
  package enum Kind: String, Sendable {
    /// Nothing forbids it: it is accepted.
    case plain
    /// It takes a unique value that others may take first: it is accepted or rejected.
    case contest
    /// A half is for a team of others: it is rejected.
    case denied
  }

  /// The entry of a transaction in the journal of a device.
  package enum Outcome: String, Sendable {
    /// Begun, and the process was killed: it is in the store or not.
    case intent
    /// The store has it.
    case done
    /// The store's call has thrown: nobody has it.
    case failed
  }

  /// A transaction: it inserts two halves with its token.
  package struct Write: Sendable {
    package var kind: Kind
    package var outcome: Outcome

    package init(_ kind: Kind, _ outcome: Outcome) {
      self.kind = kind
      self.outcome = outcome
    }
  }

  /// One half of a transaction, as an object.
  package struct Half: Hashable, Comparable, Sendable {
    package var token: String
    /// `a` or `b`.
    package var part: String

    package init(_ token: String, _ part: String) {
      self.token = token
      self.part = part
    }

    package static func < (left: Half, right: Half) -> Bool {
      (left.token, left.part) < (right.token, right.part)
    }
  }

  /// The objects of one committed state: a half occurs as often as objects have it.
  package struct State: Sendable {
    package var halves: [Half: Int] = [:]
    /// The IDs of the halves.
    package var places: [Half: UInt64] = [:]
    /// The stamp of each cell; cells 1 and 2 are a couple, 3 and 4, and so on.
    package var cells: [Int: String] = [:]

    package init(halves: [Half: Int] = [:], cells: [Int: String] = [:]) {
      self.halves = halves
      self.cells = cells
    }
  }

  /// The views of one store in order; a restored store begins a new sequence.
  package typealias Views = [State]

  /// The end of a device's work.
  package struct End: Sendable {
    package var state: State
    /// Transactions without a decision.
    package var waiting: Int
    /// The token of each transaction that the store tells as rejected.
    package var rejections: [String]

    package init(state: State, waiting: Int = 0, rejections: [String] = []) {
      self.state = state
      self.waiting = waiting
      self.rejections = rejections
    }
  }

  /// A device; a copy is a device of its own, with the journal of the copied one.
  package struct Device: Sendable {
    package var name: String
    package var team: String
    /// The transactions of this store, by token.
    package var writes: [String: Write]
    /// The last sequence is that of the present store.
    package var views: [Views]
    /// nil when the device did not come to an end.
    package var end: End?

    package init(
      name: String,
      team: String,
      writes: [String: Write],
      views: [Views],
      end: End?
    ) {
      self.name = name
      self.team = team
      self.writes = writes
      self.views = views
      self.end = end
    }
  }

  package var devices: [Device]
  /// Transactions that only stores had which older ones replaced.
  package var lost: [String: Write]
  /// The halves of accepted transactions that promotions of a replica have lost, with the IDs that they
  /// had.
  ///
  /// They may leave views, and come again if a store still had them in its queue.
  package var undone: [Half: Set<UInt64>]
  package var database: State
  /// The team of each half in the database.
  package var teams: [Half: String]
  /// The token that a transaction names as seen before, by its own token.
  package var causes: [String: String]

  package init(
    devices: [Device],
    lost: [String: Write] = [:],
    undone: [Half: Set<UInt64>] = [:],
    database: State,
    teams: [Half: String],
    causes: [String: String] = [:]
  ) {
    self.devices = devices
    self.lost = lost
    self.undone = undone
    self.database = database
    self.teams = teams
    self.causes = causes
  }
}
