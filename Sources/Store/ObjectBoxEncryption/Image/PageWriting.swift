#if OBJECTBOX_SODIUM
  internal import CObjectBoxPages
  internal import Foundation
  internal import ObjectBox
  internal import ObjectBoxStorage

  /// Seals pages into their places in a pages file.
  struct PageWriting {
    /// The greatest number of pages that are sealed with one write.
    static let batchSize = 64
    /// The number of batches from which all processors seal; fewer are sealed before another thread starts.
    private static let manyBatches = 4
    /// The number of batches between two reports of progress.
    private static let roundSize = 64

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

    /// Seals pages, runs of neighbours with one write; many pages on all processors.
    ///
    /// The sealed bytes depend on the page, its number and the record alone, so any thread may seal it.
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
      var added = numbers.map { (page: $0, tag: Bytes16()) }
      var isEnded = false
      try added.withUnsafeMutableBufferPointer { (pages) throws(StorageError) in
        var done = 0
        while done < pages.count, !isEnded {
          let count = min(pages.count - done, Self.roundSize * Self.batchSize)
          let part = UnsafeMutableBufferPointer(rebasing: pages[done..<(done + count)])
          try seal(Round(pages: part, base: base, record: record))
          done += count
          isEnded = !progress(done)
        }
      }
      return isEnded ? nil : added
    }

    /// Pages that are sealed in batches, between two reports of progress.
    ///
    /// Invariant of `@unchecked Sendable`: threads set the tags of different batches, each batch once. They
    /// only read the pages at `base`, which do not change while the caller pins the version.
    private struct Round: @unchecked Sendable {
      /// The numbers of the pages; gets their tags.
      let pages: UnsafeMutableBufferPointer<(page: UInt64, tag: Bytes16)>
      let base: UnsafePointer<UInt8>
      let record: LogRecord
      /// Called after writes; read on the committing thread, since other threads lack its task-local values.
      let didWrite = ImageFiles.didWrite

      var batchCount: Int { (pages.count + PageWriting.batchSize - 1) / PageWriting.batchSize }
    }

    private func seal(_ round: Round) throws(StorageError) {
      let count = round.batchCount
      guard count >= Self.manyBatches else {
        for number in 0..<count { try sealBatch(number, of: round) }
        return
      }
      let failure = Guarded<StorageError?>(nil)
      ConcurrentWork.perform(iterations: count) { number in
        do throws(StorageError) { try sealBatch(number, of: round) } catch {
          failure.withLock { $0 = $0 ?? error }
        }
      }
      if let error = failure.copy { throw error }
    }

    private func sealBatch(_ number: Int, of round: Round) throws(StorageError) {
      let end = min(round.pages.count, (number + 1) * Self.batchSize)
      var place = number * Self.batchSize
      let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: (end - place) * pageSize,
        alignment: LogRecord.blockSize
      )
      defer { buffer.deallocate() }
      while place < end {
        let first = round.pages[place].page
        var count = 0
        while place + count < end, round.pages[place + count].page == first + UInt64(count) {
          let number = first + UInt64(count)
          round.pages[place + count].tag = sealer.seal(
            round.base + Int(number) * pageSize,
            number,
            version: round.record.version,
            seed: round.record.seed,
            to: buffer.baseAddress.unsafelyUnwrapped + count * pageSize
          )
          count += 1
        }
        try file.put(
          UnsafeRawBufferPointer(rebasing: buffer[..<(count * pageSize)]),
          at: begin + Int(first) * pageSize,
          round.didWrite
        )
        place += count
      }
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
