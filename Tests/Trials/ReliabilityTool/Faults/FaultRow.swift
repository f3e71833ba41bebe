import Foundation

/// A fault of system calls, and the scene in which it occurs.
struct FaultRow: Sendable {
  enum Scene: String, Sendable, CaseIterable {
    /// Makes a store.
    case create
    /// Opens a store.
    case open
    /// Writes steps of several workloads.
    case write
    /// Opens the store under a newer model.
    case upgrade
    /// Compacts the store, and writes to it.
    case compact
    /// Backs the store up.
    case backup
  }

  let call: String
  let name: String
  let code: Int32
  /// True when all calls from the chosen one on fail, until the faults end.
  let isLasting: Bool
  let scene: Scene

  var title: String { "\(scene) \(call) \(name)\(isLasting ? " lasting" : "")" }

  /// Codes of `shim.c`: a call that does half its work, a call that succeeds but reports a failure,
  /// and a synced write that only the system's cache gets.
  private static let half: Int32 = -1
  private static let late: Int32 = -2
  static let forgotten: Int32 = -3

  private static let kinds: [(call: String, name: String, code: Int32)] = [
    ("write", "ENOSPC", ENOSPC), ("write", "EIO", EIO), ("write", "EINTR", EINTR),
    ("write", "half", half), ("write", "late EIO", late),
    ("head", "ENOSPC", ENOSPC), ("head", "EIO", EIO), ("head", "EINTR", EINTR),
    ("head", "half", half), ("head", "late EIO", late), ("head", "forgotten EIO", forgotten),
    ("sync", "EIO", EIO), ("sync", "ENOSPC", ENOSPC), ("sync", "EINTR", EINTR),
    ("sync", "late EIO", late),
    ("truncate", "ENOSPC", ENOSPC), ("truncate", "EIO", EIO),
    ("rename", "EIO", EIO), ("mmap", "ENOMEM", ENOMEM), ("malloc", "ENOMEM", ENOMEM),
    ("open", "EMFILE", EMFILE), ("open", "EIO", EIO), ("open", "EINTR", EINTR),
  ]
  /// Plain stores reserve no room.
  private static let encryptedKinds: [(call: String, name: String, code: Int32)] = [
    ("reserve", "ENOSPC", ENOSPC), ("reserve", "EIO", EIO), ("reserve", "EINTR", EINTR),
  ]

  static let all: [FaultRow] = Scene.allCases.flatMap { scene in
    (kinds + (TrialStore.isEncrypted ? encryptedKinds : [])).flatMap { kind in
      [false, true].compactMap { isLasting in
        // A call that is always interrupted would be retried for ever.
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
