#if OBJECTBOX_SODIUM
  internal import Foundation
  internal import ObjectBoxStorage

  /// A copy of an image at one version: the sealed pages as they are, with the same keys.
  ///
  /// Later commits do not write to the pages of the version, which the caller pins.
  struct ImageCopy: StorageMirrorCopy {
    let state: ImageState
    let pages: PagesFile
    let keys: StoreKeys
    let wrapped: WrappedKey
    let random: RandomSource

    func write(
      to directory: String,
      mode: UInt32,
      _ progress: (Double) -> Bool
    ) throws(StorageError) -> Bool {
      guard let copy = try ImageFiles(path: directory, fileMode: mode, isReadOnly: false) else {
        throw StorageError(code: EBUSY, call: "fcntl")
      }
      defer { copy.close() }
      do throws(StorageError) {
        if try write(to: copy, progress) { return true }
      } catch {
        copy.removeAll()
        throw error
      }
      copy.removeAll()
      return false
    }

    private func write(
      to copy: ImageFiles,
      _ progress: (Double) -> Bool
    ) throws(StorageError) -> Bool {
      let writing = try ImageWriting(state, in: copy, keys, wrapped, random)
      guard try copyPages(to: writing.pages, progress) else { return false }
      try writing.pages.sync()
      _ = try writing.writeHead(writing.state)
      try copy.replaceHead()
      return true
    }

    /// Copies the sealed pages in use, and opens each once as a check.
    private func copyPages(
      to copy: PagesFile,
      _ progress: (Double) -> Bool
    ) throws(StorageError) -> Bool {
      let pages = ImagePages(state, pages, keys)
      var done = 0
      let clear = UnsafeMutableRawBufferPointer.allocate(
        byteCount: ImagePages.batchSize * state.pageSize,
        alignment: LogRecord.blockSize
      )
      let sealed = UnsafeMutableRawBufferPointer.allocate(
        byteCount: clear.count,
        alignment: LogRecord.blockSize
      )
      defer {
        Cipher.wipe(clear)
        clear.deallocate()
        sealed.deallocate()
      }
      var place = 0
      while let run = pages.nextRun(from: place, before: state.seals.count) {
        var bad: [ImagePages.Bad] = []
        try pages.openRun(run, sealed, clear, &bad)
        if let first = bad.first { throw .damaged(first.page) }
        try copy.put(
          UnsafeRawBufferPointer(rebasing: sealed[..<(run.count * state.pageSize)]),
          at: pages.offset(of: run.lowerBound)
        )
        place = run.upperBound
        done += run.count
        if !progress(Double(done) / Double(max(1, state.liveCount))) { return false }
      }
      return true
    }
  }
#endif
