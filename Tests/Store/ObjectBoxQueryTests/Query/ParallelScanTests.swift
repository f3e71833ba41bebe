import ObjectBoxRuntimeTestSupport
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

@testable import ObjectBox

/// Scans that several threads share.
struct ParallelScanTests {
  @Test(.tags(.slow)) func `several threads find what one thread finds, in the same order`() throws
  {
    let store = try ParallelScanStore()
    let samples = store.samples
    let queries = [
      try samples.query { Sample.text.contains("needle 1") || Sample.number == 7 }.build(),
      try samples.query { Sample.number < 0 }.build(),
      try samples.query().build(),
      try samples.query { Sample.number > 500 }.ordered(by: Sample.id, flags: .descending).build(),
    ]
    for query in queries { try store.expectSame(query) }
  }

  @Test func `the first damaged record gives the error, as for one thread`() throws {
    let store = try ParallelScanStore()
    let ids: [Id] = [170_001, 90_001, 90_002]
    try store.samples.writing { writer, _ in
      for id in ids {
        try writer.transaction.storage.put(
          writer.table.records.objects,
          id: id,
          record: UnsafeRawBufferPointer(start: nil, count: 0)
        )
      }
    }
    let query = try store.samples.query { Sample.number == 7 }.build()
    let calls: [() throws -> Void] = [
      { _ = try query.count() }, { _ = try query.findIds() }, { _ = try query.find() },
      { _ = try query.property(Sample.number).sum() },
      { _ = try query.property(Sample.weight).sum() },
      {
        try store.samples.reading { table, transaction in
          let execution = try QueryExecution(nil, table: table, transaction: transaction)
          let counts = try execution.foldByThread({ 0 }) { $0 += $1.count }
          // One processor reads on one thread.
          if counts == nil { _ = try execution.forEach { _ in true } }
        }
      },
    ]
    for call in calls {
      #expect {
        try call()
      } throws: { error in
        guard case ObjectBoxError.fileCorrupt(let message) = error else { return false }
        return message.contains("with ID 90001 ")
      }
    }
  }
}
