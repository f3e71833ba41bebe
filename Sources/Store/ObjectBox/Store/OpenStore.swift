/// A store that is open in the process; all ``Store`` instances on it share it.
///
/// It owns the file, transactions, commits, writers, snapshots and live views.
package final class OpenStore: Sendable {
  /// The configuration of the first opener.
  package let configuration: Store.Configuration
  /// The store's key in ``StoreRegistry``.
  let registryKey: String
  let file: StoreFile
  package let transactions: TransactionScheduler
  package let commits: CommitHub
  package let writer: WriterThread
  let groupCommitQueue: GroupCommitQueue
  /// The snapshots by the numbers of their commits.
  package let snapshots = WeakTable<Int>()
  /// Signals of the live views, keyed by their isolation.
  package let liveViews = WeakTable<ObjectIdentifier>()

  init(_ file: StoreFile, registryKey: String, configuration: Store.Configuration) {
    self.file = file
    self.registryKey = registryKey
    self.configuration = configuration
    commits = CommitHub(location: configuration.directory)
    transactions = TransactionScheduler(
      file,
      commits: commits,
      failures: UnheardFailures(
        directory: configuration.directory,
        handler: configuration.onUnheardFailure
      ),
      maximumVersionCount: configuration.maximumNumberOfActiveVersions
    )
    let limits = configuration.groupCommit
    writer = WriterThread(
      transactions,
      maximumGroupSize: limits.maximumGroupSize,
      linger: limits.linger
    )
    groupCommitQueue = GroupCommitQueue(writer)
    if let damage = file.damage {
      failures.tell(.opening, ObjectBoxError.fileCorrupt(message: damage))
    }
  }

  package var failures: UnheardFailures { transactions.failures }

  /// Waits for asynchronous writes and for transactions of other threads, then closes the file.
  ///
  /// Inside a transaction of the calling thread, the file closes when the transaction ends. The
  /// writer thread, or a thread that is calling commit listeners, may release the last reference to
  /// the store. Closing would wait for that thread, so another thread closes the file then.
  ///
  /// - Parameter isHome: Returns whether the caller blocks an isolation.
  func close(isHome: (ObjectIdentifier) -> Bool = { _ in false }) {
    let own = ThreadContext.current.state(for: transactions)
    if own.current?.isWritable ?? false {
      // Waiting would deadlock: the writer thread waits for this transaction.
      writer.refuseMore()
      own.closing = { self.close(isHome: $0) }
      return
    }
    if own.isPublishing || writer.isCurrent {
      return OwnThread.start("ObjectBox closing") { self.close() }
    }
    writer.drain(isHome: isHome)
    guard transactions.refuseMore() else { return }
    commits.end(of: ObjectIdentifier(self))
    transactions.drain()
  }
}
