import Dispatch
@testable import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

/// Functions that several threads add while the owner ends the transaction.
struct WriterThreadTransactionConcurrencyTests {
  @Test func `each function is called once, and those of a thread in the order of their addition`()
    throws
  {
    let temporary = try TemporaryStore()
    let (threads, count) = (4, 200)
    let calls = Guarded<[(thread: Int, number: Int)]>([])
    try temporary.store.runInTransaction {
      let lent = WriterThreadTransaction(
        try #require(temporary.store.transactions.openTransaction)
      )
      DispatchQueue.concurrentPerform(iterations: threads + 1) { thread in
        if thread == threads { return lent.resolve(.success(())) }
        for number in 0..<count {
          lent.whenEnded { _ in calls.withLock { $0.append((thread, number)) } }
        }
      }
    }
    for thread in 0..<threads {
      #expect(calls.copy.filter { $0.thread == thread }.map(\.number) == Array(0..<count))
    }
  }
}
