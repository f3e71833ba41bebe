import ObjectBoxSyncProtocol

/// The server's state when it read a delta, for the checker.
struct ServerState {
  let rows: [ObjectKey: Row]
  /// The owners whose objects the device's user may see.
  let owners: [Int64]
  /// True if the user's rules follow relations too.
  let hasLinks: Bool
  /// The model of which the device and its server both know everything.
  let age: Age

  init(_ server: TrialServer, user: Int, _ age: Age = .second) {
    rows = age == .second ? server.rows : server.rows.mapValues { age.reduced($0, server.age) }
    self.age = age
    owners = server.grants[user]
    hasLinks = server.hasLinks
  }
}

/// A message under way.
enum Message {
  case upload(Upload)
  case deltaRequest(DeltaRequest)
  case digests(Digests)
  case lend(Lend)
  case reply(ServerReply)
  /// A delta with the server's state at its snapshot, for the checker.
  case delta(Delta, ServerState)
  case reset(Reset)
  case refine(Refine)
  case lease(Lease)

  var name: String {
    switch self {
    case .upload(let upload): "upload of \(upload.transactions.map(\.sequence))"
    case .deltaRequest(let deltaRequest): "request after \(deltaRequest.confirmed)"
    case .digests(let digests):
      "digests of \(digests.ranges.elements.count) ranges of \(digests.ranges.size)"
    case .lend: "lend"
    case .reply(let reply): "\(reply)"
    case .delta(let delta, _):
      "delta to \(delta.cursor.snapshot.xmax), \(delta.rows.count) rows, \(delta.leaves.count) leaves, "
        + "\(delta.decisions.count) decisions\(delta.stagingArea == 0 ? "" : ", over staged parts")"
    case .reset: "reset"
    case .refine(let refine):
      "\(refine.part.map { "part of \($0.rows.count) rows, " } ?? "")refine "
        + "\(refine.ranges.count) ranges to \(refine.size), \(refine.rest.count) later"
    case .lease: "lease"
    }
  }
}

/// A message on the connection of a device.
struct Envelope {
  let device: TrialDevice
  let message: Message
}
