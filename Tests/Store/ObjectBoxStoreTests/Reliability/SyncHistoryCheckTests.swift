import ObjectBoxReliabilitySupport
import Testing

/// Each test damages a sound history in one way, and expects that way's fault.
struct SyncHistoryCheckTests {
  private typealias Half = SyncHistory.Half
  private typealias State = SyncHistory.State

  /// The state with whole transactions, and with one couple of cells.
  private func state(_ tokens: [String], stamp: String = "p") -> State {
    var state = State(cells: [1: stamp, 2: stamp])
    for token in tokens {
      for part in ["a", "b"] { state.halves[Half(token, part)] = 1 }
    }
    return state
  }

  /// Two devices of one team.
  ///
  /// The first one writes `p`, and `denied`, which is rejected; the second
  /// one writes `q` after it has seen `p`.
  private func sound() -> SyncHistory {
    let first = SyncHistory.Device(
      name: "d1",
      team: "red",
      writes: ["p": .init(.plain, .done), "denied": .init(.denied, .done)],
      views: [[state([]), state(["p", "denied"]), state(["p"]), state(["p", "q"], stamp: "q")]],
      end: .init(state: state(["p", "q"], stamp: "q"), rejections: ["denied"])
    )
    let second = SyncHistory.Device(
      name: "d2",
      team: "red",
      writes: ["q": .init(.plain, .done), "unsure": .init(.plain, .intent)],
      views: [[state(["p"]), state(["p", "q"], stamp: "q")]],
      end: .init(state: state(["p", "q"], stamp: "q"))
    )
    let database = state(["p", "q"], stamp: "q")
    return SyncHistory(
      devices: [first, second],
      database: database,
      teams: database.halves.mapValues { _ in "red" },
      causes: ["q": "p"]
    )
  }

  /// Returns the faults after a change of the sound history.
  private func faults(_ change: (inout SyncHistory) -> Void) -> Set<SyncHistoryFault> {
    var history = sound()
    change(&history)
    return SyncHistoryCheck.faults(in: history)
  }

  private func halves(of token: String, _ ids: Set<UInt64> = []) -> [Half: Set<UInt64>] {
    [Half(token, "a"): ids, Half(token, "b"): ids]
  }

  private func remove(_ token: String, from state: inout State) {
    for part in ["a", "b"] { state.halves[Half(token, part)] = nil }
  }

  @Test func `a sound history has no fault`() {
    #expect(faults { _ in } == [])
  }

  @Test func `an acknowledged write that nobody has is lost`() {
    let found = faults { $0.devices[0].writes["gone"] = .init(.contest, .done) }
    #expect(found == [.lost(device: "d1", token: "gone")])
  }

  @Test func `a write that a kill interrupted may be nowhere`() {
    #expect(faults { $0.devices[0].writes["gone"] = .init(.plain, .intent) } == [])
  }

  @Test func `an object that the database has twice is doubled`() {
    let found = faults { $0.database.halves[Half("q", "a")] = 2 }
    #expect(found == [.doubled(place: "database", half: Half("q", "a"))])
  }

  @Test func `an object that a device has twice is doubled`() {
    let found = faults { $0.devices[1].end?.state.halves[Half("q", "b")] = 2 }
    #expect(found == [.doubled(place: "d2", half: Half("q", "b"))])
  }

  @Test func `a view with half of a transaction is torn`() {
    let found = faults { $0.devices[0].views[0][3].halves[Half("q", "b")] = nil }
    #expect(found == [.torn(place: "d1", token: "q")])
  }

  @Test func `a view with cells of two transactions is torn`() {
    let found = faults { $0.devices[0].views[0][2].cells[2] = "q" }
    #expect(found == [.tornCells(place: "d1", first: 1, stamps: ["p", "q"])])
  }

