internal import Synchronization

/// An open database, which gives access to boxes and transactions.
///
/// A store may be used on all threads. Its file stays open until all instances on it are closed or
/// released: the first instance, its clones, and attached instances.
///
///     let store = try Store(directoryPath: "notes")
///     let notes = store.box(for: Note.self)
///     try notes.put(Note(title: "Milk"))
public final class Store: CustomDebugStringConvertible, Sendable {
  /// The prefix of the directory of a store in memory; the store's name in the process follows.
  ///
  /// Tests use such a store, which leaves no files behind.
  ///
  ///     let store = try Store(directoryPath: "memory:notes")
  public static let inMemoryPrefix = StoreDirectory.inMemoryPrefix

  /// The directory as it was given.
  public let directoryPath: String

  /// The part that all instances on the file share.
  package let openStore: OpenStore
  package let file: StoreFile
  package let transactions: TransactionScheduler
  /// False for an instance of a snapshot, which does not keep the store open.
  private let isOwner: Bool
  /// The version that boxes and queries of this instance read.
  let source: Source
  package let directory: StoreDirectory
  /// True once `close` was called.
  private let isClosing = Atomic<Bool>(false)
  /// True once boxes and queries refuse to work; blocks that `close` waits for still use them.
  private let isReleased = Atomic<Bool>(false)
  // Keyed by the type of the objects. Weak: each box holds its store.
  private let boxes = WeakTable<ObjectIdentifier>()
  let asyncBoxes = WeakTable<UInt32>()
  let attachedObjects = Guarded<[String: AnyObject]>([:])

  /// Opens a store; creates its directory and file if they are missing.
  ///
  /// Generated code calls this from `Store(directoryPath:)`. If the model differs from the schema
  /// in the file, the file is upgraded: properties, entities and indexes are added and removed, and
  /// objects keep their values. The data of elements that are no longer in the model is kept until
  /// ``discardRetiredData()``. A later model with the same UIDs gets it back.
  ///
  /// - Parameters:
  ///   - model: The result of ``ModelBuilder/finish()``. It is used up, even if this throws.
  ///   - directory: A path, whose last level is created if it is missing. Or `memory:` and a name,
  ///     for a store without files that other instances in the process can attach to.
  ///   - maxDbSizeInKByte: The maximum size of the file in KiB.
  ///   - fileMode: The permission bits of new files. A new directory also gets the search bit
  ///     wherever they allow reading or writing.
  ///   - maxReaders: The maximum number of threads that read at a time, at least 126; 0 for 1024,
  ///     minus one for each version that a snapshot or live view holds.
  ///   - readOnly: True to refuse every write.
  /// - Throws: ``ObjectBoxError``: `storageGeneral` when directory or file cannot be made or
  ///   opened, `schema` when the model does not fit the file, `illegalState` when another store on
  ///   the directory is open in this process, `dbFull` when the maximum size is too small.
  /// - Complexity: O(1) in the number of objects, unless a new index is filled.
  public convenience init(
    model: OpaquePointer,
    directory: String = "objectbox",
    maxDbSizeInKByte: UInt64 = 1_048_576,
    fileMode: UInt32 = 0o644,
    maxReaders: UInt32 = 0,
    readOnly: Bool = false
  ) throws {
    let configuration = Configuration(
      directory: directory,
      maxDbSizeInKByte: maxDbSizeInKByte,
      fileMode: fileMode,
      maxReaders: maxReaders,
      readOnly: readOnly
    )
    try self.init(model: model, configuration: configuration)
  }

  /// Opens a store; creates its directory and file if they are missing.
  ///
  /// Generated code calls this from `Store(configuration:)`. If the model differs from the schema
  /// in the file, the file is upgraded: properties, entities and indexes are added and removed, and
  /// objects keep their values. The data of elements that are no longer in the model is kept until
  /// ``discardRetiredData()``. A later model with the same UIDs gets it back. A file cannot be
  /// upgraded while another process has the store open.
  ///
  /// - Parameters:
  ///   - model: The result of ``ModelBuilder/finish()``. It is used up, even if this throws.
  ///   - configuration: The directory, and how the store is used.
  /// - Throws: ``ObjectBoxError``: `storageGeneral` when directory or file cannot be made or
  ///   opened, `schema` when the model does not fit the file or the file cannot be upgraded now,
  ///   `illegalState` when the store is already open in this process or another one and must not be
  ///   shared, `mismatchedConfiguration` when it would be shared and was opened with other options,
  ///   `dbFull` when the maximum size is too small, `illegalArgument` for values that no store can
  ///   have, `fileCorrupt` when the file is damaged.
  /// - Complexity: O(1) in the number of objects, unless a new index is filled.
  public convenience init(model: OpaquePointer, configuration: Configuration) throws {
    try self.init(schema: ModelBuilder.takeSchema(model), configuration: configuration)
  }

