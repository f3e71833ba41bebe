/// A version of the store that is kept alive.
public struct VersionInfo: Hashable, Sendable {
  /// The kind of the holder.
  public enum Kind: Hashable, Sendable {
    /// A snapshot.
    case snapshot
    /// A live view.
    case live
    /// A check of the store.
    case check
    /// A backup that is being written.
    case backup
  }

  /// The number of the commit.
  public let version: Int
  /// The kind of the holder.
  public let kind: Kind
  /// Time for which this holder has kept the version alive.
  public let age: Duration
  /// The file of the call that made the holder, as `Module/File.swift`.
  ///
  /// Nil for a holder of the library itself, such as the snapshot of a `ThreadSafe` variable.
  public let file: String?
  /// The line of the call that made the holder, from 1.
  public let line: Int?

  package init(version: Int, kind: Kind, age: Duration, site: CallSite?) {
    self.version = version
    self.kind = kind
    self.age = age
    file = site.map { "\($0.file)" }
    line = site.map { Int($0.line) }
  }

  /// The holder in messages, such as `a snapshot made at App/Notes.swift:12`.
  var holder: String { kind.name + (file.map { " made at \($0):\(line ?? 0)" } ?? "") }
}

extension VersionInfo.Kind {
  /// The name of the kind in messages.
  var name: String {
    switch self {
    case .snapshot: "a snapshot"
    case .live: "a live view"
    case .check: "a check of the store"
    case .backup: "a backup"
    }
  }
}
