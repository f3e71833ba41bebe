internal import Synchronization

/// An open database: the way to boxes and transactions.
///
/// A store may be used from all threads. Its file stays open until every instance on it (the first,
/// its clones and the attached ones) is closed or gone.
///
/// A class, since it owns a share of an open file.
public final class Store: CustomDebugStringConvertible, Sendable {
  /// The beginning of the directory of a store in memory; the rest is its name in the process.
  public static let inMemoryPrefix = StoreDirectory.inMemoryPrefix

  /// The directory exactly as it was given.
  public let directoryPath: String

  /// The part that all instances on the file share.
  package let openStore: OpenStore
  package let file: StoreFile
  package let transactions: StoreTransactions
  /// False for an instance that reads on behalf of a snapshot, and does not keep the store open.
  private let isOwner: Bool
  /// The version that boxes and queries of this instance read.
  let source: Source
  let directory: StoreDirectory
  /// True once `close` was called.
  private let isClosing = Atomic<Bool>(false)
  /// True once boxes and queries refuse to work; blocks that `close` waits for still use them.
  private let isReleased = Atomic<Bool>(false)
  // Keyed by the type of the objects. Weak, since each box holds its store.
  private let boxes = WeakTable<ObjectIdentifier>()
  let asyncBoxes = WeakTable<UInt32>()
  let attachedObjects = Guarded<[String: AnyObject]>([:])

  /// Opens a store, and makes its directory and file when they are missing.
  ///
  /// Generated code calls this from `Store(directoryPath:)`. When the model differs from the schema in
  /// the file, the file is upgraded: properties, entities and indexes come and go, and objects keep
  /// their values. Elements that the model has lost are kept until ``discardRetiredData()``, and are there
  /// again under a model that has them with their UIDs.
  ///
  /// - Parameters:
  ///   - model: The result of ``ModelBuilder/finish()``, which is used up, also when this throws.
  ///   - directory: A path whose last level is made when missing, or `memory:` and a name for a store
  ///     without files that other instances in the process can attach to.
  ///   - maxDbSizeInKByte: The greatest size of the file in KiB; it grows up to this.
  ///   - fileMode: The permission bits of new files. A new directory has the search bit wherever they
  ///     allow to read or to write.
  ///   - maxReaders: The greatest number of threads that read at a time, at least 126; 0 for 1024, less one for
  ///     each version that a snapshot or live view holds.
  ///   - readOnly: True to refuse every write.
  /// - Throws: ``ObjectBoxError``: `storageGeneral` when directory or file cannot be made or opened,
  ///   `schema` when the model does not fit the file, `illegalState` when another store on the
  ///   directory is open in this process, `dbFull` when the greatest size is too small.
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

  /// Opens a store, and makes its directory and file when they are missing.
  ///
  /// Generated code calls this from `Store(configuration:)`. When the model differs from the schema in the
  /// file, the file is upgraded: properties, entities and indexes come and go, and objects keep their
  /// values. Elements that the model has lost are kept until ``discardRetiredData()``, and are there again
  /// under a model that has them with their UIDs. An upgrade needs that no other process has the store open.
  ///
  /// - Parameters:
  ///   - model: The result of ``ModelBuilder/finish()``, which is used up, also when this throws.
  ///   - configuration: The directory, and how the store is used.
  /// - Throws: ``ObjectBoxError``: `storageGeneral` when directory or file cannot be made or opened,
  ///   `schema` when the model does not fit the file or the file cannot be upgraded now, `illegalState`
  ///   when the store is open in this process or in another one and is not to be shared,
  ///   `mismatchedConfiguration` when it is to be shared and was opened otherwise, `dbFull` when the
  ///   greatest size is too small, `illegalArgument` for values that no store can have, `fileCorrupt`
  ///   when the file is damaged.
  /// - Complexity: O(1) in the number of objects, unless a new index is filled.
  public convenience init(model: OpaquePointer, configuration: Configuration) throws {
    try self.init(schema: ModelBuilder.takeSchema(model), configuration: configuration)
  }

  /// Opens an existing store under the schema that its file holds.
  ///
  /// For programs without bindings, such as tools: `box(named:)` gives the objects by the names of their
  /// properties. A standalone relation whose name the file lacks, since a version that did not keep it wrote the
  /// file, is called `relation` and its ID. Changes no file when the configuration is `readOnly`, but for the reader
  /// slots in `lock.mdb`, which is made when it is missing.
  ///
  /// - Parameter configuration: The directory, and how the store is used.
  /// - Throws: ``ObjectBoxError``: `storageGeneral` when there is no store in the directory, others as
  ///   ``init(model:configuration:)`` does.
  public convenience init(existing configuration: Configuration) throws {
    try self.init(schema: nil, configuration: configuration)
  }

  /// Opens a store under a schema; for nil, an existing one under the schema in its file.
  package init(schema: StoreSchema?, configuration: Configuration) throws {
    let directory = StoreDirectory(location: configuration.directory)
    directoryPath = configuration.directory
    self.directory = directory
    isOwner = true
    source = .thread
    try configuration.check()
    openStore = try Self.open(directory, schema, configuration)
    file = openStore.file
    transactions = openStore.transactions
  }

