extension Store {
  /// Opens a store without blocking the caller; see ``init(model:configuration:)``.
  ///
  /// Generated code calls this from `Store.open(configuration:)`. A separate thread opens the file,
  /// upgrades the schema and fills new indexes. However long this takes, it blocks neither an actor
  /// nor a thread of the cooperative pool.
  ///
  /// An upgrade cannot be interrupted. If the task is cancelled, the store opens completely and is
  /// closed again before this throws.
  ///
  ///     let store = try await Store.open(configuration: Store.Configuration(directory: "notes"))
  ///
  /// - Parameters:
  ///   - model: The result of ``ModelBuilder/finish()``. It is used up, even if this throws.
  ///   - configuration: The directory, and how the store is used.
  ///   - isolation: The caller's isolation.
  /// - Returns: The open store.
  /// - Throws: ``ObjectBoxError`` as ``init(model:configuration:)``; `CancellationError` when the task is
  ///   cancelled before the store is open.
  public static func open(
    model: OpaquePointer,
    configuration: Configuration,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Store {
    if Task.isCancelled {
      _ = ModelBuilder.takeSchema(model)
      throw CancellationError()
    }
    // Safe: only the new thread uses the model from here on.
    nonisolated(unsafe) let model = model
    let store = try await OwnThread.run("objectbox-open") {
      try Store(model: model, configuration: configuration)
    }
    guard Task.isCancelled else { return store }
    try await OwnThread.run("objectbox-open") { store.close() }
    throw CancellationError()
  }

  /// Opens a store without blocking the caller; see ``open(model:configuration:isolation:)``.
  ///
  /// - Parameters:
  ///   - model: The result of ``ModelBuilder/finish()``. It is used up, even if this throws.
  ///   - directory: A path, whose last level is created if it is missing. Or `memory:` and a name,
  ///     for a store without files that other instances in the process can attach to.
  ///   - maxDbSizeInKByte: The maximum size of the file in KiB.
  ///   - fileMode: The permission bits of new files.
  ///   - maxReaders: The maximum number of threads that read at a time, at least 126; 0 for 1024.
  ///   - readOnly: True to refuse every write.
  ///   - isolation: The caller's isolation.
  /// - Returns: The open store.
  /// - Throws: As ``open(model:configuration:isolation:)``.
  public static func open(
    model: OpaquePointer,
    directory: String = "objectbox",
    maxDbSizeInKByte: UInt64 = 1_048_576,
    fileMode: UInt32 = 0o644,
    maxReaders: UInt32 = 0,
    readOnly: Bool = false,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Store {
    let configuration = Configuration(
      directory: directory,
      maxDbSizeInKByte: maxDbSizeInKByte,
      fileMode: fileMode,
      maxReaders: maxReaders,
      readOnly: readOnly
    )
    return try await open(model: model, configuration: configuration, isolation: isolation)
  }
}
