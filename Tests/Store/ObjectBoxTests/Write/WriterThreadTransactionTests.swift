@testable import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

/// The functions that a lent transaction calls at its end.
struct WriterThreadTransactionTests {
  private let temporary: TemporaryStore
  private let calls = Guarded<[String]>([])

  init() throws {
    temporary = try TemporaryStore()
  }

  /// Passes a transaction to a body, which is both its owner and its borrower.
  private func withTransaction(_ body: (WriterThreadTransaction) throws -> Void) throws {
    try temporary.store.runInTransaction {
      let transaction = try #require(temporary.store.transactions.openTransaction)
      try body(WriterThreadTransaction(transaction))
    }
  }

  @Test func `a function that is added while others are called is called after them`() throws {
    try withTransaction { lent in
      lent.whenEnded { [calls] _ in
        calls.note("first begins")
        lent.whenEnded { _ in calls.note("third") }
        calls.note("first ends")
      }
      lent.whenEnded { [calls] _ in calls.note("second") }
      #expect(calls.copy == [])
      lent.resolve(.success(()))
      #expect(calls.copy == ["first begins", "first ends", "second", "third"])
    }
  }

  @Test func `a function that is added after the calls gets the outcome at once`() throws {
    try withTransaction { lent in
      lent.whenEnded { [calls] in calls.note("first \($0.failure == nil)") }
      lent.resolve(.failure(CancellationError()))
      #expect(calls.copy == ["first false"])
      lent.whenEnded { [calls] in calls.note("second \($0.failure is CancellationError)") }
      #expect(calls.copy == ["first false", "second true"])
    }
  }
}

extension Guarded<[String]> {
  fileprivate func note(_ text: String) { withLock { $0.append(text) } }
}
