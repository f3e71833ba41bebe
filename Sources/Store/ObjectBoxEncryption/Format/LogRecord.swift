#if OBJECTBOX_SODIUM
  /// A record of the log: a commit, with the pages that it wrote and freed.
  struct LogRecord {
    static let magic = Array("OBXCOMM1".utf8)
    static let blockSize = 4096
    /// The largest number of a page, which bounds the memory of a reader.
    static let maximumPage: UInt64 = 1 << 40
    private static let beginSize = 48
    private static let codeOffset = 40
    private static let bodyBegin = ImageState.lmdbHeadSize + 16
    private static let addedSize = 24

    var version: UInt64
    var seed: Bytes16
    var lmdbHead: [UInt8]
    /// In ascending order.
    var added: [(page: UInt64, tag: Bytes16)] = []
    var removed: [UInt64] = []

    /// The number of blocks of a record.
    static func blockCount(added: Int, removed: Int) -> Int {
      let size = beginSize + bodyBegin + added * addedSize + removed * 8 + Cipher.tagSize
      return (size + blockSize - 1) / blockSize
    }

    /// Seals the record.
    ///
    /// - Parameters:
    ///   - state: The version before.
    ///   - keys: The keys.
    /// - Returns: The record in whole blocks, and its tag.
    func sealed(after state: ImageState, _ keys: StoreKeys) -> (blocks: [UInt8], tag: Bytes16) {
      let bodySize = Self.bodyBegin + added.count * Self.addedSize + removed.count * 8
      var bytes = Self.magic
      bytes.reserveCapacity(bodySize + 2 * Self.blockSize)
      bytes.append(number: version)
      bytes.append(seed)
      bytes.append(number: UInt32(bodySize))
      bytes.append(number: UInt32(0))
      bytes += Self.code(of: bytes, state.storeID, keys)
      let data = Self.data(bytes, state)
      bytes += lmdbHead
      bytes.append(number: UInt32(added.count))
      bytes.append(number: UInt32(removed.count))
      bytes.append(number: UInt64(0))
      for (page, tag) in added {
        bytes.append(number: page)
        bytes.append(tag)
      }
      for page in removed { bytes.append(number: page) }
      let tag = bytes.withUnsafeMutableBytes { bytes in
        let body = UnsafeMutableRawBufferPointer(rebasing: bytes[Self.beginSize...])
        return data.withUnsafeBytes { data in
          Cipher.seal(
            UnsafeRawBufferPointer(body),
            to: body.baseAddress.unsafelyUnwrapped,
            nonce: Self.nonce(seed),
            data: data,
            key: keys.records.baseAddress.unsafelyUnwrapped
          )
        }
      }
      bytes.append(tag)
      bytes.pad(toMultipleOf: Self.blockSize)
      return (bytes, tag)
    }

    /// Opens the record at the begin of blocks; nil when it does not follow the version.
    ///
    /// - Returns: The record, its tag and its number of blocks.
    static func open(
      _ blocks: ArraySlice<UInt8>,
      after state: ImageState,
      _ keys: StoreKeys
    ) -> (record: LogRecord, tag: Bytes16, blockCount: Int)? {
      let begin = Array(blocks.prefix(beginSize))
      guard begin.count == beginSize, begin.starts(with: magic) else { return nil }
      let size = Int(begin.number(UInt32.self, at: 32))
      guard size >= bodyBegin, beginSize + size + Cipher.tagSize <= blocks.count else { return nil }
      var body = Array(blocks.dropFirst(beginSize).prefix(size))
      let seed = begin.bytes16(at: 16)
      let tag = Array(blocks.dropFirst(beginSize + size).prefix(Cipher.tagSize)).bytes16(at: 0)
      let isOpen = body.withUnsafeMutableBytes { body in
        data(begin, state).withUnsafeBytes { data in
          Cipher.open(
            UnsafeRawBufferPointer(body),
            tag: tag,
            to: body.baseAddress.unsafelyUnwrapped,
            nonce: nonce(seed),
            data: data,
            key: keys.records.baseAddress.unsafelyUnwrapped
          )
        }
      }
      guard isOpen, let record = LogRecord(begin, seed, body), record.version == state.version + 1
      else { return nil }
      return (record, tag, (beginSize + size + Cipher.tagSize + blockSize - 1) / blockSize)
    }

    init(version: UInt64, seed: Bytes16, lmdbHead: [UInt8]) {
      self.version = version
      self.seed = seed
      self.lmdbHead = lmdbHead
    }

    /// Reads an opened body; nil when its counts and numbers do not fit.
    private init?(_ begin: [UInt8], _ seed: Bytes16, _ body: [UInt8]) {
      self.init(
        version: begin.number(at: 8),
        seed: seed,
        lmdbHead: Array(body.prefix(ImageState.lmdbHeadSize))
      )
      let addedCount = Int(body.number(UInt32.self, at: ImageState.lmdbHeadSize))
      let removedCount = Int(body.number(UInt32.self, at: ImageState.lmdbHeadSize + 4))
      let removedBegin = Self.bodyBegin + addedCount * Self.addedSize
      guard body.count == removedBegin + removedCount * 8 else { return nil }
      added = (0..<addedCount).map { index in
        let place = Self.bodyBegin + index * Self.addedSize
        return (body.number(at: place), body.bytes16(at: place + 8))
      }
      removed = (0..<removedCount).map { body.number(at: removedBegin + $0 * 8) }
      let isAscending = zip(added, added.dropFirst()).allSatisfy { $0.page < $1.page }
      guard isAscending, added.last.map({ $0.page < Self.maximumPage }) ?? true,
        removed.allSatisfy({ $0 < Self.maximumPage })
      else { return nil }
    }

    /// Returns the version that the begin of a record states, whichever store made it; nil for other bytes.
    static func statedVersion(ofBegin begin: [UInt8]) -> UInt64? {
      begin.count >= beginSize && begin.starts(with: magic) ? begin.number(at: 8) : nil
    }

    /// Returns the version that the begin of a record states; nil unless this store made it.
    ///
    /// Distinguishes a damaged record from the end of the log.
    static func version(ofBegin block: ArraySlice<UInt8>, _ storeID: Bytes16, _ keys: StoreKeys)
      -> UInt64?
    {
      let begin = Array(block.prefix(beginSize))
      guard let version = statedVersion(ofBegin: begin),
        Cipher.areEqual(
          code(of: Array(begin.prefix(codeOffset)), storeID, keys),
          Array(begin.suffix(8))
        )
      else { return nil }
      return version
    }

    private static func code(of begin: [UInt8], _ storeID: Bytes16, _ keys: StoreKeys) -> [UInt8] {
      var bytes = begin
      bytes.append(storeID)
      return Array(Cipher.hash(bytes, size: 16, key: keys.records).prefix(8))
    }

    private static func data(_ begin: [UInt8], _ state: ImageState) -> [UInt8] {
      var data = begin
      data.append(state.storeID)
      return data + state.chain
    }

    private static func nonce(_ seed: Bytes16) -> Cipher.Nonce {
      // No page has this number.
      Cipher.Nonce(seed: seed, number: .max)
    }
  }

  /// The mark of a commit: written after the sync, so it proves that the commit was on the disk.
  enum CommitMark {
    private static let magic = Array("OBXDONE1".utf8)
    private static let hashSize = 32
    private static let authenticated = 48

    /// Returns the block with the mark of a version.
    static func block(_ state: ImageState, _ keys: StoreKeys) -> [UInt8] {
      var bytes = magic
      bytes.append(number: state.version)
      bytes += state.chain
      bytes += Cipher.hash(bytes, size: hashSize, key: keys.records)
      bytes.pad(to: LogRecord.blockSize)
      return bytes
    }

    /// Reads the version and the chain of a mark; nil for another block.
    static func read(_ block: ArraySlice<UInt8>, _ keys: StoreKeys) -> (
      version: UInt64, chain: [UInt8]
    )? {
      let bytes = Array(block.prefix(authenticated + hashSize))
      guard bytes.count == authenticated + hashSize, bytes.starts(with: magic),
        Cipher.areEqual(
          Cipher.hash(bytes.prefix(authenticated), size: hashSize, key: keys.records),
          Array(bytes.suffix(hashSize))
        )
      else { return nil }
      return (bytes.number(at: 8), Array(bytes[16..<authenticated]))
    }
  }
#endif
