import ObjectBoxSyncProtocol

/// The hub's state when it read a cut, for the checker.
struct HubState {
  let rows: [ObjectKey: Row]
  /// The owners whose objects the device's user may see.
  let owners: [Int64]
  /// True if the user's rules follow relations too.
  let hasLinks: Bool
  /// The model of which the device and its server both know everything.
  let age: Age

  init(_ hub: TrialHub, user: Int, _ age: Age = .second) {
    rows = age == .second ? hub.rows : hub.rows.mapValues { age.reduced($0, hub.age) }
    self.age = age
    owners = hub.grants[user]
    hasLinks = hub.hasLinks
  }
}

/// A message under way.
enum Message {
  case upload(Upload)
  case want(Want)
  case digests(Digests)
  case lend(Lend)
  case reply(HubReply)
  /// A cut with the hub's state at its snapshot, for the checker.
  case cut(Cut, HubState)
  case reset(Reset)
  case refine(Refine)
  case lease(Lease)

  var name: String {
    switch self {
    case .upload(let upload): "upload of \(upload.transactions.map(\.sequence))"
    case .want(let want): "want after \(want.confirmed)"
    case .digests(let digests):
      "digests of \(digests.ranges.elements.count) ranges of \(digests.ranges.size)"
    case .lend: "lend"
    case .reply(let reply): "\(reply)"
    case .cut(let cut, _):
      "cut to \(cut.cursor.snapshot.xmax), \(cut.rows.count) rows, \(cut.leaves.count) leaves, "
        + "\(cut.verdicts.count) verdicts\(cut.stage == 0 ? "" : ", over staged parts")"
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