  @Test func `a database with half of a transaction is torn`() {
    let found = faults {
      $0.database.halves[Half("q", "a")] = nil
      $0.teams[Half("q", "a")] = nil
    }
    #expect(found.contains(.torn(place: "database", token: "q")))
  }

  @Test func `a view without its own confirmed write goes back`() {
    let found = faults { remove("p", from: &$0.devices[0].views[0][2]) }
    #expect(found == [.wentBack(device: "d1", token: "p")])
  }

  @Test func `a view without a write of others that it had goes back`() {
    let found = faults { history in
      history.devices[0].views[0].append(history.devices[0].views[0][3])
      remove("q", from: &history.devices[0].views[0][4])
    }
    #expect(found == [.wentBack(device: "d1", token: "q")])
  }

  @Test func `a rejected write that returns goes back`() {
    let found = faults { history in
      history.devices[0].views[0][3].halves.merge(
        [Half("denied", "a"): 1, Half("denied", "b"): 1],
        uniquingKeysWith: +
      )
    }
    #expect(found.contains(.wentBack(device: "d1", token: "denied")))
  }

  @Test func `an earlier stamp that returns goes back`() {
    let found = faults { history in
      var view = history.devices[0].views[0][3]
      view.cells = [1: "p", 2: "p"]
      history.devices[0].views[0].append(view)
    }
    #expect(
      found == [
        .stampWentBack(device: "d1", cell: 1, stamp: "p"),
        .stampWentBack(device: "d1", cell: 2, stamp: "p"),
      ]
    )
  }

  @Test func `a restored store may show less than before`() {
    #expect(
      faults { history in
        let views = history.devices[1].views[0]
        history.devices[1].views.append([state([]), views[0], views[1]])
      } == []
    )
  }

  @Test func `an effect without its cause is noticed`() {
    let found = faults { remove("p", from: &$0.devices[1].views[0][0]) }
    #expect(found == [])
    let effect = faults { remove("p", from: &$0.devices[1].views[0][1]) }
    #expect(effect.contains(.effectWithoutCause(place: "d2", effect: "q", cause: "p")))
  }

  @Test func `a waiting object hides the database's object with its ID, and no other one`() {
    let found = faults { history in
      history.database.places = [Half("p", "a"): 1, Half("p", "b"): 2]
      remove("p", from: &history.devices[1].views[0][1])
      history.devices[1].views[0].remove(at: 0)
      history.devices[1].views[0][0].places = [Half("q", "a"): 1, Half("q", "b"): 2]
    }
    #expect(found == [])
    // The store was replaced by an older one later.
    let replaced = faults { history in
      history.database.places = [Half("p", "a"): 1, Half("p", "b"): 2]
      history.lost["gone"] = .init(.contest, .done)
      var view = state(["q", "gone"], stamp: "q")
      view.places = [Half("gone", "a"): 1, Half("gone", "b"): 2]
      history.devices[1].views.insert([view], at: 0)
    }
    #expect(replaced == [])
    let elsewhere = faults { history in
      history.database.places = [Half("p", "a"): 1, Half("p", "b"): 2]
      remove("p", from: &history.devices[1].views[0][1])
      history.devices[1].views[0].remove(at: 0)
      history.devices[1].views[0][0].places = [Half("q", "a"): 3, Half("q", "b"): 4]
    }
    #expect(elsewhere == [.effectWithoutCause(place: "d2", effect: "q", cause: "p")])
  }

  @Test func `a waiting object hides an object that a promotion lost`() {
    let change: (inout SyncHistory) -> Void = { history in
      history.devices[1].writes["own"] = .init(.contest, .done)
      history.devices[1].end?.rejections = ["own"]
      var view = state(["p", "own"])
      view.places = [Half("own", "a"): 7, Half("own", "b"): 8]
      view.halves[Half("lost", "a")] = 1
      history.devices[1].views[0].insert(view, at: 1)
      history.devices[0].writes["lost"] = .init(.plain, .done)
    }
    let found = faults { history in
      change(&history)
      history.undone = [Half("lost", "a"): [6], Half("lost", "b"): [7]]
    }
    #expect(found == [])
    let elsewhere = faults { history in
      change(&history)
      history.undone = [Half("lost", "a"): [6], Half("lost", "b"): [9]]
    }
    #expect(elsewhere == [.torn(place: "d2", token: "lost")])
  }

  @Test func `a rejection that is not told is noticed`() {
    let found = faults { $0.devices[0].end?.rejections = [] }
    #expect(
      found == [
        .untold(device: "d1", token: "denied"), .lost(device: "d1", token: "denied"),
      ]
    )
  }

  @Test func `a rejection that is told twice is noticed`() {
    let found = faults { $0.devices[0].end?.rejections.append("denied") }
    #expect(found == [.toldTwice(device: "d1", token: "denied")])
  }

  @Test func `a write that is accepted and told is noticed`() {
    let found = faults { history in
      history.devices[1].writes["q"]?.kind = .contest
      history.devices[1].end?.rejections = ["q"]
    }
    #expect(found == [.acceptedAndTold(device: "d2", token: "q")])
  }

  @Test func `a rejection that nothing explains is noticed`() {
    let found = faults { $0.devices[1].end?.rejections = ["unsure"] }
    #expect(found == [.rejectedWithoutReason(device: "d2", token: "unsure")])
  }

  @Test func `a rejection of a write that nobody made is noticed`() {
    let found = faults { $0.devices[1].end?.rejections = ["strange"] }
    #expect(found == [.unknownWrite(place: "d2", token: "strange")])
  }

  @Test func `a forbidden write in the database is noticed`() {
    let found = faults { $0.devices[1].writes["q"]?.kind = .denied }
    #expect(found == [.forbidden(token: "q")])
  }

  @Test func `an object that nobody wrote is noticed`() {
    let found = faults { history in
      for part in ["a", "b"] { history.devices[1].views[0][1].halves[Half("strange", part)] = 1 }
    }
    #expect(found == [.unknownWrite(place: "d2", token: "strange")])
  }

  @Test func `an object of a call that has thrown is noticed`() {
    let found = faults { $0.devices[1].writes["q"]?.outcome = .failed }
    #expect(found.contains(.failedButThere(place: "database", token: "q")))
  }

  @Test func `a write of a replaced store may be there or not`() {
    #expect(faults { $0.lost["gone"] = .init(.plain, .done) } == [])
    let found = faults { history in
      history.devices[1].writes["q"] = nil
      history.lost["q"] = .init(.plain, .done)
    }
    #expect(found == [])
  }

  /// The sound history after a promotion that lost `q`, with which the second device has stamped.
  private func undoneFaults(_ change: (inout SyncHistory) -> Void) -> Set<SyncHistoryFault> {
    faults { history in
      history.undone = halves(of: "q")
      history.database = state(["p"])
      history.teams = history.database.halves.mapValues { _ in "red" }
      for index in history.devices.indices {
        history.devices[index].views[0].append(state(["p"]))
        history.devices[index].end?.state = state(["p"])
      }
      change(&history)
    }
  }

  @Test func `an accepted write that a promotion lost may leave, or come again`() {
    #expect(undoneFaults { _ in } == [])
    let again = faults { history in
      history.undone = halves(of: "q")
      for index in history.devices.indices {
        history.devices[index].views[0] += [state(["p"]), state(["p", "q"], stamp: "q")]
      }
    }
    #expect(again == [])
    // The effect stays without its cause.
    let effect = faults { history in
      history.undone = halves(of: "p")
      history.database = state(["q"], stamp: "q")
      history.teams = history.database.halves.mapValues { _ in "red" }
      for index in history.devices.indices {
        history.devices[index].views[0].append(history.database)
        history.devices[index].end?.state = history.database
      }
    }
    #expect(effect == [])
  }

  @Test func `a promotion excuses nothing of the writes that it did not lose`() {
    let gone = undoneFaults { $0.devices[0].writes["gone"] = .init(.plain, .done) }
    #expect(gone == [.lost(device: "d1", token: "gone")])
    let back = undoneFaults { remove("p", from: &$0.devices[0].views[0][4]) }
    #expect(back == [.wentBack(device: "d1", token: "p")])
  }

  @Test func `a promotion excuses no difference, no doubled and no torn write`() {
    let different = undoneFaults { $0.devices[0].end?.state = state(["p", "q"], stamp: "q") }
    #expect(different.contains(.different(device: "d1", what: "has q a")))
    #expect(different.contains(.different(device: "d1", what: "cell 1")))
    let doubled = faults { history in
      history.undone = halves(of: "q")
      history.database.halves[Half("q", "a")] = 2
    }
    #expect(doubled == [.doubled(place: "database", half: Half("q", "a"))])
    let torn = undoneFaults { $0.devices[0].views[0][3].halves[Half("q", "b")] = nil }
    #expect(torn == [.torn(place: "d1", token: "q")])
  }

  @Test func `a write that an accepted one hid is there again after a promotion lost that one`() {
    let change: (inout SyncHistory) -> Void = { history in
      history.devices[0].writes["hidden"] = .init(.contest, .done)
      history.database = state(["p", "q", "hidden"], stamp: "q")
      history.teams = history.database.halves.mapValues { _ in "red" }
      for index in history.devices.indices {
        history.devices[index].end?.state = history.database
        history.devices[index].views[0].append(history.database)
      }
      history.devices[0].views[0].insert(state(["p", "denied", "hidden"]), at: 2)
    }
    #expect(faults(change).contains(.wentBack(device: "d1", token: "hidden")))
    let found = faults { history in
      change(&history)
      history.undone = halves(of: "winner")
      history.devices[1].writes["winner"] = .init(.contest, .done)
    }
    #expect(found == [])
  }

  @Test func `a rejection that a promotion lost may become another decision for a copy`() {
    let change: (inout SyncHistory) -> Void = { history in
      for device in 0...1 { history.devices[device].writes["q"] = .init(.contest, .done) }
      history.devices[0].end?.rejections = ["denied", "q"]
    }
    #expect(faults(change) == [.acceptedAndTold(device: "d1", token: "q")])
    let found = faults { history in
      change(&history)
      history.undone = halves(of: "other")
    }
    #expect(found == [])
  }

  @Test func `an object that a device lacks at the end is a difference`() {
    let found = faults { history in
      history.devices[0].views = [[]]
      remove("q", from: &history.devices[0].end!.state)
    }
    #expect(
      found == [
        .different(device: "d1", what: "lacks q a"), .different(device: "d1", what: "lacks q b"),
      ]
    )
  }

  @Test func `an object of another team that a device has at the end is a difference`() {
    let found = faults { history in
      for part in ["a", "b"] { history.teams[Half("q", part)] = "green" }
      history.devices[1].team = "green"
      history.devices[1].end?.state = state(["q"], stamp: "q")
      history.causes = [:]
    }
    #expect(
      found == [
        .different(device: "d1", what: "has q a"), .different(device: "d1", what: "has q b"),
      ]
    )
  }

  @Test func `a cell with another stamp at the end is a difference`() {
    let found = faults { $0.devices[1].end?.state.cells = [1: "p", 2: "p"] }
    #expect(
      found == [
        .different(device: "d2", what: "cell 1"), .different(device: "d2", what: "cell 2"),
      ]
    )
  }

  @Test func `a device with waiting transactions or without an end is stuck`() {
    let waiting = faults { $0.devices[0].end?.waiting = 1 }
    #expect(waiting == [.stuck(device: "d1")])
    let endless = faults { $0.devices[1].end = nil }
    #expect(endless == [.stuck(device: "d2")])
  }
}
