extension Store {
  /// The options that a store is opened with.
  ///
  ///     var configuration = Store.Configuration(directory: "notes")
  ///     configuration.maximumNumberOfActiveVersions = 16
  ///     let store = try Store(configuration: configuration)
  public struct Configuration: Hashable, Sendable {
    /// A path whose last level is made when missing, or `memory:` and a name for a store without files.
    public var directory: String
    /// The greatest size of the file in KiB; it grows up to this.
    ///
    /// ``Store/maximumSize`` changes it while the store is open.
    public var maxDbSizeInKByte: UInt64 = 1_048_576
    /// The permission bits of new files.
    ///
    /// A new directory has the search bit wherever they allow to read or to write.
    public var fileMode: UInt32 = 0o644
    /// The greatest number of threads that read at a time, at least 126; 0 for 1024, less one for each version
    /// that a snapshot or live view holds.
    ///
    /// Snapshots and live views can hold 898 versions at a time, and leave this number of reader slots to
    /// threads, at least 126.
    public var maxReaders: UInt32 = 0
    /// True to refuse every write.
    public var readOnly = false
    /// The number of versions that snapshots and live views may keep alive, at least 1; nil for as
    /// many as there are reader slots.
    ///
    /// A write throws `tooManyActiveVersions` at the limit. Pages of a version that is kept alive stay out of
    /// the free list, so the file grows with each commit.
    public var maximumNumberOfActiveVersions: Int?
    /// True to get another instance on the same file when this process has a store open on the directory
    /// already, with the same model and, except for this option, the same configuration.
    ///
    /// False refuses to open a directory twice.
    public var sharesOpenStore = false
    /// True to let other processes write to the store as well, if they open it with true too.
    ///
    /// One process at a time writes, none waits to read, and each read transaction sees the newest commit of
    /// all processes. Observers, live views and publishers are told of the commits of their own process only.
    /// New objects of asynchronous puts take IDs from a range that was reserved for the process, so the IDs
    /// in a file can have gaps. The schema can change only while no other process has the store open. A
    /// killed process leaves neither a lock nor half a commit behind.
    ///
    /// False refuses the store while another process has it open for writing. Stores with
    /// ``readOnly`` can be open beside any other.
    public var isSharedWithOtherProcesses = false
    /// The part of the file that is checked when it is opened: every page with `withleaves`, also every object and
    /// index entry with `full`.
    ///
    /// A fault is thrown as `fileCorrupt`, and leaves the file as it is. Every mode checks what ``ValidateOnOpenMode/regular``
    /// does. Before the first write to a file of up to 16 MB all pages are checked anyway; ask for `withleaves`
    /// where a larger one may be damaged, since a write to a damaged page can end the process.
    public var validateOnOpen = ValidateOnOpenMode.regular
    /// How small writes share a wait for the disk.
    public var groupCommit = GroupCommit()
    /// Called for each failure that no caller can be told of: asynchronous puts that are dropped,
    /// asynchronous writes that fail and have no completion, observers whose reads fail; nil to write one
    /// line for each to standard error.
    ///
    /// The handler is called on a queue of the store, one call at a time. It may block, and use the store;
    /// failures of its own writes go to standard error. ``Store/close(isolation:)`` does not wait for it. Comparisons
    /// of configurations ignore it; instances that share an open store have the handler of the first one. The
    /// store keeps it, so it should not keep the store. ``Store/statistics`` has the numbers.
    public var onUnheardFailure: (@Sendable (UnheardFailure) -> Void)? {
      get { failureHandler.value }
      set { failureHandler.value = newValue }
    }
    private var failureHandler = Uncompared<(@Sendable (UnheardFailure) -> Void)?>(value: nil)

    /// Describes a store in a directory; everything else has its default.
    ///
    /// - Parameter directory: A path, or `memory:` and a name.
    public init(directory: String = "objectbox") {
      self.directory = directory
    }

    /// How writes that allow it are committed together.
    public struct GroupCommit: Hashable, Sendable {
      /// The greatest number of asynchronous writes in one commit, at least 1.
      ///
      /// Single puts of threads that block at the same time share a commit in any number, unless this is 1.
      public var maximumGroupSize: Int
      /// How long a commit waits for further writes that could share it, when none is there.
      ///
      /// A caller that blocks for the write lock ends the wait; other processes wait as well.
      public var linger: Duration

      /// Makes the options.
      ///
      /// - Parameters:
      ///   - maximumGroupSize: How many asynchronous writes share a commit at most, at least 1.
      ///   - linger: How long a commit waits for further writes, when none is there.
      public init(maximumGroupSize: Int = 20, linger: Duration = .zero) {
        self.maximumGroupSize = maximumGroupSize
        self.linger = linger
      }
    }
  }
}

extension Store.Configuration {
  /// Describes a store by the parameters of the initialisers that take no configuration.
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
      isShared: isSharedWithOtherProcesses
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
    if groupCommit.linger < .zero {
      throw ObjectBoxError.illegalArgument(
        message: "groupCommit.linger: \(groupCommit.linger) is below zero; use .zero not to wait"
      )
    }
  }

  /// Returns the first option that differs from another configuration of the directory; nil for none.
  func difference(from open: Self) -> String? {
    func text<T: Equatable>(_ name: String, _ own: T, _ other: T) -> String? {
      own == other ? nil : "\(name): \(own) instead of \(other)"
    }
    // A list, since the compiler takes most of a second for the types of a chain of `??`.
    let differences: [String?] = [
      text("maxDbSizeInKByte", maxDbSizeInKByte, open.maxDbSizeInKByte),
      text("fileMode", fileMode, open.fileMode),
      text("maxReaders", maxReaders, open.maxReaders),
      text("readOnly", readOnly, open.readOnly),
      text(
        "maximumNumberOfActiveVersions",
        maximumNumberOfActiveVersions.map(String.init) ?? "nil",
        open.maximumNumberOfActiveVersions.map(String.init) ?? "nil"
      ),
      text(
        "isSharedWithOtherProcesses",
        isSharedWithOtherProcesses,
        open.isSharedWithOtherProcesses
      ),
      text("validateOnOpen", validateOnOpen, open.validateOnOpen),
      text(
        "groupCommit.maximumGroupSize",
        groupCommit.maximumGroupSize,
        open.groupCommit.maximumGroupSize
      ),
      text("groupCommit.linger", groupCommit.linger, open.groupCommit.linger),
    ]
    return differences.lazy.compactMap { $0 }.first
  }
}
