import ObjectBox
import ObjectBoxRuntimeTestSupport

/// Keeps the commits and changed objects that listeners hear of.
final class Commits: CommitListener {
  let heard = Guarded<[CommitSummary]>([])

  func didCommit(_ commit: CommitSummary, isSkipped: Bool) -> Delivery? {
    heard.withLock { $0.append(commit) }
    return nil
  }

  static func of(_ store: Store) -> (Commits, NotificationToken) {
    let commits = Commits()
    let token = store.openStore.commits.subscribe(
      commits,
      to: CommitInterest(includesObjects: true),
      owner: nil,
      onEnd: {}
    )
    return (commits, token)
  }
}
