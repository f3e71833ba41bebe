import ObjectBox
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxCluster

/// Random changes of to-many relations in transactions with parts that are undone, compared with sets.
@Suite(.onAnyStore)
struct RandomRelationContractTests {
  /// Undoes a part or a transaction.
  private struct Stop: Error {}

  @Test(arguments: StoreKind.available)
  func `changes of relations are stored as a whole or not at all`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    // In an embedded store, a failure in a part of a part undoes both.
    var run = Run(depth: kind == .cluster ? 3 : 1)
    var most = 0
    for seed in 0..<TestLength.choose(short: 30, long: 400) {
      run.random = SplitMix(seed: seed)
      run.note = "seed \(seed) of \(run.content): "
      do {
        run = try await store.write { [run] transaction in
          var run = run
          try await run.steps(in: transaction, depth: 0)
          if run.random.happens(0.2) { throw Stop() }
          return run
        }
      } catch is Stop {}
      let found = try await store.read { try await Run.content(in: $0) }
      #expect(found == run.content, "\(run.note)")
      if found != run.content { return }
      most = max(most, run.content.rooms.values.map(\.count).reduce(0, +))
    }
    // The transactions must have changed relations.
    #expect(most > 3)
  }

  /// The IDs of new related objects are reserved in blocks, and a put that finds none begins again.
  @Test(arguments: StoreKind.available)
  func `an object that a program makes replaces the stored relation`(_ kind: StoreKind) async throws
  {
    let store = try await AnyStore(kind)
    let id = try await store.box(Room.self).put(Room("first"))
    func again() -> Room {
      let room = Room("again")
      room.id = id
      room.lamps.append(Lamp("lamp"))
      return room
    }
    for count in 1...40 {
      let room = again()
      try await store.box(Room.self).put(room)
      #expect(try await store.ids(room.lamps) == room.lamps.map(\.id), "\(count)")
    }
    let (one, two) = (again(), again())
    try await store.write { transaction in
      try await transaction.put(one)
      try await transaction.put(two)
    }
    #expect(try await store.ids(two.lamps) == two.lamps.map(\.id))
    // A transaction may run again after a conflict.
    let late = again()
    await #expect(throws: Stop.self) {
      try await store.write { transaction in
        try await transaction.put(late)
        throw Stop()
      }
    }
    try await store.box(Room.self).put(late)
    #expect(try await store.ids(late.lamps) == late.lamps.map(\.id))
  }

  private struct Content: Equatable {
    /// The lamps of each room.
    var rooms: [Id: Set<Id>] = [:]
    var lamps: Set<Id> = []
  }

  private struct Run {
    /// The greatest number of parts in each other.
    let depth: Int
    var content = Content()
    var random = SplitMix(seed: 0)
    var note = ""

    static func content(in transaction: AnyTransaction) async throws -> Content {
      var content = Content()
      for room in try await transaction.box(Room.self).all() {
        content.rooms[room.id] = Set(try await transaction.ids(room.lamps))
      }
      content.lamps = Set(try await transaction.box(Lamp.self).all().map(\.id))
      return content
    }

    private mutating func remove(_ lamps: Set<Id>) {
      content.lamps.subtract(lamps)
      content.rooms = content.rooms.mapValues { $0.subtracting(lamps) }
    }

    mutating func steps(in transaction: AnyTransaction, depth: Int) async throws {
      let rooms = transaction.box(Room.self)
      let lamps = transaction.box(Lamp.self)
      for _ in 0..<random.pick([1, 2, 3, 5]) {
        let step = random.pick(Array(0...(depth < self.depth ? 8 : 6)))
        let known = content.rooms.keys.sorted().randomElement(using: &random)
        note += "\(step)" + (known.map { ":\($0) " } ?? " ")
        switch step {
        case 0:
          let room = Room("new")
          room.lamps.append(contentsOf: (0..<random.pick([0, 1, 3])).map { _ in Lamp("new") })
          if let id = content.lamps.sorted().randomElement(using: &random) {
            room.lamps.append(try #require(try await lamps.get(id)))
          }
          try await rooms.put(room)
          content.rooms[room.id] = Set(room.lamps.map(\.id))
          content.lamps.formUnion(room.lamps.map(\.id))
        case 1, 2:
          guard let known else { continue }
          let room = try #require(try await rooms.get(known))
          try await transaction.load(room.lamps)
          #expect(Set(room.lamps.map(\.id)) == content.rooms[known], "\(note)")
          if random.happens(0.4), !room.lamps.isEmpty { room.lamps.removeFirst() }
          if random.happens(0.4) { room.lamps.append(Lamp("more")) }
          if random.happens(0.4), let id = content.lamps.sorted().randomElement(using: &random),
            !room.lamps.contains(where: { $0.id == id })
          {
            room.lamps.append(try #require(try await lamps.get(id)))
          }
          try await rooms.put(room)
          content.rooms[known] = Set(room.lamps.map(\.id))
          content.lamps.formUnion(room.lamps.map(\.id))
        case 3:
          guard let id = content.lamps.sorted().randomElement(using: &random) else { continue }
          try await lamps.remove(id)
          remove([id])
        case 4:
          guard let known, random.happens(0.5) else { continue }
          try await rooms.remove(known)
          // The relation has a rule: its lamps go along.
          remove(content.rooms.removeValue(forKey: known) ?? [])
        case 5:
          // An object that the program has made replaces the stored relation.
          guard let known else { continue }
          let room = Room("again")
          room.id = known
          room.lamps.append(Lamp("other"))
          try await rooms.put(room)
          content.rooms[known] = Set(room.lamps.map(\.id))
          content.lamps.formUnion(room.lamps.map(\.id))
        case 6: #expect(try await Self.content(in: transaction) == content, "\(note)")
        default:
          note += "( "
          let fails = random.happens(0.4)
          var start = self
          start.random = SplitMix(seed: Int(random.next() >> 1))
          do {
            self = try await transaction.part { [start] in
              var run = start
              try await run.steps(in: transaction, depth: depth + 1)
              if fails { throw Stop() }
              return run
            }
            note += ") "
          } catch is Stop { note += "undone ) " }
        }
      }
    }
  }
}
