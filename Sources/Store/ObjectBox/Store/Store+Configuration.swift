extension Store {
  /// The options that a store is opened with.
  ///
  ///     var configuration = Store.Configuration(directory: "notes")
  ///     configuration.maximumNumberOfActiveVersions = 16
  ///     let store = try Store(configuration: configuration)
  public struct Configuration: Hashable, Sendable {
    /// A path, whose last level is created if it is missing, or `memory:` and a name for a store
    /// without files.
    public var directory: String
    /// The maximum size of the file in KiB.
    ///
    /// ``Store/maximumSize`` changes it while the store is open.
    public var maxDbSizeInKByte: UInt64 = 1_048_576
    /// The permission bits of new files.
    ///
    /// A new directory also gets the search bit wherever these bits allow reading or writing.
    public var fileMode: UInt32 = 0o644
    /// The maximum number of threads that read at a time, at least 126; 0 for the default.
    ///
    /// The default is 1024, minus one for each version that a snapshot or live view holds.
    ///
    /// Snapshots and live views can hold 898 versions at a time. They always leave this number of
    /// reader slots to threads, at least 126.
    public var maxReaders: UInt32 = 0
    /// True to refuse every write.
    public var readOnly = false
    /// The maximum number of versions that snapshots and live views keep alive, at least 1; nil for
    /// the number of reader slots.
    ///
    /// At the limit, a write throws `tooManyActiveVersions`. While a version is kept alive, its
    /// pages cannot be reused, so each commit makes the file grow.
    public var maximumNumberOfActiveVersions: Int?
    /// True to share a store on the directory that is already open in this process.
    ///
    /// Model and configuration must be the same, except for this option.
    ///
    /// If false, opening a directory twice throws.
    public var sharesOpenStore = false
    /// True to let other processes write to the store too; they must also open it with true.
    ///
    /// One process writes at a time. Reads never wait, and each read transaction sees the newest
    /// commit of all processes. Observers, live views and publishers only learn of commits of their
    /// own process. Asynchronous puts take new IDs from ranges that are reserved for each process,
    /// so the IDs in a file can have gaps. The schema can change only while no other process has
    /// the store open. A killed process leaves neither a lock nor a partial commit behind.
    ///
    /// If false, opening throws while another process has the store open for writing. A ``readOnly`` store can
    /// be open at the same time as any other.
    public var isSharedWithOtherProcesses = false
    /// True to refuse relations to objects that do not exist.
    ///
    /// A commit throws `constraintViolated` if a to-one relation that it sets, or a pair that it adds
    /// to a to-many relation, leads to no object. Within a transaction, a target may be put after
    /// the objects that refer to it. Relations that are in the file already stay as they are.
    /// Objects that a synchronization server sends are stored as they come.
    ///
    /// If false, a relation may hold the ID of a missing object: its target is nil, and a to-many
    /// relation leaves it out. `verify` counts such relations.
    public var refusesDanglingRelations = false
    /// The parts of the file that opening checks: `withleaves` checks every page, `full` also every
    /// object and index entry.
    ///
    /// A fault throws `fileCorrupt`, and the file stays as it is. Every mode checks at least what
    /// ``ValidateOnOpenMode/regular`` checks. In files of up to 16 MB, all pages are checked before
    /// the first write anyway. Use `withleaves` if a larger file may be damaged: a write to a
    /// damaged page can stop the process.
    public var validateOnOpen = ValidateOnOpenMode.regular
    /// Options for small writes that share a commit.
    public var groupCommit = GroupCommit()
    /// Called for each failure that reaches no caller; nil to write one line for each to standard error.
    ///
    /// Examples are dropped asynchronous puts, failed asynchronous writes without a completion, and
    /// failed reads of observers; see ``UnheardFailure/Operation``.
    ///
    /// The handler is called on a queue of the store, one call at a time. It may block and use the
    /// store. Failures of its own writes go to standard error. ``Store/close(isolation:)`` does not
    /// wait for it. Comparisons of configurations ignore it; instances that share an open store use
    /// the handler of the first instance. The store keeps the handler, so the handler should hold
    /// the store weakly. ``Store/statistics`` counts the failures.
    public var onUnheardFailure: (@Sendable (UnheardFailure) -> Void)? {
      get { failureHandler.value }
      set { failureHandler.value = newValue }
    }
    /// Called while opening the store fills properties from properties of an earlier model; nil for no reports.
    ///
    /// The handler is called on the thread that opens the store: before the first object of an
    /// entity, after each 10,000 objects, and after the last one. It must not use the store.
    /// Comparisons of configurations ignore it.
    public var onMigration: (@Sendable (MigrationProgress) -> Void)? {
      get { migrationHandler.value }
      set { migrationHandler.value = newValue }
    }
    private var migrationHandler = IgnoredInEquality<(@Sendable (MigrationProgress) -> Void)?>(
      value: nil
    )
    /// Keeps the files in a form of its own; nil for LMDB's.
    package var medium: (any StoreMedium)? {
      get { chosenMedium.medium }
      set { chosenMedium.medium = newValue }
    }
    private var chosenMedium = ChosenMedium()
    private var failureHandler = IgnoredInEquality<(@Sendable (UnheardFailure) -> Void)?>(
      value: nil
    )

    /// Makes a configuration with default values for a store in a directory.
    ///
    /// - Parameter directory: A path, or `memory:` and a name.
    public init(directory: String = "objectbox") {
      self.directory = directory
    }

    /// Options for writes that share a commit.
    public struct GroupCommit: Hashable, Sendable {
      /// The maximum number of asynchronous writes in one commit, at least 1.
      ///
      /// Single puts of threads that block at the same time share a commit without a limit, unless
      /// this is 1.
      public var maximumGroupSize: Int
      /// Time that a commit waits for further writes to share it, if no write is waiting.
      ///
      /// The wait ends when a caller blocks for the write lock. Other processes cannot end it, and
      /// wait too.
      public var linger: Duration

      /// Makes options.
      ///
      /// - Parameters:
      ///   - maximumGroupSize: The maximum number of asynchronous writes in one commit, at least 1.
      ///   - linger: Time that a commit waits for further writes, if no write is waiting.
      public init(maximumGroupSize: Int = 20, linger: Duration = .zero) {
        self.maximumGroupSize = maximumGroupSize
        self.linger = linger
      }
    }
  }
}

