/// The options of a run of the generator.
package struct GeneratorOptions: Sendable {
  /// Returns notes about declarations in files that are probably meant to be entities.
  package typealias NearMissSearch = @Sendable (GeneratorOptions, [SourceFile]) -> [Diagnostic]

  /// Files and folders with Swift sources.
  package var sources: [String] = []
  package var excludedSources: [String] = []
  package var modelPath = "model.json"
  /// A file, or a folder for the default file name.
  package var outputPath = "."
  /// Access modifier of generated declarations that belong to no entity; see ``EntityAccess``.
  package var visibility = "internal"
  /// File for a dump of the schema; makes new UIDs deterministic.
  package var debugPath: String?
  package var annotationPrefix = "objectbox"
  /// Conditions that decide `#if` in the sources.
  package var conditions = BuildConditions()
  /// C headers with types that the sources do not declare.
  package var cHeaders = CHeaders()
  /// True to leave the model unchanged, and to fail when the sources need a change.
  package var isLocked = false
  /// The command that updates the model, for errors of locked runs.
  package var updateCommand = "objectbox-generator"
  /// The target that owns the entities of these sources and writes their model; nil for a run with
  /// its own entities.
  ///
  /// A run with an owner must be locked. If its sources have no entities, they differ from a model
  /// with entities.
  package var entitiesOwner: String?
  /// True to refuse generated bindings among the sources: the output would declare them again.
  package var refusesOtherBindings = false
  /// True to start a new model even though a model existed.
  package var allowsNewModel = false
  /// Longest wait for other runs on the same model.
  var patience = ModelLock.usualPatience
  /// True to let a run retire every entity of the model.
  package var allowsRemovingAll = false
  /// True to remove the output file when there are no entities.
  package var prunesEmptyOutput = false
  /// True to collect findings without writing anything.
  package var isDry = false
  /// Templates to render in addition to the bindings.
  package var templates: [UserTemplate] = []
  /// True to repeat the previous run's answer when nothing has changed since.
  package var usesCache = true

  package init() {}

  /// True for a run that may write the model.
  var writesModel: Bool { !isLocked && !isDry }

  /// The file of the bindings.
  package var outputFile: String { FileWriter.outputFile(outputPath) }

  /// Position of findings about the model file as a whole.
  var modelStart: SourcePosition { SourcePosition(startOf: modelPath) }

  /// Folders of the sources, for messages; a file stands for its folder.
  var sourceFolders: String {
    var folders: [String] = []
    for source in sources {
      let parts = source.split(separator: "/", omittingEmptySubsequences: false)
      let folder = source.hasSuffix(".swift") ? parts.dropLast().joined(separator: "/") : source
      let shown = folder.isEmpty ? (source.hasPrefix("/") ? "/" : ".") : folder
      if !folders.contains(shown) { folders.append(shown) }
    }
    let shown = folders.prefix(3).quotedList
    return folders.count > 3 ? "\(shown) and \(folders.count - 3) more folders" : shown
  }
}
