#if OBJECTBOX_SODIUM
  /// Follows the log from the version of a head to the newest version.
  struct LogReader {
    /// The newest version.
    private(set) var state: ImageState
    /// The block after the newest record, from 0.
    private(set) var end = 0
    /// The newest record, unless something proves that it was on the disk.
    private(set) var unmarked: Unmarked?
    /// A version that was on the disk and cannot be read; nil for a sound log.
    private(set) var unreadableVersion: UInt64?
    /// True if the log has only the begin of the record after the newest version: a loss of power cut it.
    private(set) var isCut = false

    /// A record between its commit and the next opening that may write, which writes it again.
    struct Unmarked {
      /// Its blocks in the log, from 0.
      let blocks: Range<Int>
      fileprivate let undo: ImageState.Undo
    }

    /// The log states a version that cannot be read.
    struct IsDamaged: Error {
      /// A version that was on the disk.
      let version: UInt64
    }

    /// Reads a log.
    ///
    /// An incomplete newest record without a mark was cut by a loss of power. A mark, or the begin of a later
    /// record, proves that the record was whole once.
    ///
    /// - Parameters:
    ///   - log: All blocks of the log.
    ///   - head: The version of the head.
    ///   - keys: The keys.
    /// - Throws: ``IsDamaged``.
    init(_ log: [UInt8], after head: ImageState, _ keys: StoreKeys) throws(IsDamaged) {
      self.init(damaged: log, after: head, keys)
      if let unreadableVersion { throw IsDamaged(version: unreadableVersion) }
    }

    /// Reads a log that may be damaged, up to the last version before the damage.
    init(damaged log: [UInt8], after head: ImageState, _ keys: StoreKeys) {
      state = head
      let size = LogRecord.blockSize
      let blockCount = log.count / size
      while end < blockCount {
        guard let next = LogRecord.open(log[(end * size)...], after: state, keys) else { break }
        let undo = state.apply(next.record, tag: next.tag)
        unmarked = Unmarked(blocks: end..<(end + next.blockCount), undo: undo)
        end += next.blockCount
      }
      let next = end < blockCount ? log[(end * size)..<((end + 1) * size)] : []
      let mark = CommitMark.read(next, keys)
      // The next record stands where the mark was, and was begun after the sync.
      isCut = LogRecord.version(ofBegin: next, state.storeID, keys) == state.version + 1
      if isCut || mark?.version == state.version && mark?.chain == state.chain { unmarked = nil }
      for block in end..<max(end, blockCount) {
        let bytes = log[(block * size)..<((block + 1) * size)]
        if let mark = CommitMark.read(bytes, keys), mark.version > state.version {
          unreadableVersion = mark.version
          return
        }
        // The record of the next version may be the one that was cut.
        if let version = LogRecord.version(ofBegin: bytes, state.storeID, keys),
          version > state.version + 1
        {
          unreadableVersion = version - 1
          return
        }
      }
    }

    /// Goes back to the version before an unmarked record, which was cut.
    mutating func goBack() {
      guard let record = unmarked else { return }
      state.goBack(record.undo)
      end = record.blocks.lowerBound
      unmarked = nil
      isCut = true
    }
  }
#endif