extension Store.Configuration {
  /// Makes a configuration from the parameters of the initialisers that take none.
  init(
    directory: String,
    maxDbSizeInKByte: UInt64,
    fileMode: UInt32,
    maxReaders: UInt32,
    readOnly: Bool
  ) {
    self.init(directory: directory)
    self.maxDbSizeInKByte = maxDbSizeInKByte
    self.fileMode = fileMode
    self.maxReaders = maxReaders
    self.readOnly = readOnly
  }

  /// The options of the file.
  var file: StoreFile.Options {
    StoreFile.Options(
      location: directory,
      maximumSizeInKilobytes: maxDbSizeInKByte,
      fileMode: fileMode,
      requestedReaderCount: maxReaders,
      isReadOnly: readOnly,
      isShared: isSharedWithOtherProcesses,
      refusesDanglingRelations: refusesDanglingRelations,
      onMigration: onMigration
    )
  }

  /// Throws `illegalArgument` for invalid values.
  func check() throws {
    if let limit = maximumNumberOfActiveVersions, limit < 1 {
      throw ObjectBoxError.illegalArgument(
        message: "maximumNumberOfActiveVersions: \(limit) is below 1; use nil for no limit"
      )
    }
    if groupCommit.maximumGroupSize < 1 {
      throw ObjectBoxError.illegalArgument(
        message:
          "groupCommit.maximumGroupSize: \(groupCommit.maximumGroupSize) is below 1; use 1 to "
          + "commit each write alone"
      )
    }
    if medium != nil, isSharedWithOtherProcesses {
      throw ObjectBoxError.illegalArgument(
        message:
          "isSharedWithOtherProcesses: an encrypted store is in the memory of one process; leave the option "
          + "out, or the encryption"
      )
    }
    if medium != nil, directory.hasPrefix(Store.inMemoryPrefix) {
      throw ObjectBoxError.illegalArgument(
        message:
          "encryption: the store '\(directory)' has no files; leave the encryption out, or use a directory"
      )
    }
    if groupCommit.linger < .zero {
      throw ObjectBoxError.illegalArgument(
        message: "groupCommit.linger: \(groupCommit.linger) is below zero; use .zero not to wait"
      )
    }
  }

  /// Returns the name of the first option that differs from another configuration; nil if none
  /// does.
  func difference(from open: Self) -> String? {
    func text<T: Equatable>(_ name: String, _ option: (Self) -> T) -> String? {
      let (own, other) = (option(self), option(open))
      return own == other ? nil : "\(name): \(own) instead of \(other)"
    }
    // A list: the compiler needs most of a second to check a chain of `??`.
    let differences: [String?] = [
      text("maxDbSizeInKByte", \.maxDbSizeInKByte),
      text("fileMode", \.fileMode),
      text("maxReaders", \.maxReaders),
      text("readOnly", \.readOnly),
      text("maximumNumberOfActiveVersions") {
        $0.maximumNumberOfActiveVersions.map(String.init) ?? "nil"
      },
      text("isSharedWithOtherProcesses", \.isSharedWithOtherProcesses),
      text("refusesDanglingRelations", \.refusesDanglingRelations),
      text("validateOnOpen", \.validateOnOpen),
      text("groupCommit.maximumGroupSize", \.groupCommit.maximumGroupSize),
      text("groupCommit.linger", \.groupCommit.linger),
      // Without values, which must not be in a message.
      chosenMedium == open.chosenMedium ? nil : "another encryption",
    ]
    return differences.lazy.compactMap { $0 }.first
  }
}
