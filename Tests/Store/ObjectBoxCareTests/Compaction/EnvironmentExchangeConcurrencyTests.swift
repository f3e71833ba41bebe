import Foundation
import ObjectBoxCare
import ObjectBoxStorage
import ObjectBoxTestSupport
import Synchronization
import Testing

/// Readers beside compactions; run under the thread sanitizer as well.
@Suite(.timeLimit(.minutes(15)))
struct EnvironmentExchangeConcurrencyTests {
  @Test func `readers go on while compactions exchange the environment`() throws {
    let folder = try TemporaryDirectory()
    var options = StorageEnvironment.Options(mapSizeInBytes: 1 << 30, maximumTableCount: 4)
    options.isDurable = false
    let environment = try StorageEnvironment(directory: folder.path, options: options)
    defer { environment.close() }
    let first = try environment.beginWrite()
    let table = try #require(try first.openTable("objects", .objects, create: true))
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
    for _ in 0..<6 {
      readers.enter()
      Thread {
        defer { readers.leave() }
        do {
          let read = try environment.beginRead()
          defer { read.abort() }
          while !isDone.load(ordering: .acquiring) {
            read.reset()
            try read.renew()
            // One that begins and ends meanwhile is listed meanwhile.
            try environment.beginRead().abort()
            for _ in 0..<20 {
              let number = try read.get(table, id: 1)?.loadUnaligned(as: Int.self)
              if number != read.snapshotID { strange.wrappingAdd(1, ordering: .relaxed) }
            }
          }
        } catch { strange.wrappingAdd(1, ordering: .relaxed) }
      }.start()
    }
    do {
      defer {
        isDone.store(true, ordering: .releasing)
        readers.wait()
      }
      for _ in 0..<100 {
        for _ in 0..<3 { try write(try environment.beginWrite()) }
        _ = try environment.compact(
          write: { try $0.write(admit: { _, _ in }, progress: { _ in true }) },
          claim: { _ in },
          settle: {}
        )
      }
    }
    #expect(strange.load(ordering: .relaxed) == 0)
  }
}
