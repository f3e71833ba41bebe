public import Foundation
public import ObjectBox

extension Store {
  /// Opens a store with a model file; creates the store when it does not exist.
  ///
  /// The file is a model.json, written by the generator of this library or of ObjectBox. It
  /// describes the same entities, properties, indexes, unique values, relations and delete rules as
  /// generated code, with their IDs and UIDs, so either can open the store. If the model differs
  /// from the store's schema, the store is upgraded.
  ///
  ///     let store = try Store(directoryPath: "people", modelJSON: URL(fileURLWithPath: "model.json"))
  ///     let people = try store.box(named: "Person")
  ///
  /// A model file lacks two things. It has no conversions: properties of converted types, such as
  /// enumerations, have their stored values. And it has no parameters of nearest-neighbour indexes:
  /// the store's are used, and only generated code can create a new index.
  ///
  /// - Parameters:
  ///   - directoryPath: A path whose last component is created when missing, or `memory:` and a
  ///     name.
  ///   - modelJSON: The URL of the model file.
  ///   - maxDbSizeInKByte: The greatest size in KiB that the file may grow to.
  ///   - fileMode: The permission bits of new files.
  ///   - maxReaders: The greatest number of threads that read at the same time; 0 for the default.
  ///   - readOnly: True to refuse every write.
  /// - Throws: `ObjectBoxError`: `schema` with the location `path:line:column` of a fault in the
  ///   model file, `storageGeneral` when the file cannot be read; the store is then not touched.
  ///   Others as `init(model:configuration:)` does.
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

  /// Opens a store with a model file; creates the store when it does not exist.
  ///
  /// - Parameters:
  ///   - configuration: The directory, and the options of the store.
  ///   - modelJSON: The URL of the model file.
  /// - Throws: `ObjectBoxError` as
  ///   ``init(directoryPath:modelJSON:maxDbSizeInKByte:fileMode:maxReaders:readOnly:)`` does.
  public convenience init(configuration: Configuration, modelJSON: URL) throws {
    try self.init(model: try ModelFile.model(at: modelJSON), configuration: configuration)
  }
}
