#if OBJECTBOX_SODIUM
  /// The contents of a store's image without the pages: a version, and the seals of its pages.
  struct ImageState {
    /// The size of the used part of an LMDB head page.
    static let lmdbHeadSize = 152
    static let chainSize = 32

    let storeID: Bytes16
    /// The number of the pages file; 0 before there is one.
    var pagesID: UInt64
    let pageSize: Int
    /// The number of blocks of the log.
    let logBlocks: Int
    /// 0 before the first commit.
    var version: UInt64 = 0
    /// Hash of all records and heads up to the version.
    var chain = [UInt8](repeating: 0, count: ImageState.chainSize)
    /// LMDB's head page of the version.
    var lmdbHead = [UInt8](repeating: 0, count: ImageState.lmdbHeadSize)
    /// By page number; a page without a seal is not in use.
    var seals: [PageSeal] = []
    /// The number of pages in use.
    var liveCount = 0

    private static let pagesMagic = Array("OBXPAGES".utf8)

    /// Returns the begin of a new pages file: a block that names the store, and an empty log.
    var newPages: [UInt8] {
      var begin = Self.pagesMagic
      begin.append(storeID)
      begin.pad(to: (1 + logBlocks) * LogRecord.blockSize)
      return begin
    }

    init(storeID: Bytes16, pagesID: UInt64 = 0, pageSize: Int, logBlocks: Int) {
      self.storeID = storeID
      self.pagesID = pagesID
      self.pageSize = pageSize
      self.logBlocks = logBlocks
    }

    /// The last page of LMDB's file.
    private var lastPage: UInt64 { lmdbHead.number(at: 136) }
    /// False for a number of pages that no store has.
    var isPossible: Bool { version == 0 || lastPage < LogRecord.maximumPage }
    /// The number of pages of LMDB's file.
    var pageCount: Int { version == 0 ? 0 : Int(lastPage) + 1 }

    /// The version before a record.
    struct Undo {
      fileprivate let version: UInt64
      fileprivate let chain: [UInt8]
      fileprivate let lmdbHead: [UInt8]
      fileprivate let liveCount: Int
      /// The seals of the pages that the record changed.
      fileprivate let seals: [(page: Int, seal: PageSeal)]
    }

    /// Moves to the version of a record.
    ///
    /// - Parameters:
    ///   - record: The record, whose pages are in range.
    ///   - tag: The record's tag.
    /// - Returns: The version before.
    @discardableResult
    mutating func apply(_ record: LogRecord, tag: Bytes16) -> Undo {
      let changed = record.added.map { Int($0.page) } + record.removed.map { Int($0) }
      let undo = Undo(
        version: version,
        chain: chain,
        lmdbHead: lmdbHead,
        liveCount: liveCount,
        seals: changed.map { ($0, $0 < seals.count ? seals[$0] : PageSeal()) }
      )
      for page in record.removed where page < seals.count {
        if seals[Int(page)].version != 0 { liveCount -= 1 }
        seals[Int(page)] = PageSeal()
      }
      if let last = record.added.last, last.page >= seals.count {
        seals.append(
          contentsOf: repeatElement(PageSeal(), count: Int(last.page) + 1 - seals.count)
        )
      }
      for (page, tag) in record.added {
        if seals[Int(page)].version == 0 { liveCount += 1 }
        seals[Int(page)] = PageSeal(version: record.version, seed: record.seed, tag: tag)
      }
      version = record.version
      lmdbHead = record.lmdbHead
      var both = chain
      both.append(tag)
      chain = Cipher.hash(both, size: Self.chainSize)
      return undo
    }

    /// Continues the chain from a head, so that records after it follow no other head of the same version.
    mutating func follow(headSeed seed: Bytes16) {
      var both = chain
      both.append(seed)
      chain = Cipher.hash(both, size: Self.chainSize)
    }

    /// Moves back to the version before the newest record.
    mutating func goBack(_ undo: Undo) {
      version = undo.version
      chain = undo.chain
      lmdbHead = undo.lmdbHead
      liveCount = undo.liveCount
      for (page, seal) in undo.seals where page < seals.count { seals[page] = seal }
    }
  }
#endif
