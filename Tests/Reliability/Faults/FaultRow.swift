import Foundation

/// A fault of the system's calls, and the part of a store's life in which it happens.
struct FaultRow: Sendable {
  enum Scene: String, Sendable, CaseIterable {
    /// A store is made.
    case create
    /// A store is opened.
    case open
    /// Steps of several workloads are written.
    case write
    /// The store is opened under a newer model.
    case upgrade
    /// The store is compacted, and written to.
    case compact
    /// The store is backed up.
    case backup
  }

  let call: String
  let name: String
  let code: Int32
  /// True when all calls fail from the chosen one on, until the system is well again.
  let isLasting: Bool
  let scene: Scene

  var title: String { "\(scene) \(call) \(name)\(isLasting ? " lasting" : "")" }

  /// The codes of `shim.c` for a call that does half, and for one that is done and then told as failed.
  private static let half: Int32 = -1
  private static let late: Int32 = -2

  private static let kinds: [(call: String, name: String, code: Int32)] = [
    ("write", "ENOSPC", ENOSPC), ("write", "EIO", EIO), ("write", "EINTR", EINTR),
    ("write", "half", half), ("write", "late EIO", late),
    ("head", "ENOSPC", ENOSPC), ("head", "EIO", EIO), ("head", "EINTR", EINTR),
    ("head", "half", half), ("head", "late EIO", late),
    ("sync", "EIO", EIO), ("sync", "ENOSPC", ENOSPC), ("sync", "EINTR", EINTR),
    ("sync", "late EIO", late),
    ("truncate", "ENOSPC", ENOSPC), ("truncate", "EIO", EIO),
    ("rename", "EIO", EIO), ("mmap", "ENOMEM", ENOMEM), ("malloc", "ENOMEM", ENOMEM),
    ("open", "EMFILE", EMFILE), ("open", "EIO", EIO), ("open", "EINTR", EINTR),
  ]

  static let all: [FaultRow] = Scene.allCases.flatMap { scene in
    kinds.flatMap { kind in
      [false, true].compactMap { isLasting in
        // A call that is interrupted for ever is repeated for ever.
        if isLasting && kind.name == "EINTR" { return nil }
        return FaultRow(
          call: kind.call,
          name: kind.name,
          code: kind.code,
          isLasting: isLasting,
          scene: scene
        )
      }
    }
  }
}
