#if OBJECTBOX_SODIUM
  import Testing

  @testable import ObjectBoxEncryption

  struct LogReaderTests {
    private let keys: StoreKeys
    private let empty = SealedFormat.emptyState()
    private let records = [
      SealedFormat.record(1, added: [2, 3, 4]),
      SealedFormat.record(2, added: [5, 6], removed: [2]),
      SealedFormat.record(3, added: [2, 9], removed: [5]),
    ]

    init() throws { keys = try SealedFormat.keys() }

    @Test func `records lead to the newest version`() throws {
      let (state, log) = SealedFormat.log(records, from: empty, keys)
      let reader = try LogReader(log, after: empty, keys)
      #expect(reader.state.parts == state.parts)
      #expect(reader.state.liveCount == 5)
      #expect(reader.end == 3)
      #expect(reader.unmarked == nil)
    }

    @Test func `a record with an impossible page is not followed`() {
      for pages in [([3], [UInt64.max]), ([UInt64.max], [])] as [([UInt64], [UInt64])] {
        let record = SealedFormat.record(1, added: pages.0, removed: pages.1)
        var log = record.sealed(after: empty, keys).blocks
        log.pad(to: empty.logBlocks * LogRecord.blockSize)
        #expect(LogReader(damaged: log, after: empty, keys).state.version == 0)
      }
    }

    @Test func `going back undoes the newest record, unless it has its mark`() throws {
      let before = SealedFormat.log(Array(records.prefix(2)), from: empty, keys).state
      let (state, whole) = SealedFormat.log(records, from: empty, keys)
      var log = whole
      var marked = try LogReader(log, after: empty, keys)
      marked.goBack()
      #expect(marked.state.parts == state.parts)
      let mark = (3 * LogRecord.blockSize)..<(4 * LogRecord.blockSize)
      log.replaceSubrange(mark, with: repeatElement(0, count: mark.count))
      var reader = try LogReader(log, after: empty, keys)
      reader.goBack()
      #expect(reader.state.parts == before.parts)
      #expect(reader.end == 2)
    }

    @Test func `a newest record that was cut before its mark is no damage`() throws {
      let before = SealedFormat.log(Array(records.prefix(2)), from: empty, keys).state
      var (_, log) = SealedFormat.log(records, from: empty, keys)
      let size = LogRecord.blockSize
      // The mark is not there, and a part of the record is not either.
      log.replaceSubrange((3 * size)..<(4 * size), with: repeatElement(0, count: size))
      for part in [0..<size, 0..<20, 30..<size, 100..<612] {
        var cut = log
        for place in part { cut[2 * size + place] = 0xaa }
        let reader = try LogReader(cut, after: empty, keys)
        #expect(reader.state.parts == before.parts)
      }
    }

    @Test func `the begin of a record proves that the one before was on the disk`() throws {
      let before = SealedFormat.log(Array(records.prefix(2)), from: empty, keys).state
      var (_, log) = SealedFormat.log(records, from: empty, keys)
      let size = LogRecord.blockSize
      for place in (2 * size + 512)..<(4 * size) { log[place] = 0 }
      for place in (2 * size + 100)..<(2 * size + 512) { log[place] ^= 0x55 }
      let reader = try LogReader(log, after: empty, keys)
      #expect(reader.state.parts == before.parts)
      #expect(reader.unmarked == nil)
    }

    @Test func `a record that was once whole is damage when it is not`() throws {
      let (_, log) = SealedFormat.log(records, from: empty, keys)
      let size = LogRecord.blockSize
      for block in 0..<3 {
        for place in [0, 10, 20, 34, 44, 60, 250] {
          var changed = log
          changed[block * size + place] ^= 1
          #expect(throws: LogReader.IsDamaged.self) {
            try LogReader(changed, after: empty, keys)
          }
        }
      }
    }

    @Test func `a record in another place, of another store or another key does not open`() throws {
      let (state, log) = SealedFormat.log(records, from: empty, keys)
      let other = ImageState(
        storeID: SealedFormat.seed,
        pagesID: 42,
        pageSize: 4096,
        logBlocks: 16
      )
      #expect(LogRecord.open(log[...], after: empty, keys) != nil)
      #expect(LogRecord.open(log[...], after: state, keys) == nil)
      #expect(LogRecord.open(log[...], after: other, keys) == nil)
      #expect(LogRecord.open(log[...], after: empty, try SealedFormat.keys(1)) == nil)
      #expect(LogRecord.open(log[LogRecord.blockSize...], after: empty, keys) == nil)
    }

    @Test func `old records after a new head mean nothing`() throws {
      let (state, log) = SealedFormat.log(records, from: empty, keys)
      let reader = try LogReader(log, after: state, keys)
      #expect(reader.state.parts == state.parts)
      #expect(reader.end == 0)
      #expect(reader.unmarked == nil)
    }

    @Test func `a record of many pages takes several blocks`() throws {
      let record = SealedFormat.record(1, added: (2..<1000).map { UInt64($0) })
      let (state, log) = SealedFormat.log([record], from: empty, keys)
      let reader = try LogReader(log, after: empty, keys)
      #expect(reader.state.parts == state.parts)
      #expect(reader.end == LogRecord.blockCount(added: 998, removed: 0))
    }
  }
#endif