  private static func open(
    _ directory: StoreDirectory,
    _ schema: StoreSchema?,
    _ configuration: Configuration
  ) throws -> OpenStore {
    while true {
      // The registry must not know the directory by numbers that another one has got meanwhile.
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
          // The directory may have been removed while this waited for the registry.
          guard directory.registryKey == held.key else { throw ProcessLocks.DirectoryIsGone() }
          // Under the key, since the file must not be open twice in a process.
          let schema = try schema ?? directory.storedSchema()
          let file = try StoreFile.open(
            directory,
            schema: schema,
            options: configuration.file,
            validate: configuration.validate
          ) {
            StoreRegistry.shared.forget(held.key)
            held.close()
          }
          return OpenStore(file, registryKey: held.key, configuration: configuration)
        }
      } catch is ProcessLocks.DirectoryIsGone {
        // Another process removed the directory: begin anew.
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
  /// - Returns: A store with a life of its own.
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

  /// Returns another instance on the same file, with a life of its own.
  ///
  /// Throws ``ObjectBoxError/illegalState(message:)`` when this one is closed.
  public func clone() throws -> Store {
    try checkOpen()
    guard let copy = StoreRegistry.shared.attach(key: openStore.registryKey) else {
      throw closedError(as: ObjectBoxError.illegalState(message:))
    }
    return Store(sharing: copy, directory: directory)
  }

  /// Returns an instance for the boxes and queries of a ``PinnedRead``, which works after `close` as well.
  ///
  /// - Parameter source: The version that its boxes and queries read. The instance keeps it alive, and so do
  ///   the relations of the objects that are read with it.
  /// - Returns: An instance that does not keep the store open.
  package func forReading(_ source: Source = .thread) -> Store {
    Store(sharing: openStore, directory: directory, isOwner: false, source: source)
  }

  /// Makes an instance for objects that are in another place, which shares the model of this one.
  ///
  /// - Parameter place: The place. The instance keeps it alive, and so do the relations of its objects.
  /// - Returns: An instance whose boxes refuse to read and write.
  package func forObjects(of place: any ObjectPlace) -> Store {
    forReading(.elsewhere(place))
  }

  /// Closes this instance, and the file with the last one.
  ///
  /// When it closes the file, it first waits until all asynchronous puts and removals are written, and for
  /// transactions of other threads; inside a transaction of the calling thread, the file closes when that
  /// ends. Observers of this instance are not called any more. May be called more than once. Boxes and
  /// queries throw ``ObjectBoxError/illegalState(message:)`` from then on.
  ///
  /// Pending asynchronous writes run first; their blocks in the caller's isolation, which is blocked
  /// meanwhile, run inside this call.
  ///
  /// - Parameter isolation: The caller's.
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

  /// Closes this instance and removes the directory with everything in it.
  ///
  /// May be called more than once, and after `close`. Meanwhile an opener of a store in the directory waits,
  /// in this process or in another one, and then finds it empty.
  ///
  /// - Parameter isolation: The caller's.
  /// - Throws: ``ObjectBoxError``: `illegalState` when clones, attached stores, snapshots or live views are
  ///   still open, or another process has the store open; `storageGeneral` when that is unknown, or a file
  ///   cannot be removed.
  public func closeAndDeleteAllFiles(isolation: isolated (any Actor)? = #isolation) throws {
    close(isolation: isolation)
    guard let key = directory.registryKey else { return }
    try StoreRegistry.shared.removing(key, directoryPath) {
      if directory.isInMemory { return }
      try ProcessLocks.removing(directory) { try directory.removeFiles() }
    }
  }

  package var isClosed: Bool { isReleased.load(ordering: .acquiring) }

  /// Returns the error of functions of a closed store.
  ///
  /// - Parameter make: The case: functions that ObjectBox has as well throw `illegalState`, all others `closed`.
  /// - Returns: The error.
  package func closedError(
    as make: (String) -> ObjectBoxError = ObjectBoxError.closed(message:)
  ) -> ObjectBoxError {
    StoreError.closed(directoryPath, as: make)
  }

  /// Throws `illegalState` when this instance is closed.
  @inline(__always)
  package func checkOpen() throws {
    if isClosed { throw closedError(as: ObjectBoxError.illegalState(message:)) }
  }

  /// Returns the box of an entity: the same instance as long as it is held.
  ///
  /// The box of a closed store throws when it is used. Stops the process when the entity's code comes from a
  /// generator of another version.
  ///
  /// - Parameter type: The entity type; may be left out when it can be inferred.
  /// - Returns: The box, which keeps the store open.
  public func box<T>(for type: T.Type = T.self) -> Box<T>
  where T: EntityInspectable & __EntityRelatable, T == T.EntityBindingType.EntityType {
    // Invariant of the cast: the box of a type is stored under the type.
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
