#if OBJECTBOX_SODIUM
  internal import Foundation
  internal import ObjectBox
  internal import ObjectBoxStorage

  extension ImageOpening {
    /// Opens the readable part of a damaged image in memory, and passes it to a body.
    ///
    /// The files stay as they are. After damage in the log, the version before it is read; pages
    /// that later commits have overwritten do not open then.
    ///
    /// - Parameter body: Gets the pages and the faults; pages that do not open are zero.
    /// - Returns: The result of the body.
    /// - Throws: ``ObjectBoxError``: `fileCorrupt` when both copies of the head are damaged or the
    ///   pages file is missing; ``EncryptionError/wrongKey(message:)``; the error of the body.
    func withReadable<T>(_ body: (ReadableCopy) throws -> T) throws -> T {
      try encryption.check(location: store.location)
      return try StoreError.translating(store.location) {
        let files = try lockedFiles(isReadOnly: true)
        defer { files.close() }
        let head = try openHead(files)
        defer { head.keys.erase() }
        var log = LogReader(
          damaged: try logBegin(head.state, head.pages),
          after: head.state,
          head.keys
        )
        try checkValues(log.state)
        try checkMemory(log.state)
        let memory = try MemoryFile()
        defer {
          memory.removeFolder()
          memory.close()
        }
        let bad = try openNewest(memory, &log, head.pages, head.keys)
        _ = try writeHeads(log.state, memory)
        let image = try StorageImage(
          path: memory.folder + "/" + StorageEnvironment.fileNames[0]
        )
        memory.excludeFromDumps()
        return try body(
          ReadableCopy(
            image: image,
            faults: faults(of: log) + bad.map(Self.fault),
            quoting: ValueQuoting(isShown: encryption.showsValuesInErrors)
          )
        )
      }
    }

    /// Returns the blocks of the log; missing blocks are zero.
    private func logBegin(_ state: ImageState, _ pages: PagesFile) throws -> [UInt8] {
      var log = [UInt8](repeating: 0, count: state.logBlocks * LogRecord.blockSize)
      let got = log.withUnsafeMutableBytes { pages.get($0, at: LogRecord.blockSize) }
      guard got >= 0 else { throw StorageError(code: errno, call: "pread") }
      return log
    }

    private func faults(of log: LogReader) -> [ReadableCopy.Fault] {
      guard let version = log.unreadableVersion else { return [] }
      return [
        ReadableCopy.Fault(
          message:
            "the log cannot be read up to version \(version); version \(log.state.version) was read instead, without "
            + "the pages that later commits have overwritten"
        )
      ]
    }

    private static func fault(_ bad: ImagePages.Bad) -> ReadableCopy.Fault {
      ReadableCopy.Fault(
        message:
          "page \(bad.page) of version \(bad.version) was changed outside of the library, and cannot be read",
        page: bad.page
      )
    }
  }
#endif
