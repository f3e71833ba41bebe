import Foundation
import ObjectBoxStorage
import ObjectBoxTestSupport
import Synchronization
import Testing

/// Readers beside a writer; run under the thread sanitizer as well.
@Suite(.timeLimit(.minutes(15)))
struct ReadConcurrencyTests {
  @Test func `a read transaction shows the commit that it is named by`() throws {
    let folder = try TemporaryDirectory()
    var options = StorageEnvironment.Options(mapSizeInBytes: 1 << 30, maximumTableCount: 4)
    options.isDurable = false
    let environment = try StorageEnvironment(directory: folder.path, options: options)
    defer { environment.close() }
    let first = try environment.beginWrite()
    let table = try #require(try first.openTable("objects", .objects, create: true))
    /// Writes the number of the commit into it.
    let write: @Sendable (StorageTransaction) throws -> Void = { transaction in
      try withUnsafeBytes(of: transaction.snapshotID) {
        try transaction.put(table, id: 1, record: $0)
      }
      try transaction.commit()
    }
    try write(first)
    let strange = Atomic<Int>(0)
    let isDone = Atomic<Bool>(false)
    let readers = DispatchGroup()
    for _ in 0..<8 {
      readers.enter()
      Thread {
        defer { readers.leave() }
        guard let read = try? environment.beginRead() else { return }
        while !isDone.load(ordering: .acquiring) {
          read.reset()
          guard (try? read.renew()) != nil, let record = try? read.get(table, id: 1),
            record.loadUnaligned(as: Int.self) == read.snapshotID
          else {
            strange.wrappingAdd(1, ordering: .relaxed)
            continue
          }
        }
        read.abort()
      }.start()
    }
    do {
      // The readers use the file until they have left.
      defer {
        isDone.store(true, ordering: .releasing)
        readers.wait()
      }
      for _ in 0..<30_000 { try write(try environment.beginWrite()) }
    }
    #expect(strange.load(ordering: .relaxed) == 0)
  }
}
