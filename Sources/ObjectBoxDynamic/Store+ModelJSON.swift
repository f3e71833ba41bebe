public import Foundation
public import ObjectBox

extension Store {
  /// Opens a store for the model in a file, and makes it when it is missing.
  ///
  /// The file is a model.json, as the generators of this library and of ObjectBox write it. It has the same
  /// entities, properties, indexes, unique values, relations and delete rules as generated code, with their
  /// IDs and UIDs, so that a store may be opened with either. When the model differs from the schema in the
  /// store, the store is upgraded.
  ///
  ///     let store = try Store(directoryPath: "people", modelJSON: URL(fileURLWithPath: "model.json"))
  ///     let people = try store.box(named: "Person")
  ///
  /// A model file lacks two things. It has no conversions: properties of converted types, such as
  /// enumerations, have their stored values. It has no parameters of nearest-neighbour indexes: those of the
  /// store are used, and a new index cannot be made without generated code.
  ///
  /// - Parameters:
  ///   - directoryPath: A path whose last level is made when missing, or `memory:` and a name.
  ///   - modelJSON: The URL of the model file.
  ///   - maxDbSizeInKByte: The greatest size of the file in KiB; it grows up to this.
  ///   - fileMode: The permission bits of new files.
  ///   - maxReaders: The greatest number of threads that read at a time; 0 for the default.
  ///   - readOnly: True to refuse every write.
  /// - Throws: `ObjectBoxError`: `schema` with the place in the model file, `path:line:column`, when that is
  ///   broken, `storageGeneral` when it cannot be read; the store is not touched then. Others as
  ///   `init(model:configuration:)` does.
  public convenience init(
    directoryPath: String,
    modelJSON: URL,
    maxDbSizeInKByte: UInt64 = 1_048_576,
    fileMode: UInt32 = 0o644,
    maxReaders: UInt32 = 0,
    readOnly: Bool = false
  ) throws {
    try self.init(
      model: try ModelFile.model(at: modelJSON),
      directory: directoryPath,
      maxDbSizeInKByte: maxDbSizeInKByte,
      fileMode: fileMode,
      maxReaders: maxReaders,
      readOnly: readOnly
    )
  }

  /// Opens a store for the model in a file, and makes it when it is missing.
  ///
  /// - Parameters:
  ///   - configuration: The directory, and how the store is used.
  ///   - modelJSON: The URL of the model file.
  /// - Throws: `ObjectBoxError` as ``init(directoryPath:modelJSON:maxDbSizeInKByte:fileMode:maxReaders:readOnly:)``
  ///   does.
  public convenience init(configuration: Configuration, modelJSON: URL) throws {
    try self.init(model: try ModelFile.model(at: modelJSON), configuration: configuration)
  }
}