  /// Opens an existing store with the schema in its file.
  ///
  /// For programs without bindings, such as tools: `box(named:)` gives access to objects by
  /// property names. A standalone relation to which no program has given a name is called `relation`
  /// and its ID. With `readOnly`, nothing changes but the reader
  /// slots in `lock.mdb`, which is created if it is missing.
  ///
  /// - Parameter configuration: The directory, and how the store is used.
  /// - Throws: ``ObjectBoxError``: `storageGeneral` when there is no store in the directory, others as
  ///   ``init(model:configuration:)`` does.
  public convenience init(existing configuration: Configuration) throws {
    try self.init(schema: nil, configuration: configuration)
  }

  /// Opens a store with a schema; nil opens an existing store with the schema in its file.
  package init(schema: StoreSchema?, configuration: Configuration) throws {
    let directory = StoreDirectory(location: configuration.directory)
    #if OBJECTBOX_INTERNAL_CHECKS
      let isExisting = schema == nil
      let configuration = configuration.withTestMedium(directory, isExisting: isExisting)
    #endif
    directoryPath = configuration.directory
    self.directory = directory
    isOwner = true
    source = .thread
    try configuration.check()
    openStore = try Self.open(directory, schema, configuration)
    file = openStore.file
    transactions = openStore.transactions
    try SyncCall.tellOpening(of: self)
  }

  private static func open(
    _ directory: StoreDirectory,
    _ schema: StoreSchema?,
    _ configuration: Configuration
  ) throws -> OpenStore {
    while true {
      // Held, so that the system cannot reuse the directory's numbers, which are the registry's
      // key.
      let held = try directory.prepare(
        fileMode: configuration.fileMode,
        isReadOnly: configuration.readOnly || schema == nil
      )
      defer { withExtendedLifetime(held) {} }
      do {
        return try StoreRegistry.shared.open(
          key: held.key,
          configuration: configuration,
          schema: schema
        ) {
          // The directory may have been removed during the wait for the registry.
          guard directory.registryKey == held.key else { throw ProcessLocks.DirectoryIsGone() }
          // Only now, with the key claimed: the file must not be open twice in a process.
          let file = try directory.openFile(configuration, schema) {
            StoreRegistry.shared.forget(held.key)
            held.close()
          }
          return OpenStore(file, registryKey: held.key, configuration: configuration)
        }
      } catch is ProcessLocks.DirectoryIsGone {
        // Another process removed the directory: try again.
      }
    }
  }

  private init(
    sharing openStore: OpenStore,
    directory: StoreDirectory,
    isOwner: Bool = true,
    source: Source = .thread
  ) {
    self.openStore = openStore
    file = openStore.file
    transactions = openStore.transactions
    self.isOwner = isOwner
    self.source = source
    self.directory = directory
    directoryPath = directory.location
  }

  deinit {
    close { _ in false }
  }

  /// Returns a store on a directory that is open in this process.
  ///
  /// - Parameter directory: The path or `memory:` name of the open store.
  /// - Returns: Another instance on the store, to be closed by itself.
  /// - Throws: ``ObjectBoxError/cannotAttachToStore(message:)`` when none is open.
  public static func attachTo(directory: String) throws -> Store {
    let storeDirectory = StoreDirectory(location: directory)
    let held = storeDirectory.held
    defer { withExtendedLifetime(held) {} }
    guard let held, let openStore = StoreRegistry.shared.attach(key: held.key) else {
      throw ObjectBoxError.cannotAttachToStore(
        message: "no store on '\(directory)' is open in this process; open it with Store(...)"
      )
    }
    return Store(sharing: openStore, directory: storeDirectory)
  }

  /// Returns whether a store on the directory is open in this process.
  ///
  /// - Parameter directory: The path or `memory:` name of the store.
  /// - Returns: True while the first instance, a clone or an attached one is open.
  /// - Throws: Nothing today; declared for source compatibility.
  public static func isOpen(directory: String) throws -> Bool {
    guard let key = StoreDirectory(location: directory).registryKey else { return false }
    return StoreRegistry.shared.isOpen(key: key)
  }

  /// Returns another instance on the same file.
  ///
  /// Each instance is closed by itself. Throws ``ObjectBoxError/illegalState(message:)`` when this
  /// instance is closed.
  public func clone() throws -> Store {
    try checkOpen()
    guard let copy = StoreRegistry.shared.attach(key: openStore.registryKey) else {
      throw closedError(as: ObjectBoxError.illegalState(message:))
    }
    return Store(sharing: copy, directory: directory)
  }

  /// Returns an instance for boxes and queries of a ``PinnedRead``, which works even after `close`,
  /// or for objects that are not in the file, whose boxes refuse to read and write.
  ///
  /// - Parameter source: The version that its boxes and queries read, or the place of the objects.
  ///   The instance keeps it alive, and so do relations of its objects.
  /// - Returns: An instance that does not keep the store open.
  package func forReading(_ source: Source = .thread) -> Store {
    Store(sharing: openStore, directory: directory, isOwner: false, source: source)
  }

