#if OBJECTBOX_SODIUM
  internal import Foundation
  internal import ObjectBox
  internal import ObjectBoxStorage

  /// Opens the sealed pages of a version.
  struct ImagePages: Sendable {
    /// A page that does not open.
    struct Bad: Sendable {
      let page: UInt64
      /// The commit that wrote it.
      let version: UInt64
    }

    /// The pages of a part, which one thread opens.
    private static let partSize = 4096
    static let batchSize = PageWriting.batchSize

    private let seals: [PageSeal]
    private let pageSize: Int
    private let begin: Int
    private let storeID: Bytes16
    private let pageCount: Int
    private let file: PagesFile
    private let keys: StoreKeys

    init(_ state: ImageState, _ file: PagesFile, _ keys: StoreKeys) {
      seals = state.seals
      pageSize = state.pageSize
      begin = (1 + state.logBlocks) * LogRecord.blockSize
      storeID = state.storeID
      pageCount = state.pageCount
      self.file = file
      self.keys = keys
    }

    /// Opens all pages in use, on all processors, into the same places of a file in memory.
    ///
    /// - Parameter memory: The file, which gets the size of the version.
    /// - Returns: The pages that do not open, in ascending order; the file lacks them.
    /// - Throws: ``StorageError`` with the system's error number.
    func open(into memory: Int32) throws -> [Bad] {
      // Emptied first, so that pages of another version do not stay.
      for size in [0, pageCount * pageSize] where ftruncate(memory, off_t(size)) != 0 {
        throw StorageError(code: errno, call: "ftruncate")
      }
      // A version has no page after its last one.
      if let place = seals.indices.last(where: { seals[$0].version != 0 }), place >= pageCount {
        return [Bad(page: UInt64(place), version: seals[place].version)]
      }
      let parts = (seals.count + Self.partSize - 1) / Self.partSize
      let results = Guarded<[Int: Result<[Bad], StorageError>]>([:])
      ConcurrentWork.perform(iterations: parts) { part in
        let places = (part * Self.partSize)..<min(seals.count, (part + 1) * Self.partSize)
        let result = Result { () throws(StorageError) in try open(places, into: memory) }
        results.withLock { $0[part] = result }
      }
      return try results.copy.sorted { $0.key < $1.key }.flatMap { try $0.value.get() }
    }

    /// Writes the sealed pages of one commit again, with the same bytes.
    ///
    /// - Throws: ``StorageError`` with the system's error number.
    func writeAgain(version: UInt64) throws(StorageError) {
      let sealed = UnsafeMutableRawBufferPointer.allocate(
        byteCount: Self.batchSize * pageSize,
        alignment: LogRecord.blockSize
      )
      defer { sealed.deallocate() }
      var place = 0
      while let run = nextRun(from: place, before: seals.count, where: { $0.version == version }) {
        let bytes = UnsafeMutableRawBufferPointer(rebasing: sealed[..<(run.count * pageSize)])
        guard file.get(bytes, at: offset(of: run.lowerBound)) == bytes.count else {
          throw StorageError(code: EIO, call: "pread")
        }
        try file.put(UnsafeRawBufferPointer(bytes), at: offset(of: run.lowerBound))
        place = run.upperBound
      }
    }

    private func open(_ places: Range<Int>, into memory: Int32) throws(StorageError) -> [Bad] {
      let size = Self.batchSize * pageSize
      let sealed = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 4096)
      let clear = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 4096)
      defer {
        Cipher.wipe(clear)
        sealed.deallocate()
        clear.deallocate()
      }
      var bad: [Bad] = []
      var place = places.lowerBound
      while let run = nextRun(from: place, before: places.upperBound) {
        try openRun(run, sealed, clear, &bad)
        try StorageEnvironment.write(
          UnsafeRawBufferPointer(rebasing: clear[..<(run.count * pageSize)]),
          to: memory,
          at: run.lowerBound * pageSize
        )
        place = run.upperBound
      }
      return bad
    }

    /// The place of a page in the pages file.
    func offset(of page: Int) -> Int { begin + page * pageSize }

    /// Returns the next run of neighbouring pages whose seals are wanted, at most a batch; nil for none.
    func nextRun(
      from place: Int,
      before end: Int,
      where isWanted: (PageSeal) -> Bool = { $0.version != 0 }
    ) -> Range<Int>? {
      var first = place
      while first < end, !isWanted(seals[first]) { first += 1 }
      guard first < end else { return nil }
      var last = first
      while last < end, last - first < Self.batchSize, isWanted(seals[last]) { last += 1 }
      return first..<last
    }

    /// Opens neighbouring pages; pages that do not open become zeros.
    ///
    /// - Parameters:
    ///   - run: The pages.
    ///   - sealed: Gets the pages as they are in the file.
    ///   - clear: Gets the opened pages.
    ///   - bad: Gets the pages that do not open.
    /// - Throws: ``StorageError`` with the system's error number.
    func openRun(
      _ run: Range<Int>,
      _ sealed: UnsafeMutableRawBufferPointer,
      _ clear: UnsafeMutableRawBufferPointer,
      _ bad: inout [Bad]
    ) throws(StorageError) {
      let sealer = PageSealer(keys: keys, storeID: storeID, pageSize: pageSize)
      let got = file.get(
        UnsafeMutableRawBufferPointer(rebasing: sealed[..<(run.count * pageSize)]),
        at: offset(of: run.lowerBound)
      )
      guard got >= 0 else { throw StorageError(code: errno, call: "pread") }
      for (index, page) in run.enumerated() {
        let target = clear.baseAddress.unsafelyUnwrapped + index * pageSize
        let source = sealed.baseAddress.unsafelyUnwrapped + index * pageSize
        if got >= (index + 1) * pageSize,
          sealer.open(source, UInt64(page), seals[page], to: target)
        {
          continue
        }
        target.initializeMemory(as: UInt8.self, repeating: 0, count: pageSize)
        bad.append(Bad(page: UInt64(page), version: seals[page].version))
      }
    }
  }
#endif
