#if OBJECTBOX_SODIUM
  internal import CObjectBoxPages
  internal import ObjectBoxStorage

  /// Writes all pages of a version to a new pages file, and a head beside the present one.
  struct VersionWriting {
    private let files: ImageFiles
    private let pages: PagesFile
    private let keys: StoreKeys
    private let wrapped: WrappedKey
    private let random: RandomSource

    init(
      _ files: ImageFiles,
      _ pages: PagesFile,
      _ keys: StoreKeys,
      _ wrapped: WrappedKey,
      _ random: @escaping RandomSource
    ) {
      self.files = files
      self.pages = pages
      self.keys = keys
      self.wrapped = wrapped
      self.random = random
    }

    /// Seals the pages, and waits for the disk.
    ///
    /// - Parameters:
    ///   - version: The version, which the caller pins.
    ///   - state: The state of the new pages file, without pages.
    ///   - progress: Gets the written part, from 0 to 1; false ends the work.
    /// - Returns: The state with the version; nil when `progress` ended the work.
    /// - Throws: ``StorageError`` with the system's error number, or for damaged pages.
    func write(
      _ version: PageVersion,
      after state: ImageState,
      _ progress: (Double) -> Bool
    ) throws(StorageError) -> ImageState? {
      var record = try LogRecord(of: version, seed: .random(random))
      let changed = try ChangedPages(from: nil, to: version)
      let count = changed.added.count
      let added = try PageWriting(state, pages, keys).write(changed.added, for: record, version) {
        progress(Double($0) / Double(max(1, count)))
      }
      guard let added else { return nil }
      record.added = added
      try pages.sync()
      var written = state
      written.apply(record, tag: Bytes16())
      // The head has the seals, so the log begins empty, and the chain of its records too.
      written.chain = state.chain
      return written
    }

    /// Names the pages file and writes the head that names it, for `replaceHead`.
    ///
    /// - Returns: The state from which the log goes on.
    func writeHead(_ state: ImageState) throws(StorageError) -> ImageState {
      let seed = Bytes16.random(random)
      try files.nameNewPages(state.pagesID)
      try files.writeNewHead(SealedHead.copy(of: state, wrapped, keys, seed: seed))
      var next = state
      next.follow(wrapped, seed: seed)
      return next
    }
  }
#endif
