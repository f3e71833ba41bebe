internal import Foundation

/// A store that is open in the process, shared by all ``Store`` instances on it: its file, transactions,
/// commits, writers, snapshots and live views.
///
/// A class, since it owns them.
package final class OpenStore: Sendable {
  /// The configuration of the first opener.
  let configuration: Store.Configuration
  /// The key of ``StoreRegistry``.
  let registryKey: String
  let file: StoreFile
  package let transactions: StoreTransactions
  package let commits: CommitHub
  package let writer: WriterThread
  let gatheredPuts: GatheredPuts
  /// The snapshots by the numbers of their commits.
  package let snapshots = WeakTable<Int>()
  /// Signals of the live views, keyed by their isolation.
  package let liveViews = WeakTable<ObjectIdentifier>()

  init(_ file: StoreFile, registryKey: String, configuration: Store.Configuration) {
    self.file = file
    self.registryKey = registryKey
    self.configuration = configuration
    commits = CommitHub(location: configuration.directory)
    transactions = StoreTransactions(
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
    gatheredPuts = GatheredPuts(transactions, linger: limits.linger)
    if let damage = file.damage {
      failures.tell(.opening, ObjectBoxError.fileCorrupt(message: damage))
    }
  }

  package var failures: UnheardFailures { transactions.failures }

  /// Waits for the asynchronous writes and for the transactions of other threads, then closes the file.
  ///
  /// Inside a transaction of the calling thread the file closes when that ends. A call on a thread that
  /// closing waits for, which may release the last reference, leaves the closing to another thread.
  ///
  /// - Parameter isHome: Returns whether the caller blocks an isolation.
  func close(isHome: (ObjectIdentifier) -> Bool = { _ in false }) {
    let own = ThreadContext.current.state(for: transactions)
    if own.current?.isWritable ?? false {
      // The writer thread waits for this transaction.
      writer.refuseMore()
      own.closing = { self.close(isHome: $0) }
      return
    }
    if own.isPublishing || writer.isCurrent {
      let thread = Thread { self.close() }
      thread.name = "ObjectBox closing"
      return thread.start()
    }
    writer.drain(isHome: isHome)
    guard transactions.refuseMore() else { return }
    commits.end(of: ObjectIdentifier(self))
    transactions.drain()
  }
}
