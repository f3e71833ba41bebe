internal import Foundation
internal import ObjectBoxStorage

/// Begins a write transaction on a thread of its own, which ends it when it is handed back.
///
/// For transactions that are begun and ended by calls: whoever lets the handle go, on whatever thread, must
/// not keep the lock.
enum TransactionThread {
  /// Waits for a turn, and begins.
  ///
  /// - Returns: The transaction; once it is handed back the turn is given up.
  /// - Throws: ``ObjectBoxError`` when it cannot begin.
  static func begin(_ core: OpenStore) throws -> LentTransaction {
    try core.transactions.checkVersionLimit()
    core.transactions.gate.enter()
    // Nobody waits for this transaction but who finds the turn taken.
    guard !core.transactions.isClosed else {
      core.transactions.gate.leave()
      throw StoreError.closed(core.file.location)
    }
    return try OwnThread.ask("ObjectBox transaction") { answer in
      let result = Result {
        try core.file.translating {
          LentTransaction(
            core.transactions.writeTransaction(try core.file.environment.beginWrite())
          )
        }
      }
      answer(result)
      guard case .success(let lent) = result else {
        core.transactions.gate.leave()
        return
      }
      end(lent, core)
    }
  }

  private static func end(_ lent: LentTransaction, _ core: OpenStore) {
    let ending = lent.waitForEnding()
    var group = CommitGroup(core, first: lent.transaction.storage)
    guard case .commit(let summary, _) = ending else {
      group.drop(lent.transaction.storage)
      core.transactions.gate.leave()
      return lent.resolve(.success(()))
    }
    group.add(lent, summary)
    let result = group.commit()
    core.transactions.gate.leave()
    group.resolve(result)
  }
}
