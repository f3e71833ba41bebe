#if os(Linux) && OBJECTBOX_SODIUM
  import Foundation
  import ObjectBox
  import ObjectBoxRuntimeTestSupport
  import ObjectBoxStorage
  import ObjectBoxTestSupport
  import Testing

  @testable import ObjectBoxEncryption

  /// Pages that all processors seal.
  struct PageWritingTests {
    private let test: EncryptedStore
    private let folder: TemporaryDirectory

    init() throws {
      test = try EncryptedStore()
      folder = try TemporaryDirectory()
      try test.people.put((0..<20_000).map { Person("\($0)", email: "\($0)", age: $0) })
      // Holes, so that not all pages are neighbours.
      let ids: ClosedRange<UInt64> = 1...20_000
      try test.people.remove(ids.filter { $0 / 500 % 5 == 0 })
    }

    /// Passes the newest version, its pages, and a record of it.
    private func withVersion(
      _ body: (SealedImage, PageVersion, [UInt64], LogRecord) throws -> Void
    ) throws {
      let transactions = test.store.transactions
      let image = try #require(transactions.mirror as? SealedImage)
      try transactions.atNewestVersion(for: .check, begin: { image.state }) { state, copy, head in
        let pages = try copy.version(head)
        let numbers = state.seals.indices.filter { state.seals[$0].version != 0 }
        let record = try LogRecord(of: pages, seed: SealedFormat.seed)
        try body(image, pages, numbers.map { UInt64($0) }, record)
      }
    }

    /// Seals pages into a new file, some at a time.
    private func seal(
      _ name: String,
      _ image: SealedImage,
      _ version: PageVersion,
      _ numbers: [UInt64],
      for record: LogRecord,
      atATime step: Int
    ) throws -> (tags: [Bytes16], bytes: Data, written: Int) {
      let path = folder.path + "/" + name
      let file = try PagesFile(open(path, O_RDWR | O_CREAT, 0o600))
      let writing = PageWriting(image.state, file, image.content.keys)
      let written = Guarded(0)
      var tags: [Bytes16] = []
      try ImageFiles.$didWrite.withValue({ _, count in written.withLock { $0 += count } }) {
        for begin in stride(from: 0, to: numbers.count, by: step) {
          let part = Array(numbers[begin..<min(numbers.count, begin + step)])
          let added = try part.withUnsafeBufferPointer {
            try writing.write($0, for: record, version)
          }
          let found = try #require(added)
          #expect(found.map(\.page) == part)
          tags += found.map(\.tag)
        }
      }
      return (tags, try Data(contentsOf: URL(fileURLWithPath: path)), written.copy)
    }

    @Test func `threads seal the bytes and tags that one thread seals, and each write is told`()
      throws
    {
      try withVersion { image, version, numbers, record in
        #expect(numbers.count > 500)
        let one = try seal("one", image, version, numbers, for: record, atATime: 50)
        let all = try seal("all", image, version, numbers, for: record, atATime: numbers.count)
        #expect(one.tags == all.tags)
        #expect(one.bytes == all.bytes)
        #expect(one.written == numbers.count * image.state.pageSize)
        #expect(all.written == one.written)
      }
    }

    @Test func `an error of one thread is the error of the write`() throws {
      try withVersion { image, version, numbers, record in
        let full = try PagesFile(open("/dev/full", O_RDWR))
        let writing = PageWriting(image.state, full, image.content.keys)
        #expect {
          _ = try numbers.withUnsafeBufferPointer { try writing.write($0, for: record, version) }
        } throws: {
          ($0 as? StorageError)?.isDiskFull ?? false
        }
      }
    }
  }
#endif
