import Foundation
import ObjectBox
import ObjectBoxSync
import ObjectBoxSyncProtocol
import ObjectBoxSyncServer

/// The first fill of a device over the network, beside a COPY whose result is discarded.
struct Fill {
  private let database: Database

  init(_ database: Database) { self.database = database }

  func run() async throws {
    let count = Main.number("COUNT", 1_000_000)
    let server = try Child([database.address, "serve", database.schema])
    let url = "ws://127.0.0.1:\(try server.line())"
    Report.note("fill: \(count) objects")
    try database.fill(count, of: "user 1")
    try await server.waitUntilIdle()
    var copies: [Double] = []
    for _ in 0..<3 {
      let start = Usage.clock
      _ = try Child.output(
        of: "bash",
        [
          "-c", "exec psql -qAtX -d \"$0\" -c \"$1\" >/dev/null", database.address,
          "COPY (SELECT * FROM \"\(database.schema)\".\"Item\") TO STDOUT (FORMAT binary)",
        ]
      )
      copies.append(Double(count) / (Usage.clock - start))
    }
    let before = Usage.time(of: server.pid)
    let base = try database.serverTime()
    let device = try Child([url, "device", "user 1"])
    let fields = try device.line().split(separator: " ").compactMap { Double($0) }
    guard fields.count == 5, fields[0] == Double(count) else {
      Main.fail("the device has not all objects")
    }
    let speed = fields[0] / fields[1]
    let backend =
      try database.serverTime().reduce(0.0) { $0 + Double($1.value - (base[$1.key] ?? 0)) } / 1e9
    Report.atLeast("first fill into a device", 200_000, speed, " objects a second")
    Report.atLeast("… to a discarded COPY", 0.35, speed / copies.median)
    func share(_ seconds: Double) -> String { "\(Report.short(seconds * 1e6 / fields[0])) µs" }
    Report.line("… processor time an object: device", share(fields[2]))
    Report.line("… server", share(Usage.time(of: server.pid) - before))
    Report.line("… database", share(backend))
    Report.line(
      "… peak memory of the device",
      "\(Report.short(fields[3])) MB, without files \(Report.short(fields[4])) MB"
    )
    Report.line(
      "… peak memory of the server",
      "\(Report.short(Usage.memory("VmHWM", of: server.pid))) MB"
    )
    try device.stop()
    try server.stop()
  }
}

/// A device whose cursor is of no use any more, when 1 % of its objects have changed.
struct LostCursor {
  private let database: Database

  init(_ database: Database) { self.database = database }

  func run() async throws {
    let count = Main.number("COUNT", 1_000_000)
    let server = try await SyncedServer(database)
    Report.note("reset: \(count) objects")
    try database.fill(count, of: "user 1")
    let folder = try Folder()
    let store = try Store(directoryPath: folder.path, maxDbSizeInKByte: 4 << 20)
    let synced = try SyncedStore(store)
    let scopes = [server.scope(of: "user 1")]
    let first = try await fill(synced, server, scopes)
    Report.line(
      "bytes of a first fill of \(count)",
      "\(Report.short(Double(first) / Double(count))) an object"
    )
    // A write that waits while the cursor is lost.
    try store.box(for: Item.self).put(Item(owner: "user 1", number: 0))
    let changes: [(name: String, condition: String)] = [
      ("1 % changed, one after another", "id > \(count - count / 100)"),
      ("1 % changed, scattered", "id % 100 = 0"),
    ]
    for change in changes {
      try database.sql("UPDATE @\"Item\" SET count = count + 1 WHERE \(change.condition)")
      let own = Usage.own
      var bytes = 0
      func travelled(_ message: WireMessage) throws -> WireMessage {
        let encoded = message.encoded()
        bytes += encoded.count
        return try WireMessage(decoding: encoded)
      }
      let deltaRequest = try synced.deltaRequest()
      guard let epoch = deltaRequest.cursor?.epoch else { Main.fail("the device has no cursor") }
      let reset = Reset(state: deltaRequest.state, epoch: epoch)
      var next = try synced.receive(reset, size: RangeDigests.firstSize)
      var steps = 0
      var rows = 0
      while let made = next, case .digests(let digests) = try travelled(.digests(made)) {
        steps += 1
        switch try await ResetReading(server.server).read(digests, granted: scopes) {
        case .refine(let answer):
          guard case .refine(let refine) = try travelled(.refine(answer)) else { break }
          next = try synced.receive(refine)
        case .delta(let answer):
          guard case .delta(let delta) = try travelled(.delta(answer)), delta.scopes.isComplete,
            try synced.receive(delta) == .taken
          else { Main.fail("the device did not take the delta of the reset") }
          rows = delta.rows.count
          next = nil
        case .reset, .forked: Main.fail("the reset was not answered")
        }
      }
      guard try synced.waitingCount == 1, try store.box(for: Item.self).count() == count + 1 else {
        Main.fail("a waiting write was lost")
      }
      Report.atMost(
        "cursor lost, \(change.name): bytes to those of a first fill",
        3,
        100 * Double(bytes) / Double(first),
        " %"
      )
      Report.line(
        "… for each object of the store",
        "\(Report.short(Double(bytes) / Double(count))) bytes"
      )
      Report.line(
        "… processor time of device and server",
        "\(Report.short(Usage.own - own)) s, \(rows) rows sent in \(steps) steps"
      )
    }
  }

  /// Fills a store without a network, and returns the bytes that would travel.
  private func fill(_ synced: SyncedStore, _ server: SyncedServer, _ scopes: [Scope]) async throws
    -> Int
  {
    var bytes = 0
    var times = (read: 0.0, encode: 0.0, decode: 0.0, apply: 0.0)
    func timed<T>(
      _ place: WritableKeyPath<
        (read: Double, encode: Double, decode: Double, apply: Double), Double
      >,
      _ body: () async throws -> T
    ) async rethrows -> T {
      let start = Usage.own
      defer { times[keyPath: place] += Usage.own - start }
      return try await body()
    }
    while true {
      let deltaRequest = try synced.deltaRequest()
      guard
        case .delta(let delta) = try await timed(
          \.read,
          { try await server.deltas.read(deltaRequest, granted: scopes) }
        )
      else {
        Main.fail("the server did not answer with a delta")
      }
      let encoded = await timed(\.encode) { WireMessage.delta(delta).encoded() }
      bytes += encoded.count
      guard
        case .delta(let arrived) = try await timed(\.decode, { try WireMessage(decoding: encoded) }),
        try await timed(\.apply, { try synced.receive(arrived) }) == .taken
      else { Main.fail("the device did not take the delta") }
      if delta.scopes.isComplete { break }
    }
    let count = Double(Main.number("COUNT", 1_000_000))
    for (name, time) in [
      ("the server's reading", times.read), ("encoding", times.encode), ("decoding", times.decode),
      ("the device's writing", times.apply),
    ] {
      Report.line(
        "… first fill, processor time an object: \(name)",
        "\(Report.short(time * 1e6 / count)) µs"
      )
    }
    return bytes
  }
}
