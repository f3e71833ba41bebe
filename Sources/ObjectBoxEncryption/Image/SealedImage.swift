#if OBJECTBOX_SODIUM
  internal import CObjectBoxPages
  internal import Foundation
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
    /// The pages that are reserved on the disk at a time, beside those that are needed.
    private static let reservedPages = 256

    let memory: MemoryFile
    let files: ImageFiles
    let keys: StoreKeys
    private(set) var wrapped: WrappedKey
    private(set) var state: ImageState
    /// LMDB's head page of the version, for the comparison with the next; nil before the first
    /// commit.
    private var head: obx_head?
    /// The number of blocks of the log that are in use.
    private var logEnd: Int
    /// The number of pages that have room on the disk and in memory.
    private var reservedCount: Int
    private var reservedHeadSize = 0
    /// True when the disk has one of two heads, and nobody knows which.
    private var hasUnknownHead = false
    private let random: RandomSource

    /// Makes the image of a version that the memory holds.
    init(
      _ state: ImageState,
      logEnd: Int,
      head: obx_head?,
      memory: MemoryFile,
      files: ImageFiles,
      keys: StoreKeys,
      wrapped: WrappedKey,
      random: @escaping RandomSource
    ) {
      self.state = state
      self.logEnd = logEnd
      self.head = head
      self.memory = memory
      self.files = files
      self.keys = keys
      self.wrapped = wrapped
      self.random = random
      reservedCount = 0
    }

    var durableVersion: Int { Int(state.version) }

    func didMap() { memory.excludeFromDumps() }

    func close() {
      memory.removeFolder()
      memory.close()
      files.close()
      keys.erase()
    }

    // MARK: Room

    func reserve(pageCount: Int) throws(StorageError) {
      if hasUnknownHead { throw Self.unknownHead(nil) }
      let needed = pageCount + Self.commitPages
      if needed > reservedCount {
        try checkMemory(pageCount: needed)
        try reserveOnDisk(pageCount: needed)
      }
      // The next record must have room in the log, or the next head on the disk.
      if logEnd > state.logBlocks / 2 { try writeHead(isBeforeCommit: true) }
      let largest = LogRecord.blockCount(added: needed, removed: state.liveCount)
      if logEnd + largest + 1 > state.logBlocks { try reserveHead(pageCount: needed) }
    }

    private func checkMemory(pageCount: Int) throws(StorageError) {
      let bytes = max(0, pageCount - state.pageCount) * state.pageSize
      guard let room = MemoryRoom(), room.available < bytes else { return }
      throw .noRoom(
        call: "memory",
        reason:
          "an encrypted store is in memory as a whole, this commit takes \(bytes / 1024) KiB more, and "
          + "\(room.limit) leaves \(room.available / 1024) KiB; give the process more memory, or remove "
          + "objects and compact"
      )
    }

    private func reserveOnDisk(pageCount: Int) throws(StorageError) {
      let size = state.pageSize
      let begin = place(of: UInt64(min(reservedCount, pageCount)))
      func reserve(_ count: Int) throws(StorageError) {
        try files.reserve(offset: begin, size: place(of: UInt64(count)) - begin)
        reservedCount = count
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

    private func full(_ error: StorageError, bytes: Int) -> StorageError {
      guard error.isDiskFull else { return error }
      return .noRoom(
        call: error.call,
        reason:
          "the disk has no room for the \(max(0, bytes) / 1024) KiB that the commit takes; make room on it, the "
          + "store is as it was before"
      )
    }

    func beginCopy() -> any StorageMirrorCopy {
      ImageCopy(state: state, files: files, keys: keys, wrapped: wrapped, random: random)
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
      let changed = try ChangedPages(from: head, to: version)
      let writing = PageWriting(state, files, keys)
      record.added = try writing.write(changed.added, for: record, version) ?? []
      record.removed = Array(changed.removed)
      let (blocks, tag) = record.sealed(after: state, keys)
      let blockCount = blocks.count / LogRecord.blockSize
      // A block is kept for the mark.
      let fits = logEnd + blockCount + 1 <= state.logBlocks
      if fits { try put(blocks, atBlock: logEnd) }
      try files.sync()
      state.apply(record, tag: tag)
      head = version.head
      if fits {
        logEnd += blockCount
        // Not synced: its presence proves something, its absence nothing.
        try? put(CommitMark.block(state, keys), atBlock: logEnd)
      } else {
        try writeHead(isBeforeCommit: false)
      }
    }

    private func put(_ blocks: [UInt8], atBlock block: Int) throws(StorageError) {
      let place = (1 + block) * LogRecord.blockSize
      try blocks.withUnsafeBytes { bytes in
        Result { () throws(StorageError) in try files.put(bytes, at: place) }
      }.get()
    }

    private func place(of page: UInt64) -> Int {
      (1 + state.logBlocks) * LogRecord.blockSize + Int(page) * state.pageSize
    }

    // MARK: Head

    /// Writes a head with the seals of all pages; the log begins again.
    private func writeHead(isBeforeCommit: Bool) throws(StorageError) {
      do throws(StorageError) {
        try files.writeNewHead(
          SealedHead.copy(of: state, wrapped, keys, seed: .random(random))
        )
      } catch {
        throw isBeforeCommit
          ? full(error, bytes: SealedHead.fileSize(liveCount: state.liveCount)) : error
      }
      do throws(StorageError) { try files.replaceHead() } catch {
        hasUnknownHead = true
        throw Self.unknownHead(error)
      }
      logEnd = 0
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
      let former = wrapped
      do {
        wrapped = try WrappedKey(keys, for: encryption, random: random)
        try writeHead(isBeforeCommit: true)
      } catch {
        wrapped = former
        throw error
      }
    }
  }
#endif
