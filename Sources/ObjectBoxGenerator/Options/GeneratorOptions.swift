/// The options of a run of the generator.
package struct GeneratorOptions: Sendable {
  /// Files and folders with Swift sources.
  package var sources: [String] = []
  package var excludedSources: [String] = []
  package var modelPath = "model.json"
  /// A file, or a folder for the usual file name.
  package var outputPath = "."
  /// The access word of generated declarations.
  package var visibility = "internal"
  /// The file for a dump of the schema; with it, new UIDs are deterministic.
  package var debugPath: String?
  package var annotationPrefix = "objectbox"
  /// The conditions that decide `#if` in the sources.
  package var conditions = BuildConditions()
  /// The C headers of types that the sources do not declare.
  package var cHeaders = CHeaders()
  /// True to leave the model as it is, and to fail when the sources need another one.
  package var isLocked = false
  /// The command that brings the model up to date, for the errors of locked runs.
  package var updateCommand = "objectbox-generator"
  /// The target that owns the entities of the sources and writes their model; nil for entities of their own.
  ///
  /// With an owner, the run is to be locked, and sources without entities differ from a model that has some.
  package var entitiesOwner: String?
  /// True to refuse generated bindings among the sources, which the output would declare again.
  package var refusesOtherBindings = false
  /// True to begin a new model although there was one.
  package var allowsNewModel = false
  /// The longest wait for other runs on the same model.
  var patience = ModelLock.usualPatience
  /// True to let a run retire every entity of the model.
  package var allowsRemovingAll = false
  /// True to remove the output file when there are no entities.
  package var prunesEmptyOutput = false
  /// True to make the safe fixes in the sources before the run; not for locked runs.
  package var appliesFixes = false
  /// True to collect findings without writing anything.
  var isDry = false
  /// Templates to render besides the bindings.
  package var templates: [UserTemplate] = []
  /// True to repeat the answer of the run before when nothing has changed since.
  package var usesCache = true

  package init() {}

  /// True for a run that may write the model.
  var writesModel: Bool { !isLocked && !isDry }

  /// The file of the bindings.
  package var outputFile: String { FileWriter.outputFile(outputPath) }

  /// The position of findings about the model file as a whole.
  var modelStart: SourcePosition { SourcePosition(startOf: modelPath) }

  /// The folders of the sources, for messages; files stand for their folders.
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
