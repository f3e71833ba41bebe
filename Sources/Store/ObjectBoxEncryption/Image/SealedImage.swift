#if OBJECTBOX_SODIUM
  internal import CObjectBoxPages
  internal import Foundation
  internal import ObjectBox
  internal import ObjectBoxStorage

  /// The sealed image of a store on the disk, which follows the commits of the copy in memory.
  ///
  /// A commit writes the pages that its version does not share with the version before, sealed and
  /// each in its place, then a record of the log, and syncs once. That is enough because none of
  /// these places holds a page of the version before: after a loss of power, the image has the new
  /// version or the one before. When the log is half full, a new head with all seals begins it
  /// again.
  ///
  /// Invariant of `@unchecked Sendable`: the variables are used by the opener before another thread
  /// gets the object, and then by the holder of the process's write lock.
  final class SealedImage: StorageMirror, @unchecked Sendable {
    /// The pages that LMDB may add while it commits, for its list of free pages.
    private static let commitPages = 32
    /// The pages that are reserved on the disk at a time, in addition to the needed ones.
    private static let reservedPages = 256

    /// The files of an image, with the keys that open them; a compaction exchanges them.
    struct Content {
      var state: ImageState
      let keys: StoreKeys
      var wrapped: WrappedKey
      let pages: PagesFile
      let memory: MemoryFile
      /// LMDB's head page of the version, for the comparison with the next; nil before the first
      /// commit.
      var head: obx_head?
      /// The number of blocks of the log that are in use.
      var logEnd = 0
      /// The number of pages that have room on the disk and in memory.
      var reservedCount = 0

      init(
        _ state: ImageState,
        _ keys: StoreKeys,
        _ wrapped: WrappedKey,
        _ pages: PagesFile,
        _ memory: MemoryFile
      ) {
        self.state = state
        self.keys = keys
        self.wrapped = wrapped
        self.pages = pages
        self.memory = memory
      }

      /// Makes the content of a new image.
      init(_ state: ImageState, _ writing: ImageWriting, _ memory: MemoryFile) {
        self.init(state, writing.keys, writing.wrapped, writing.pages, memory)
      }
    }

    let files: ImageFiles
    let random: RandomSource
    private(set) var content: Content
    /// The key of the program.
    private(set) var encryption: StoreEncryption
    /// The memory of the content, for threads without the write lock.
    private let mapped: Guarded<MemoryFile>
    private var reservedHeadSize = 0
    /// True when the disk has one of two heads, and it is unknown which.
    private var hasUnknownHead = false
    let damage: String?
    /// As the program asked when it opened the store.
    let showsValuesInErrors: Bool

    /// Makes the image of a version that the memory holds.
    init(
      _ content: Content,
      _ encryption: StoreEncryption,
      _ files: ImageFiles,
      _ random: @escaping RandomSource,
      damage: String? = nil
    ) {
      self.content = content
      self.encryption = encryption
      self.files = files
      self.random = random
      self.damage = damage
      showsValuesInErrors = encryption.showsValuesInErrors
      mapped = Guarded(content.memory)
    }

    var state: ImageState { content.state }
    var memory: MemoryFile { mapped.copy }
    var durableVersion: Int { Int(state.version) }

    func didMap() { memory.excludeFromDumps() }

    func close() {
      memory.removeFolder()
      memory.close()
      files.close()
      content.keys.erase()
    }

    // MARK: Room

    func reserve(pageCount: Int) throws(StorageError) {
      if hasUnknownHead { throw Self.unknownHead(nil) }
      let needed = pageCount + Self.commitPages
      if needed > content.reservedCount {
        try checkMemory(pageCount: needed)
        try reserveOnDisk(pageCount: needed)
      }
      // The next record must have room in the log, or the next head on the disk.
      if content.logEnd > state.logBlocks / 2 { try writeHead(isBeforeCommit: true) }
      let largest = LogRecord.blockCount(added: needed, removed: state.liveCount)
      if content.logEnd + largest + 1 > state.logBlocks { try reserveHead(pageCount: needed) }
    }

    private func checkMemory(pageCount: Int) throws(StorageError) {
      try Self.checkMemory(
        bytes: max(0, pageCount - state.pageCount) * state.pageSize,
        for: "an encrypted store is in memory as a whole, this commit",
        otherwise: "or remove objects and compact"
      )
    }

    /// Checks that the process may take memory.
    ///
    /// - Parameters:
    ///   - bytes: The memory that is needed.
    ///   - work: The work that needs it, as the begin of a sentence.
    ///   - advice: What else can be done.
    /// - Throws: ``StorageError`` with a `reason` when there is too little.
    static func checkMemory(
      bytes: Int,
      for work: String,
      otherwise advice: String
    ) throws(StorageError) {
      guard let room = MemoryRoom(), room.available < bytes else { return }
      throw .noRoom(
        call: "memory",
        reason:
          "\(work) takes \(bytes / 1024) KiB more, and \(room.limit) leaves \(room.available / 1024) KiB; give the "
          + "process more memory, \(advice)"
      )
    }

    private func reserveOnDisk(pageCount: Int) throws(StorageError) {
      let size = state.pageSize
      let begin = place(of: UInt64(min(content.reservedCount, pageCount)))
      func reserve(_ count: Int) throws(StorageError) {
        try content.pages.reserve(offset: begin, size: place(of: UInt64(count)) - begin)
        content.reservedCount = count
      }
      do throws(StorageError) {
        try reserve(pageCount + Self.reservedPages)
      } catch {
        guard error.isDiskFull else { throw error }
        do throws(StorageError) { try reserve(pageCount) } catch {
          throw full(error, bytes: (pageCount - state.pageCount) * size)
        }
      }
    }

    private func reserveHead(pageCount: Int) throws(StorageError) {
      let size = SealedHead.fileSize(liveCount: pageCount)
      if size <= reservedHeadSize { return }
      do throws(StorageError) { try files.reserveHead(size: size) } catch {
        throw full(error, bytes: size)
      }
      reservedHeadSize = size
    }

    func full(_ error: StorageError, bytes: Int) -> StorageError {
      guard error.isDiskFull else { return error }
      return .noRoom(
        call: error.call,
        reason:
          "the disk has no room for the \(max(0, bytes) / 1024) KiB that are needed; make room on it, the "
          + "store is as it was before"
      )
    }

    func beginCopy() -> any StorageMirrorCopy {
      ImageCopy(
        state: state,
        pages: content.pages,
        keys: content.keys,
        wrapped: content.wrapped,
        random: random
      )
    }

    // MARK: Commits

    func write(_ version: PageVersion) throws(StorageError) {
      do throws(StorageError) {
        try writeVersion(version)
      } catch {
        if error.reason != nil { throw error }
        throw .unwritten(
          call: error.call,
          reason:
            "the commit could not be written to the disk (\(error.code): \(error.explanation), \(error.call)), and "
            + "may or may not last; close the store and open it again, which tells"
        )
      }
    }

    private func writeVersion(_ version: PageVersion) throws(StorageError) {
      var record = try LogRecord(of: version, seed: .random(random))
      let changed = try ChangedPages(from: content.head, to: version)
      let writing = PageWriting(state, content.pages, content.keys)
      record.added = try writing.write(changed.added, for: record, version) ?? []
      record.removed = Array(changed.removed)
      let (blocks, tag) = record.sealed(after: state, content.keys)
      let blockCount = blocks.count / LogRecord.blockSize
      // A block is kept for the mark.
      let fits = content.logEnd + blockCount + 1 <= state.logBlocks
      if fits { try put(blocks, atBlock: content.logEnd) }
      try content.pages.sync()
      content.state.apply(record, tag: tag)
      content.head = version.head
      if fits {
        content.logEnd += blockCount
        // Not synced: only its presence proves something.
        try? put(CommitMark.block(state, content.keys), atBlock: content.logEnd)
      } else {
        try writeHead(isBeforeCommit: false)
      }
    }

    private func put(_ blocks: [UInt8], atBlock block: Int) throws(StorageError) {
      let place = (1 + block) * LogRecord.blockSize
      try blocks.withUnsafeBytes { bytes in
        Result { () throws(StorageError) in try content.pages.put(bytes, at: place) }
      }.get()
    }

    private func place(of page: UInt64) -> Int {
      (1 + state.logBlocks) * LogRecord.blockSize + Int(page) * state.pageSize
    }

    // MARK: Head

    /// Writes a head with the seals of all pages; the log begins again.
    private func writeHead(isBeforeCommit: Bool) throws(StorageError) {
      let seed = Bytes16.random(random)
      do throws(StorageError) {
        try files.writeNewHead(of: state, content.wrapped, content.keys, seed: seed)
      } catch {
        throw isBeforeCommit
          ? full(error, bytes: SealedHead.fileSize(liveCount: state.liveCount)) : error
      }
      try replaceHead()
      content.state.follow(headSeed: seed)
      content.logEnd = 0
    }

    /// Replaces the present head by the next one.
    private func replaceHead() throws(StorageError) {
      do throws(StorageError) { try files.replaceHead() } catch {
        hasUnknownHead = true
        throw Self.unknownHead(error)
      }
      reservedHeadSize = 0
    }

    private static func unknownHead(_ error: StorageError?) -> StorageError {
      let cause = error.map { " (\($0.code): \($0.explanation), \($0.call))" } ?? ""
      return .unwritten(
        call: error?.call ?? "rename",
        reason:
          "its head could not be replaced on the disk\(cause); nothing is lost, but close the store and open it "
          + "again before further writes"
      )
    }

    /// Wraps the data key for another key of the program, and writes a head.
    func rewrap(for encryption: StoreEncryption) throws {
      let former = content.wrapped
      do {
        content.wrapped = try WrappedKey(content.keys, for: encryption, random: random)
        try writeHead(isBeforeCommit: true)
      } catch {
        content.wrapped = former
        throw error
      }
      self.encryption = encryption
    }

    // MARK: Compaction

    func beginReplacement() throws(StorageError) -> any StorageMirrorReplacement {
      if hasUnknownHead { throw Self.unknownHead(nil) }
      return try ImageReplacement(of: self)
    }

    /// Takes new files; their head was written next to the present one.
    func replace(by content: Content) throws(StorageError) {
      try replaceHead()
      let former = self.content
      self.content = content
      mapped.withLock { $0 = content.memory }
      // Snapshots and copies that use the former content keep it until they end.
      former.memory.close()
    }
  }
#endif
