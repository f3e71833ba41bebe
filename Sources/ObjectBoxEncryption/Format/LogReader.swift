#if OBJECTBOX_SODIUM
  /// Follows the log from the version of a head to the newest version.
  struct LogReader {
    /// The newest version.
    private(set) var state: ImageState
    /// Undoes the newest record; nil when the log has no record.
    private var undo: ImageState.Undo?
    /// The block after the newest record, from 0.
    private(set) var end = 0
    /// The value of `end` at `before`.
    private(set) var endBefore = 0
    /// True when the newest version is known to have been on the disk before anything after it was
    /// written.
    private(set) var isMarked = true
    /// A version that was on the disk and cannot be read; nil for a sound log.
    private(set) var unreadableVersion: UInt64?
    /// True if the log has the begin of a record after the newest version, which a loss of power has cut.
    private(set) var isCut = false

    /// The blocks of the newest record, from 0; empty for a log without records.
    var newestBlocks: Range<Int> { undo == nil ? end..<end : endBefore..<end }

    /// The log states a version that cannot be read.
    struct IsDamaged: Error {
      /// A version that was on the disk.
      let version: UInt64
    }

    /// Reads a log.
    ///
    /// A newest record that is not whole was cut by the loss of power: it has no mark. A mark, or
    /// the begin of a record after it, proves that it was whole once.
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
        endBefore = end
        undo = state.apply(next.record, tag: next.tag)
        end += next.blockCount
      }
      if undo != nil {
        let next = end < blockCount ? log[(end * size)..<((end + 1) * size)] : []
        let mark = CommitMark.read(next, keys)
        isMarked = mark?.version == state.version && mark?.chain == state.chain
        // The next record stands where the mark was, and was begun after the sync.
        if LogRecord.version(ofBegin: next, state.storeID, keys) == state.version + 1 {
          isMarked = true
        }
      }
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
        if block == end, LogRecord.version(ofBegin: bytes, state.storeID, keys) == state.version + 1
        {
          isCut = true
        }
      }
    }

    /// Goes back to the version before the newest record, which was cut.
    mutating func goBack() {
      guard let undo else { return }
      state.goBack(undo)
      end = endBefore
      self.undo = nil
      isCut = true
    }
  }
#endif