  /// Closes this instance; the last instance also closes the file.
  ///
  /// Before it closes the file, it waits for asynchronous puts and removals, and for transactions
  /// of other threads. Inside a transaction of the calling thread, the file closes when the
  /// transaction ends. After this call, observers of this instance are not called, and boxes and
  /// queries throw ``ObjectBoxError/illegalState(message:)``. May be called more than once.
  ///
  /// Waiting asynchronous blocks run first. This call blocks the caller's isolation, so blocks of
  /// that isolation run inside this call.
  ///
  ///     let store = try Store(directoryPath: "notes")
  ///     defer { store.close() }
  ///     try store.box(for: Note.self).put(Note(title: "Milk"))
  ///
  /// - Parameter isolation: The caller's isolation.
  public func close(isolation: isolated (any Actor)? = #isolation) {
    let home = isolation.map { ObjectIdentifier($0) }
    close { $0 == home }
  }

  private func close(isHome: (ObjectIdentifier) -> Bool) {
    let wasClosing = isClosing.exchange(true, ordering: .acquiringAndReleasing)
    guard !wasClosing else { return }
    openStore.commits.end(of: ObjectIdentifier(self))
    if isOwner {
      let queue = SerialQueue.currentIdentifier
      StoreRegistry.shared.release(openStore) { isHome($0) || $0 == queue }
    }
    isReleased.store(true, ordering: .releasing)
  }

  /// Closes this instance, and removes the directory with all its contents.
  ///
  /// May be called more than once, and after `close`. A caller that opens a store in the directory
  /// meanwhile waits, in this process or another, and then finds it empty.
  ///
  ///     let store = try Store(directoryPath: "notes-test")
  ///     defer { try? store.closeAndDeleteAllFiles() }
  ///     try store.box(for: Note.self).put(Note(title: "Milk"))
  ///
  /// - Parameter isolation: The caller's isolation.
  /// - Throws: ``ObjectBoxError``: `illegalState` when clones, attached stores, snapshots or live
  ///   views are still open, or another process has the store open; `storageGeneral` when the use
  ///   by other processes is unknown, or a file cannot be removed.
  public func closeAndDeleteAllFiles(isolation: isolated (any Actor)? = #isolation) throws {
    close(isolation: isolation)
    guard let key = directory.registryKey else { return }
    try StoreRegistry.shared.removing(key, directoryPath) {
      if directory.isInMemory { return }
      guard let medium = openStore.configuration.medium else {
        return try ProcessLocks.removing(directory) { try directory.removeFiles() }
      }
      // The directory may be gone.
      guard directory.registryKey != nil else { return }
      try medium.removing(directory.opening(openStore.configuration)) {
        try directory.removeFiles(last: $0)
      }
    }
  }

  package var isClosed: Bool { isReleased.load(ordering: .acquiring) }

  /// Returns the error of functions of a closed store.
  ///
  /// - Parameter make: Selects the error: functions of ObjectBox's API throw `illegalState`, all
  ///   others `closed`.
  /// - Returns: The error.
  package func closedError(
    as make: (String) -> ObjectBoxError = ObjectBoxError.closed(message:)
  ) -> ObjectBoxError {
    StoreError.closed(directoryPath, as: make)
  }

  /// Throws `illegalState` when this instance is closed.
  package func checkOpen() throws {
    if isClosed { throw closedError(as: ObjectBoxError.illegalState(message:)) }
  }

  /// Returns the box of an entity; the same instance while the program holds it.
  ///
  /// The box of a closed store throws when it is used. Stops the process if another version of the
  /// generator made the entity's code.
  ///
  ///     let notes = store.box(for: Note.self)
  ///     let authors: Box<Author> = store.box()
  ///
  /// - Parameter type: The entity type; may be left out when it can be inferred.
  /// - Returns: The box, which keeps the store open.
  public func box<T>(for type: T.Type = T.self) -> Box<T>
  where T: EntityInspectable & __EntityRelatable, T == T.EntityBindingType.EntityType {
    // The cast is safe: each box is stored under its type.
    if let known = boxes.object(ObjectIdentifier(T.self)) {
      return unsafeDowncast(known, to: Box<T>.self)
    }
    return makeBox(T.self)
  }

  @inline(never)
  private func makeBox<T>(_ type: T.Type) -> Box<T>
  where T: EntityInspectable & __EntityRelatable, T == T.EntityBindingType.EntityType {
    let id = T.entityInfo.entitySchemaId
    precondition(id != 0, "'\(T.entityInfo.entityName)' has no ID; run the generator again")
    let version = T.entityBinding.generatorBindingVersion()
    precondition(
      version == 1,
      "the code of '\(T.entityInfo.entityName)' was generated for version \(version) of the runtime, "
        + "this one is version 1; run the generator again"
    )
    return boxes.object(ObjectIdentifier(T.self)) { Box<T>(store: self) }
  }

  /// The store's kind and path, such as `<ObjectBox.Store "notes">`.
  public var debugDescription: String { "<ObjectBox.Store \"\(directoryPath)\">" }
}
