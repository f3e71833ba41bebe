internal import Foundation
internal import Synchronization

/// Warns in debug builds of legal but unwise uses of a store.
final class UsageWarnings: Sendable {
  /// True in debug builds.
  static var areOn: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  /// The age, in commits, at which a version counts as long-lived.
  static let longLifeInCommits = 1_000

  /// The number of the first commit at which a pinned version may be long-lived; `Int.max` for
  /// none.
  private let dueVersion = Atomic<Int>(.max)
  /// Time that a blocking write of the main actor may wait for the write lock without a warning.
  let writeLockWaitLimit = Guarded(Duration.milliseconds(250))
  /// The calls with holders that were already reported.
  private let warnedSites = Guarded<Set<String>>([])
  /// The function that receives warnings.
  let sink: Guarded<@Sendable (String) -> Void> = Guarded { text in
    FileHandle.standardError.write(Data("ObjectBox: warning: \(text)\n".utf8))
  }

  /// Sends a warning; holds no lock meanwhile.
  func tell(_ text: String) { sink.copy(text) }

  // MARK: Write lock

  /// Begins a write, and warns if the main actor waited too long for the write lock.
  ///
  /// - Parameter begin: Waits for the lock and begins the write.
  /// - Returns: The result of `begin`.
  /// - Throws: The error of `begin`.
  func waitingForWriteLock<T>(_ begin: () throws -> T) rethrows -> T {
    guard Self.areOn else { return try begin() }
    let start = ContinuousClock.now
    let begun = try begin()
    let wait = start.duration(to: .now)
    if wait >= writeLockWaitLimit.copy, CurrentActor.isIt(MainActor.shared) {
      tell(
        "a blocking write on the main actor waited \(wait) for the write lock; use 'try await write' or "
          + "writeAsync there"
      )
    }
    return begun
  }

  // MARK: Versions

  /// Notes a pinned version.
  ///
  /// The caller holds the lock of the pinned versions.
  func expect(_ pin: PinnedVersion) {
    guard Self.areOn, pin.holder.mayWarn else { return }
    let due = pin.version + Self.longLifeInCommits
    if due < dueVersion.load(ordering: .relaxed) { dueVersion.store(due, ordering: .relaxed) }
  }

  /// True if a pinned version may be long-lived at a commit.
  func areDue(at version: Int) -> Bool {
    Self.areOn && version >= dueVersion.load(ordering: .relaxed)
  }

  /// Returns the warnings about long-lived versions, once for each call that made a holder.
  ///
  /// The caller holds the lock of the pinned versions.
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
      case .check, .backup: "it ends by itself"
      }
    return
      "\(version.holder) has kept version \(version.version) alive for \(commits) commits, so the "
      + "file grows with each; \(advice); maximumNumberOfActiveVersions sets a limit"
  }
}

extension PinnedVersion.Holder {
  /// True if a call of the program made the holder, and the holder does not follow new versions by
  /// itself.
  fileprivate var mayWarn: Bool { site != nil && !movesByItself }
}

extension TransactionScheduler {
  /// Warns about holders of long-lived versions; called after each commit.
  func warnOfLongLives(at version: Int) {
    guard warnings.areDue(at: version) else { return }
    let texts = pinned.withLock { warnings.ofLongLives($0, at: version) }
    for text in texts { warnings.tell(text) }
  }
}
