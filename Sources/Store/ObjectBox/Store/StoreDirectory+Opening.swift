internal import ObjectBoxStorage

extension StoreDirectory {
  /// Opens the store's file, or the copy that the configuration's medium makes of it.
  ///
  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - schema: The model; nil for the schema in the file.
  ///   - onClose: Called once, when the file is closed.
  /// - Returns: The open file.
  /// - Throws: ``ObjectBoxError``, ``ProcessLocks/DirectoryIsGone``, and errors of the medium.
  func openFile(
    _ configuration: Store.Configuration,
    _ schema: StoreSchema?,
    onClose: @escaping @Sendable () -> Void
  ) throws -> StoreFile {
    let copy = try configuration.medium?.open(opening(configuration, isCreating: schema != nil))
    let files = copy.map { StoreDirectory(copyIn: $0.folder, of: location) } ?? self
    do {
      return try StoreFile.open(
        files,
        schema: schema ?? files.storedSchema(),
        options: configuration.file,
        mirror: copy?.mirror,
        validate: configuration.validate,
        onClose: onClose
      )
    } catch {
      if copy != nil { files.unlinkIfInMemory() }
      copy?.mirror.close()
      throw error
    }
  }

  /// The description of the store for its medium.
  package func opening(_ configuration: Store.Configuration, isCreating: Bool = false)
    -> StoreOpening
  {
    StoreOpening(
      path: path,
      location: location,
      isReadOnly: configuration.readOnly,
      isCreating: isCreating && !configuration.readOnly,
      fileMode: configuration.fileMode
    )
  }
}
