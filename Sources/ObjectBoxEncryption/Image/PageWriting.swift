#if OBJECTBOX_SODIUM
  internal import CObjectBoxPages
  internal import ObjectBoxStorage

  /// Seals pages into their places in a pages file.
  struct PageWriting {
    /// The number of pages that are sealed with one write.
    static let batchSize = 64

    private let sealer: PageSealer
    private let pageSize: Int
    private let begin: Int
    private let file: PagesFile

    init(_ state: ImageState, _ file: PagesFile, _ keys: StoreKeys) {
      sealer = PageSealer(keys: keys, storeID: state.storeID, pageSize: state.pageSize)
      pageSize = state.pageSize
      begin = (1 + state.logBlocks) * LogRecord.blockSize
      self.file = file
    }

    /// Seals pages, runs of neighbours with one write.
    ///
    /// - Parameters:
    ///   - numbers: The pages, in ascending order.
    ///   - record: The record that names them, for its version and seed.
    ///   - version: The version with the pages.
    ///   - progress: Gets the number of written pages; false ends the work.
    /// - Returns: The pages with their tags; nil when `progress` ended it.
    /// - Throws: ``StorageError`` with the system's error number.
    func write(
      _ numbers: UnsafeBufferPointer<UInt64>,
      for record: LogRecord,
      _ version: PageVersion,
      _ progress: (Int) -> Bool = { _ in true }
    ) throws(StorageError) -> [(page: UInt64, tag: Bytes16)]? {
      guard let base = version.pages.base else { return [] }
      let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: Self.batchSize * pageSize,
        alignment: LogRecord.blockSize
      )
      defer { buffer.deallocate() }
      var added: [(page: UInt64, tag: Bytes16)] = []
      added.reserveCapacity(numbers.count)
      while added.count < numbers.count {
        let index = added.count
        let first = numbers[index]
        var count = 0
        while count < Self.batchSize, index + count < numbers.count,
          numbers[index + count] == first + UInt64(count)
        {
          let number = first + UInt64(count)
          let tag = sealer.seal(
            base + Int(number) * pageSize,
            number,
            version: record.version,
            seed: record.seed,
            to: buffer.baseAddress.unsafelyUnwrapped + count * pageSize
          )
          added.append((number, tag))
          count += 1
        }
        try file.put(
          UnsafeRawBufferPointer(rebasing: buffer[..<(count * pageSize)]),
          at: begin + Int(first) * pageSize
        )
        if !progress(added.count) { return nil }
      }
      return added
    }
  }

  extension LogRecord {
    /// Begins the record of a version, without its pages.
    ///
    /// - Throws: ``StorageError`` with `isCorrupt` for a version without pages.
    init(of version: PageVersion, seed: Bytes16) throws(StorageError) {
      guard let base = version.pages.base else { throw .damaged(0) }
      var head = version.head
      let place = base + Int(head.number) * Int(head.page_size)
      var bytes = Array(UnsafeBufferPointer(start: place, count: ImageState.lmdbHeadSize))
      // Later commits of other processes may have overwritten the page.
      bytes.withUnsafeMutableBytes { bytes in
        if let address = bytes.baseAddress { obx_head_write(&head, address) }
      }
      self.init(version: head.transaction, seed: seed, lmdbHead: bytes)
    }
  }
#endif
