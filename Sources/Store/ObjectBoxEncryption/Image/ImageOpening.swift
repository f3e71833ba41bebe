#if OBJECTBOX_SODIUM
  internal import CObjectBoxPages
  internal import Foundation
  internal import ObjectBox
  internal import ObjectBoxStorage

  /// Opens the image of a store, or makes it: reads head and log, opens all pages into memory.
  struct ImageOpening {
    private static let largestPage = 32768

    let store: StoreOpening
    let encryption: StoreEncryption
    var random: RandomSource = Cipher.systemRandom

    /// Takes the files, and returns the image with its copy in memory.
    ///
    /// - Throws: ``ObjectBoxError`` and ``EncryptionError``. Nothing stays open then.
    func run() throws -> SealedImage {
      try encryption.check(location: store.location)
      return try StoreError.translating(store.location) {
        let files = try lockedFiles(isReadOnly: store.isReadOnly)
        do {
          if files.exists(ImageFiles.head) { return try open(files) }
          try checkIsNew(files)
          return try create(files)
        } catch {
          files.close()
          throw error
        }
      }
    }

    /// Takes the lock of the directory.
    ///
    /// - Parameter isReadOnly: True if nothing is written, so that the directory need not be writable.
    /// - Returns: The directory.
    /// - Throws: ``ObjectBoxError`` when another process has the lock, or the directory has another store;
    ///   ``StorageError``.
    func lockedFiles(isReadOnly: Bool) throws -> ImageFiles {
      if access(store.path + "/" + StorageEnvironment.fileNames[0], F_OK) == 0 {
        throw ObjectBoxError.illegalState(
          message:
            "the store at '\(store.location)' is not encrypted, and was opened with a key; open it without, and "
            + "copy it to an encrypted store (store.copy(to:) of ObjectBoxCare, or 'objectbox copy')"
        )
      }
      // Leaves no lock file in a folder without a store.
      if !store.isCreating, access(store.path + "/" + ImageFiles.head, F_OK) != 0 {
        throw ObjectBoxError.storageGeneral(
          message: "there is no encrypted store at '\(store.location)'; correct the path"
        )
      }
      let files = try ImageFiles(
        path: store.path,
        fileMode: store.fileMode,
        isReadOnly: isReadOnly
      )
      guard let files else {
        throw ObjectBoxError.illegalState(
          message:
            "cannot open the encrypted store at '\(store.location)': another process has it open, and only one "
            + "can; close it there"
        )
      }
      return files
    }

    /// Throws when a directory without a head has pages of a store.
    func checkIsNew(_ files: ImageFiles) throws {
      // An unfinished file may have garbage after a loss of power. A finished file has only zeros, or all pages
      // of a copy, until the head names it.
      for name in files.finishedPagesNames {
        guard try files.hasContent(name, after: LogRecord.blockSize) else { continue }
        throw damaged(
          "its '\(ImageFiles.head)' is missing; if a copy to this folder was interrupted, remove the folder"
        )
      }
      files.removeLeftovers()
    }

    // MARK: Creating

    /// Begins the files of a new image, with a data key of its own.
    func beginWriting(pageSize: Int, to files: ImageFiles) throws -> ImageWriting {
      guard let keys = StoreKeys(random: random) else { throw noMemory }
      let state = ImageState(
        storeID: .random(random),
        pageSize: pageSize,
        logBlocks: encryption.newLogBlocks
      )
      let wrapped = try translating { try WrappedKey(keys, for: encryption, random: random) }
      return try ImageWriting(state, in: files, keys, wrapped, random)
    }

    private func create(_ files: ImageFiles) throws -> SealedImage {
      try checkMinimum(version: 0)
      let pageSize = max(LogRecord.blockSize, Int(sysconf(Int32(_SC_PAGESIZE))))
      let writing = try beginWriting(pageSize: min(pageSize, Self.largestPage), to: files)
      let state = try writing.writeHead(writing.state)
      try files.replaceHead()
      return SealedImage(
        SealedImage.Content(state, writing, try MemoryFile()),
        encryption,
        files,
        random
      )
    }

    // MARK: Opening

    /// A head whose pieces are opened.
    struct OpenHead {
      let found: SealedHead.Found
      let keys: StoreKeys
      /// The state as it is in the head.
      let written: ImageState
      /// The state from which the log goes on.
      let state: ImageState
      let pages: PagesFile
      /// True when a part of either copy is damaged.
      let isDamaged: Bool
    }

    /// Opens the head with the key, and then the pages file that it names.
    func openHead(_ files: ImageFiles) throws -> OpenHead {
      let found: SealedHead.Found
      do { found = try SealedHead.find(files.read(ImageFiles.head)) } catch {
        throw try refusal(error)
      }
      let keys = try translating { try found.wrapped.unwrapped(by: encryption) }
      let (state, isDamaged): (ImageState, Bool)
      do { (state, isDamaged) = try SealedHead.open(found, keys) } catch {
        throw try refusal(error)
      }
      try checkValues(state)
      var next = state
      next.follow(headSeed: found.seed)
      return OpenHead(
        found: found,
        keys: keys,
        written: state,
        state: next,
        pages: try openPages(state, files),
        isDamaged: isDamaged
      )
    }

    private func open(_ files: ImageFiles) throws -> SealedImage {
      let head = try openHead(files)
      let (atHead, keys) = (head.state, head.keys)
      let logBytes = try readLog(atHead, head.pages)
      var log: LogReader
      do { log = try LogReader(logBytes, after: atHead, keys) } catch {
        throw damaged(
          "the log in '\(name(of: atHead))' has version \(error.version), which cannot be read; it, or "
            + "'\(ImageFiles.head)', was changed, or is of another time"
        )
      }
      try checkOtherPages(files, log.state)
      let memory = try MemoryFile()
      do {
        try checkValues(log.state)
        try checkMemory(log.state)
        try fill(memory, &log, head.pages, keys)
        try checkMinimum(version: log.state.version)
        var faults: [String] = []
        if log.isCut {
          faults.append(
            "the commit after version \(log.state.version) is not whole; it goes on from that version, and a commit after "
              + "it may be lost"
          )
        }
        if !store.isReadOnly {
          // The new name of a head may be in the system's cache only: the sync failed, or the process ended
          // before it. Commits would overwrite the log of the former head.
          if log.end == 0 { try StorageEnvironment.synchronize(files.path) }
          if let record = log.unmarked {
            try writeAgain(record, logBytes, log.state, head.pages, keys)
          }
          if head.isDamaged, let fault = heal(files, head) { faults.append(fault) }
          files.removePages(except: atHead.pagesID)
        }
        var content = SealedImage.Content(
          log.state,
          keys,
          head.found.wrapped,
          head.pages,
          memory
        )
        content.logEnd = log.end
        content.head = try writeHeads(log.state, memory)
        let damage = faults.isEmpty ? nil : shownDamage(faults)
        return SealedImage(content, encryption, files, random, damage: damage)
      } catch {
        memory.removeFolder()
        throw error
      }
    }

    /// Opens all pages into memory; throws when one does not open.
    private func fill(
      _ memory: MemoryFile,
      _ log: inout LogReader,
      _ pages: PagesFile,
      _ keys: StoreKeys
    ) throws {
      let bad = try openNewest(memory, &log, pages, keys)
      guard let first = bad.first else { return }
      let count = bad.count == 1 ? "" : " and \(bad.count - 1) others"
      throw damaged(
        "page \(first.page)\(count) of '\(name(of: log.state))' was changed outside of the library, or is of another "
          + "time than '\(ImageFiles.head)'"
      )
    }

    /// Throws when a pages file that the head does not name has later commits.
    ///
    /// An interrupted compaction leaves a file without later commits; a head that was put back leaves one with
    /// them.
    private func checkOtherPages(_ files: ImageFiles, _ state: ImageState) throws {
      for other in files.finishedPagesNames where other != name(of: state) {
        guard let version = try files.firstVersion(ofLogIn: other), version > state.version else {
          continue
        }
        throw damaged(
          "'\(other)' has version \(version), and '\(ImageFiles.head)' is of an earlier time; put its head back, or move "
            + "it away to go on from version \(state.version)"
        )
      }
    }

    private func name(of state: ImageState) -> String { ImageFiles.pagesName(state.pagesID) }

    /// Opens all pages into memory; undoes a commit that a loss of power has cut.
    ///
    /// - Returns: The pages that do not open, which the memory lacks.
    func openNewest(
      _ memory: MemoryFile,
      _ log: inout LogReader,
      _ pages: PagesFile,
      _ keys: StoreKeys
    ) throws -> [ImagePages.Bad] {
      let bad = try ImagePages(log.state, pages, keys).open(into: memory.descriptor)
      // Only pages of the newest commit may be missing, and only before its mark was written.
      let newest = log.state.version
      guard !bad.isEmpty, log.unmarked != nil, bad.allSatisfy({ $0.version == newest }) else {
        return bad
      }
      log.goBack()
      return try ImagePages(log.state, pages, keys).open(into: memory.descriptor)
    }

    /// Writes both head pages of the copy, and returns the newer one.
    ///
    /// - Returns: Nil before the first commit; the copy is then an empty file.
    func writeHeads(_ state: ImageState, _ memory: MemoryFile) throws -> obx_head? {
      guard state.version > 0 else {
        guard ftruncate(memory.descriptor, 0) == 0 else {
          throw StorageError(code: errno, call: "ftruncate")
        }
        return nil
      }
      var newest: obx_head?
      for number in 0..<2 {
        var page = state.lmdbHead
        page.pad(to: state.pageSize)
        let isNewest = state.version & 1 == UInt64(number)
        let head: obx_head? = page.withUnsafeMutableBytes { bytes in
          bytes.storeBytes(of: UInt64(number), as: UInt64.self)
          bytes.storeBytes(
            of: isNewest ? state.version : state.version - 1,
            toByteOffset: 144,
            as: UInt64.self
          )
          // The head page is read alone, as if it were the first.
          bytes.storeBytes(of: UInt64(0), as: UInt64.self)
          var image = obx_image(
            base: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
            size: UInt64(bytes.count)
          )
          var head = obx_head()
          let status = obx_head_read(&image, 0, UInt32(state.pageSize), &head)
          bytes.storeBytes(of: UInt64(number), as: UInt64.self)
          head.number = UInt64(number)
          return status == OBX_HEAD_OK ? head : nil
        }
        guard let head else {
          throw damaged("the head page of version \(state.version) is invalid")
        }
        try page.withUnsafeBytes {
          try StorageEnvironment.write($0, to: memory.descriptor, at: number * state.pageSize)
        }
        if isNewest { newest = head }
      }
      return newest
    }

    private func readLog(_ state: ImageState, _ pages: PagesFile) throws -> [UInt8] {
      var log = [UInt8](repeating: 0, count: state.logBlocks * LogRecord.blockSize)
      let got = log.withUnsafeMutableBytes { pages.get($0, at: LogRecord.blockSize) }
      guard got == log.count else { throw damaged("'\(name(of: state))' is cut") }
      return log
    }

    private func openPages(_ state: ImageState, _ files: ImageFiles) throws -> PagesFile {
      do { return try files.openPages(state.pagesID) } catch {
        guard error.isMissingFile else { throw error }
        throw damaged("'\(name(of: state))' is missing, which its '\(ImageFiles.head)' names")
      }
    }

    /// Writes the pages and the record of the newest version again, with the same bytes, and then its mark.
    ///
    /// A version without a mark may be in the system's cache only: after a failed sync, Linux treats unwritten
    /// pages as written, and a later sync succeeds without them.
    private func writeAgain(
      _ record: LogReader.Unmarked,
      _ log: [UInt8],
      _ state: ImageState,
      _ pages: PagesFile,
      _ keys: StoreKeys
    ) throws {
      let (blocks, size) = (record.blocks, LogRecord.blockSize)
      try ImagePages(state, pages, keys).writeAgain(version: state.version)
      try log[(blocks.lowerBound * size)..<(blocks.upperBound * size)].withUnsafeBytes {
        try pages.put($0, at: (1 + blocks.lowerBound) * size)
      }
      try pages.sync()
      guard blocks.upperBound < state.logBlocks else { return }
      try CommitMark.block(state, keys).withUnsafeBytes {
        try pages.put($0, at: (1 + blocks.upperBound) * size)
      }
    }

    /// Rewrites a partly damaged head from its sound parts.
    ///
    /// - Returns: The reason of a failure, in words; the sound copy serves meanwhile.
    private func heal(_ files: ImageFiles, _ head: OpenHead) -> String? {
      do throws(StorageError) {
        // With the same seed: the log continues from it.
        let (wrapped, seed) = (head.found.wrapped, head.found.seed)
        try files.writeNewHead(of: head.written, wrapped, head.keys, seed: seed)
        try files.replaceHead()
        return nil
      } catch {
        return
          "a part of one of both copies of its head is damaged, and could not be written again (\(error.code): "
          + "\(error.explanation), \(error.call))"
      }
    }

    // MARK: Checks

    static func isPageSize(_ size: Int) -> Bool {
      size >= LogRecord.blockSize && size <= largestPage && size & (size - 1) == 0
    }

    /// Throws for values that no store has: an authentic head or record of a faulty program.
    func checkValues(_ state: ImageState) throws {
      guard Self.isPageSize(state.pageSize), (2...(1 << 20)).contains(state.logBlocks),
        state.isPossible
      else { throw damaged("its head or log has impossible values") }
    }

    func checkMemory(_ state: ImageState) throws {
      let bytes = state.liveCount * state.pageSize
      guard let room = MemoryRoom(), room.available < bytes else { return }
      throw ObjectBoxError.dbFull(
        message:
          "cannot open the encrypted store at '\(store.location)': it takes \(bytes / 1024) KiB of memory, and "
          + "\(room.limit) leaves \(room.available / 1024) KiB; give the process more memory"
      )
    }

    private func checkMinimum(version: UInt64) throws {
      guard version < encryption.minimumVersion else { return }
      throw EncryptionError.outdated(
        message:
          "the encrypted store at '\(store.location)' is at version \(version), and the program has seen "
          + "version \(encryption.minimumVersion): the folder was put back to an earlier state; restore a later "
          + "one, or lower minimumVersion"
      )
    }

    // MARK: Errors

    private func shownDamage(_ faults: [String]) -> String {
      "the encrypted store at '\(store.location)' was damaged: \(faults.joined(separator: "; "))"
    }

    func damaged(_ fault: String) -> ObjectBoxError {
      .fileCorrupt(
        message:
          "the encrypted store at '\(store.location)' is damaged: \(fault); restore it from a backup"
      )
    }

    private var noMemory: ObjectBoxError {
      .illegalState(
        message:
          "cannot open the encrypted store at '\(store.location)': the memory of its keys cannot be allocated or "
          + "locked; raise the limit of locked memory (ulimit -l)"
      )
    }

    private func refusal(_ error: any Error) throws -> any Error {
      switch error {
      case SealedHead.Refusal.unknownFormat(let format):
        ObjectBoxError.storageGeneral(
          message:
            "the encrypted store at '\(store.location)' has format \(format), and this version of the library reads "
            + "\(WrappedKey.format); "
            + (format > WrappedKey.format
              ? "use the version that wrote it, or a later one"
              : "no release of the library wrote it; make a new store")
        )
      case is SealedHead.Refusal: damaged("both copies in '\(ImageFiles.head)' are")
      default: error
      }
    }

    /// Runs a body that wraps or unwraps keys, and converts its errors.
    func translating<T>(_ body: () throws -> T) throws -> T {
      do { return try body() } catch let refusal as WrappedKey.Refusal {
        switch refusal {
        case .wrongKey:
          throw EncryptionError.wrongKey(
            message:
              "the key does not open the encrypted store at '\(store.location)'; its head is whole, so use the right "
              + "key"
          )
        case .otherKind(let words):
          throw EncryptionError.wrongKey(
            message: "the key does not open the encrypted store at '\(store.location)': \(words)"
          )
        case .damaged: throw damaged("the begin of its head has impossible values")
        case .noMemory: throw noMemory
        }
      }
    }
  }
#endif
