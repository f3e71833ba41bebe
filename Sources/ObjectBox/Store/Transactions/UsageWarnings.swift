internal import Foundation
internal import Synchronization

/// Warnings of debug builds about uses of a store that are legal and unwise.
///
/// A class, since all who use the store share it.
final class UsageWarnings: Sendable {
  /// Whether anything is told at all.
  static var areOn: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  /// After how many commits a version has been kept alive for long.
  static let longLifeInCommits = 1_000

  /// The commit from which on it is worth looking for versions that have been kept for long; no commit is
  /// greater than `Int.max`, for none.
  private let dueVersion = Atomic<Int>(.max)
  /// How long a write may keep the main actor waiting for its turn.
  let turnLimit = Guarded(Duration.milliseconds(250))
  /// The calls whose holders have been warned of.
  private let warnedSites = Guarded<Set<String>>([])
  private let sink: Guarded<@Sendable (String) -> Void> = Guarded { text in
    FileHandle.standardError.write(Data("ObjectBox: warning: \(text)\n".utf8))
  }

  /// Sends what is told somewhere else than to standard error.
  func setSink(_ sink: @escaping @Sendable (String) -> Void) {
    self.sink.withLock { $0 = sink }
  }

  func tell(_ text: String) {
    let sink = sink.copy
    sink(text)
  }

  // MARK: Turns

  /// Begins a write that waits for its turn, and tells when the main actor was kept waiting.
  ///
  /// - Parameter begin: Waits, and begins.
  /// - Returns: What it returns.
  /// - Throws: What it throws.
  @inline(__always)
  func waitingForTurn<T>(_ begin: () throws -> T) rethrows -> T {
    guard Self.areOn else { return try begin() }
    let start = ContinuousClock.now
    let begun = try begin()
    let wait = start.duration(to: .now)
    if wait >= turnLimit.copy, CurrentActor.isIt(MainActor.shared) {
      tell(
        "a blocking write on the main actor waited \(wait) for its turn; use 'try await write' or "
          + "writeAsync there"
      )
    }
    return begun
  }

  // MARK: Versions

  /// Takes note of a pinned version; the lock of the pinned versions is held.
  func expect(_ pin: PinnedVersion) {
    guard Self.areOn, pin.holder.mayWarn else { return }
    let due = pin.version + Self.longLifeInCommits
    if due < dueVersion.load(ordering: .relaxed) { dueVersion.store(due, ordering: .relaxed) }
  }

  /// True when holders may be there that are to be warned of.
  @inline(__always)
  func areDue(at version: Int) -> Bool {
    Self.areOn && version >= dueVersion.load(ordering: .relaxed)
  }

  /// Returns the warnings of versions that have been kept alive for long, once for each call that makes
  /// holders; the lock of the pinned versions is held.
  func ofLongLives(_ pinned: PinnedVersions, at version: Int) -> [String] {
    var texts: [String] = []
    var due = Int.max
    for pin in pinned.versions.values.sorted(by: { $0.version < $1.version })
    where pin.holder.mayWarn {
      guard let site = pin.holder.site?.description else { continue }
      if warnedSites.withLock({ $0.contains(site) }) { continue }
      if version - pin.version < Self.longLifeInCommits {
        due = min(due, pin.version + Self.longLifeInCommits)
      } else {
        warnedSites.withLock { _ = $0.insert(site) }
        texts.append(Self.text(pin.information, commits: version - pin.version))
      }
    }
    dueVersion.store(due, ordering: .relaxed)
    return texts
  }

  private static func text(_ version: VersionInfo, commits: Int) -> String {
    let advice =
      switch version.kind {
      case .live: "call refresh() or invalidate() on it, or turn autorefresh on"
      case .snapshot: "let it go, or call invalidate() on it"
      }
    return
      "\(version.holder) has kept version \(version.version) alive for \(commits) commits, so the "
      + "file grows with each; \(advice); maximumNumberOfActiveVersions sets a limit"
  }
}

extension PinnedVersion.Holder {
  /// Whether it can keep a version for long without being meant to move.
  fileprivate var mayWarn: Bool { site != nil && !movesByItself }
}

extension StoreTransactions {
  /// Warns of those who keep versions alive for long; called after each commit.
  @inline(__always)
  func warnOfLongLives(at version: Int) {
    if warnings.areDue(at: version) { warnOfFoundLongLives(at: version) }
  }

  @inline(never)
  private func warnOfFoundLongLives(at version: Int) {
    let texts = pinned.withLock { warnings.ofLongLives($0, at: version) }
    for text in texts { warnings.tell(text) }
  }
}
