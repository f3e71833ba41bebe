#if OBJECTBOX_SODIUM
  internal import CObjectBoxPages
  internal import ObjectBoxStorage

  /// The files of a new image: a pages file of its own, and the head that names it.
  ///
  /// The head comes last: an unfinished creation leaves no store, or the former one.
  struct ImageWriting {
    let files: ImageFiles
    let pages: PagesFile
    /// The state that the image begins with, under the number of the pages file.
    let state: ImageState
    let keys: StoreKeys
    let wrapped: WrappedKey
    private let random: RandomSource

    /// Makes the pages file.
    ///
    /// - Parameters:
    ///   - state: The state that the image begins with. The pages file gets another number, so that a mixture
    ///     of the files of two images is detected.
    ///   - files: The directory.
    ///   - keys: The keys of the pages.
    ///   - wrapped: The data key, wrapped for the head.
    ///   - random: The source of numbers and seeds.
    /// - Throws: ``StorageError`` with the system's error number.
    init(
      _ state: ImageState,
      in files: ImageFiles,
      _ keys: StoreKeys,
      _ wrapped: WrappedKey,
      _ random: @escaping RandomSource
    ) throws(StorageError) {
      var state = state
      state.pagesID = Bytes16.random(random).first
      pages = try files.makePages(state.pagesID, begin: state.newPages)
      self.files = files
      self.state = state
      self.keys = keys
      self.wrapped = wrapped
      self.random = random
    }

    /// Seals all pages of a version of any store, and waits for the disk.
    ///
    /// - Parameters:
    ///   - version: The version, which the caller pins.
    ///   - progress: Gets the written part, from 0 to 1; false ends the work.
    /// - Returns: The state with the version; nil when `progress` ended the work.
    /// - Throws: ``StorageError`` with the system's error number, or for damaged pages.
    func write(
      _ version: PageVersion,
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

    /// Names the pages file and writes the head that names it, for `ImageFiles.replaceHead`.
    ///
    /// - Returns: The state from which the log goes on.
    func writeHead(_ state: ImageState) throws(StorageError) -> ImageState {
      let seed = Bytes16.random(random)
      try files.nameNewPages(state.pagesID)
      try files.writeNewHead(of: state, wrapped, keys, seed: seed)
      var next = state
      next.follow(headSeed: seed)
      return next
    }
  }
#endif
