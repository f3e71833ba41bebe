/// Checks a history of synchronization against its promises.
package struct SyncHistoryCheck {
  private let history: SyncHistory
  /// All transactions of all devices.
  private let written: [String: SyncHistory.Write]
  /// The accepted transactions that promotions have lost.
  private let undone: Set<String>
  /// The transactions whose decision may have changed, since a promotion lost it.
  private let undecided: Set<String>
  /// The teams of accepted writes that competed for unique values, and that a promotion has lost.
  private let contested: Set<String>
  private var faults: Set<SyncHistoryFault> = []

  /// Returns the broken promises.
  ///
  /// - Parameter history: What devices wrote, saw and kept, and what the database kept.
  /// - Returns: The faults; empty when all promises were kept.
  /// - Complexity: O(*n*) for *n* objects in all states together.
  package static func faults(in history: SyncHistory) -> Set<SyncHistoryFault> {
    var check = SyncHistoryCheck(history)
    check.checkState(history.database, "database")
    check.checkDatabase()
    for device in history.devices {
      for (number, views) in device.views.enumerated() {
        check.checkViews(views, of: device, isLast: number == device.views.count - 1)
      }
      check.checkEnd(of: device)
    }
    return check.faults
  }

  private init(_ history: SyncHistory) {
    self.history = history
    written = history.devices.reduce(into: history.lost) { written, device in
      // A killed device may have done what a copy of its journal calls begun.
      written.merge(device.writes) { $0.outcome == .intent ? $1 : $0 }
    }
    let undone = Set(history.undone.keys.map(\.token))
    self.undone = undone
    undecided = undone.isEmpty ? [] : undone.union(Self.competing(in: history))
    contested = Set(
      history.devices.filter { device in
        undone.contains { device.writes[$0]?.kind == .contest }
      }.map(\.team)
    )
  }

  /// Whether a write may leave the view of a device and come again.
  ///
  /// A device hides its waiting write while an accepted one has the unique value. After that one was
  /// lost, it shows the write again.
  private func mayReturn(_ token: String, to device: SyncHistory.Device) -> Bool {
    undecided.contains(token)
      || device.writes[token]?.kind == .contest && contested.contains(device.team)
  }

  /// Returns the transactions of several stores that the server may reject.
  ///
  /// Once a rejection is lost, another store with the transaction can get another decision.
  private static func competing(in history: SyncHistory) -> Set<String> {
    var once: Set<String> = []
    var competing: Set<String> = []
    for writes in history.devices.map(\.writes) + [history.lost] {
      for (token, write) in writes where write.kind == .contest && !once.insert(token).inserted {
        competing.insert(token)
      }
    }
    return competing
  }

  private func accepted(_ token: String) -> Bool {
    ["a", "b"].contains { history.database.halves[.init(token, $0)] != nil }
  }

  /// Whether a waiting write of a device hides the database's half.
  ///
  /// A copied or restored store may give an ID that the database has given already. Until the server
  /// has given the object another ID, the store shows its own object.
  private func isHidden(
    _ half: SyncHistory.Half,
    in state: SyncHistory.State,
    by device: SyncHistory.Device?
  ) -> Bool {
    guard let device else { return false }
    var places = history.undone[half] ?? []
    if let place = history.database.places[half] { places.insert(place) }
    return !places.isEmpty
      && state.places.contains { other, id in
        // A store that was replaced since may have written it.
        places.contains(id) && other != half
          && (device.writes[other.token] ?? history.lost[other.token]) != nil
      }
  }

  /// Checks what holds in each committed state, wherever it is.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - place: The name of the device, or `database`.
  ///   - device: The device whose waiting writes the state may have; nil when nothing waits.
  private mutating func checkState(
    _ state: SyncHistory.State,
    _ place: String,
    with device: SyncHistory.Device? = nil
  ) {
    for (half, count) in state.halves {
      if count > 1 { faults.insert(.doubled(place: place, half: half)) }
      let partner = SyncHistory.Half(half.token, half.part == "a" ? "b" : "a")
      if state.halves[partner] == nil, !isHidden(partner, in: state, by: device) {
        faults.insert(.torn(place: place, token: half.token))
      }
      switch written[half.token]?.outcome {
      case nil: faults.insert(.unknownWrite(place: place, token: half.token))
      case .failed: faults.insert(.failedButThere(place: place, token: half.token))
      case .done, .intent: break
      }
      if let cause = history.causes[half.token], state.halves[.init(cause, "a")] == nil,
        !undecided.contains(cause), !isHidden(.init(cause, "a"), in: state, by: device)
      {
        faults.insert(.effectWithoutCause(place: place, effect: half.token, cause: cause))
      }
    }
    for (number, stamp) in state.cells where !number.isMultiple(of: 2) {
      guard let other = state.cells[number + 1] else {
        faults.insert(.tornCells(place: place, first: number, stamps: [stamp]))
        continue
      }
      if other != stamp {
        faults.insert(.tornCells(place: place, first: number, stamps: [stamp, other]))
      }
    }
  }

  private mutating func checkDatabase() {
    for half in history.database.halves.keys where written[half.token]?.kind == .denied {
      faults.insert(.forbidden(token: half.token))
    }
  }

  /// Checks the order of views of one store.
  private mutating func checkViews(
    _ views: SyncHistory.Views,
    of device: SyncHistory.Device,
    isLast: Bool
  ) {
    var shown: Set<String> = []
    var gone: Set<String> = []
    var stamps: [Int: (present: String, earlier: Set<String>)] = [:]
    let told = Set(device.end?.rejections ?? [])
    for view in views {
      checkState(view, device.name, with: device)
      let tokens = Set(view.halves.keys.map(\.token))
      for token in shown.subtracting(tokens) {
        guard !mayReturn(token, to: device) else { continue }
        gone.insert(token)
        // Only what the server may reject can leave, and only the store that wrote it.
        let mayGo = (device.writes[token] ?? history.lost[token]).map { $0.kind != .plain } ?? false
        if !mayGo || accepted(token) {
          faults.insert(.wentBack(device: device.name, token: token))
        } else if isLast, device.end != nil, !told.contains(token) {
          faults.insert(.untold(device: device.name, token: token))
        }
      }
      for token in tokens.intersection(gone) {
        faults.insert(.wentBack(device: device.name, token: token))
      }
      shown = tokens
      for (cell, stamp) in view.cells {
        guard let known = stamps[cell] else {
          stamps[cell] = (stamp, [])
          continue
        }
        guard known.present != stamp else { continue }
        if known.earlier.contains(stamp), undecided.isDisjoint(with: [stamp, known.present]) {
          faults.insert(.stampWentBack(device: device.name, cell: cell, stamp: stamp))
        }
        stamps[cell] = (stamp, known.earlier.union([known.present]))
      }
    }
  }

  private mutating func checkEnd(of device: SyncHistory.Device) {
    guard let end = device.end, end.waiting == 0 else {
      faults.insert(.stuck(device: device.name))
      return
    }
    checkState(end.state, device.name)
    var told: Set<String> = []
    for token in end.rejections where !told.insert(token).inserted {
      faults.insert(.toldTwice(device: device.name, token: token))
    }
    for token in told {
      if accepted(token), !undecided.contains(token) {
        faults.insert(.acceptedAndTold(device: device.name, token: token))
      }
      switch device.writes[token] {
      case nil: faults.insert(.unknownWrite(place: device.name, token: token))
      case .some(let write) where write.outcome == .failed:
        faults.insert(.failedButThere(place: device.name, token: token))
      case .some(let write) where write.kind == .plain:
        faults.insert(.rejectedWithoutReason(device: device.name, token: token))
      default: break
      }
    }
    for (token, write) in device.writes
    where write.outcome == .done && !accepted(token) && !told.contains(token)
      && !undone.contains(token)
    {
      faults.insert(.lost(device: device.name, token: token))
    }
    checkSame(end.state, device)
  }

  /// Compares what a device has at the end with what its team may see of the database.
  private mutating func checkSame(_ state: SyncHistory.State, _ device: SyncHistory.Device) {
    let expected = Set(history.teams.filter { $0.value == device.team }.keys)
    let found = Set(state.halves.keys)
    for half in expected.subtracting(found) {
      faults.insert(.different(device: device.name, what: "lacks \(half.token) \(half.part)"))
    }
    for half in found.subtracting(expected) {
      faults.insert(.different(device: device.name, what: "has \(half.token) \(half.part)"))
    }
    for cell in Set(state.cells.keys).union(history.database.cells.keys)
    where state.cells[cell] != history.database.cells[cell] {
      faults.insert(.different(device: device.name, what: "cell \(cell)"))
    }
  }
}
