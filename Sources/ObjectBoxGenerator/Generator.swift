/// The whole tool as one value: options in, files and findings out.
///
/// Parse -> schema -> synchronise -> render -> write. Nothing is written after an error, but for the
/// model when a bare `uid` asks for a new UID.
package struct Generator: Sendable {
  /// What a run is asked to do.
  package struct Options: Sendable {
    /// Files and folders with Swift sources.
    package var sources: [String] = []
    package var excludedSources: [String] = []
    package var modelPath = "model.json"
    /// A file, or a folder for the usual file name.
    package var outputPath = "."
    /// The access word of generated declarations.
    package var visibility = "internal"
    /// Where the dump of the schema goes; asking for it also makes new UIDs deterministic.
    package var debugPath: String?
    package var annotationPrefix = "objectbox"
    /// What decides `#if` in the sources.
    package var conditions = BuildConditions()
    /// The C headers that explain types which the sources do not declare.
    package var cHeaders = CHeaders()
    /// True to leave the model as it is, and to fail when the sources ask for another.
    package var isLocked = false
    /// The command that a locked run tells to bring the model up to date.
    package var updateCommand = "objectbox-generator"
    /// True to begin a new model though there was one.
    package var allowsNewModel = false
    /// The longest wait for other runs on the same model.
    var patience = ModelLock.usualPatience
    /// True to let a run retire every entity of the model.
    package var allowsRemovingAll = false
    /// True to remove the output file when there are no entities.
    package var prunesEmptyOutput = false
    /// True to make the safe fixes in the sources before the run; not for locked runs.
    package var appliesFixes = false
    /// True to find out without writing anything.
    var isDry = false
    /// Templates to render besides the bindings.
    package var templates: [UserTemplate] = []
    /// True to answer from the file beside the output when nothing changed since it was written.
    package var usesCache = true

    package init() {}
  }

  /// What a run did.
  package struct Outcome: Sendable {
    package var diagnostics: [Diagnostic] = []
    /// What was written, in words, for people who follow the run.
    package var messages: [String] = []
    /// The sources, and the model where there is one, as the findings mean them.
    package var files: [SourceFile] = []
    /// False when a source could not be parsed.
    var isParsed = true
    /// True when nothing was parsed, since nothing changed.
    package var isRepeated = false
    /// What a run would tell that finds everything as this one left it; nil when this is not certain.
    var lasting: RunCache.Answer?
    package var hasErrors: Bool { diagnostics.contains(where: \.isError) }
  }

  let options: Options

  package init(_ options: Options) {
    self.options = options
  }

  /// Runs the generator, with ``Options/appliesFixes`` on the fixed sources.
  ///
  /// Throws ``FileFault`` when a file cannot be read or written, ``MustacheError`` when a template does
  /// not fit.
  package func run() throws -> Outcome {
    options.appliesFixes ? try runFixing() : try runOnce()
  }

  /// Runs once, alone among the runs that may write the model.
  func runOnce() throws -> Outcome {
    if options.isLocked || options.isDry { return try runOnce(nil) }
    // From here on the files are those that the previous run has left.
    let lock = try ModelLock(of: options.modelPath, patience: options.patience)
    return try runOnce(lock)
  }

  private func runOnce(_ lock: ModelLock?) throws -> Outcome {
    let found = try SourceFinder.read(options.sources, excluding: options.excludedSources)
    let files = found.sources
    guard options.usesCache, options.debugPath == nil, !options.isDry else {
      return try generate(from: found, lock)
    }
    let others = found.generated.filter { GeneratedFile.isOfOther($0.text) }
    let cache = RunCache(options, files + others)
    if let answer = cache.answer() {
      var outcome = Outcome(diagnostics: answer.diagnostics, messages: answer.messages)
      outcome.files = files
      outcome.isRepeated = true
      return outcome
    }
    let outcome = try generate(from: found, lock)
    if let lasting = outcome.lasting { cache.keep(lasting) }
    return outcome
  }

  private func generate(
    from found: SourceFinder.Found,
    _ lock: ModelLock?
  ) throws -> Outcome {
    let files = found.sources
    let (built, needsHeaders) = try options.schema(of: files)
    var outcome = Outcome(
      diagnostics: built.diagnostics,
      files: files,
      isParsed: built.isParsed
    )
    outcome.diagnostics += otherBindings(found.generated)
    // Headers include others, all of which would have to be watched.
    let isRepeatable = !needsHeaders && options.templates.isEmpty
    if outcome.hasErrors { return outcome }
    if built.schema.entities.isEmpty, !options.isLocked, !options.isDry {
      let places = Set(outcome.diagnostics.compactMap(\.position))
      outcome.diagnostics += nearMisses(in: files + found.generated).filter { note in
        note.position.map { !places.contains($0) } ?? true
      }
    }

    if !built.schema.entities.isEmpty {
      outcome.diagnostics += try vanishedModel(built.schema, found)
      if outcome.hasErrors { return outcome }
      try lock?.makeFolder(for: options.modelPath, patience: options.patience)
    }
    let modelText = try SourceFinder.readTextIfPresent(options.modelPath)
    if let modelText { outcome.files.append(SourceFile(path: options.modelPath, text: modelText)) }
    // A build of a target without entities has nothing to ask of a model that others may use.
    if built.schema.entities.isEmpty, modelText == nil || options.isLocked {
      return try finishWithoutEntities(outcome, model: modelText, files: files.count)
    }
    let old = modelText.map { ModelDocument.parse($0, path: options.modelPath) }
    outcome.diagnostics += old?.diagnostics ?? []
    if outcome.hasErrors { return outcome }

    let oldModel = old?.model ?? ModelDocument()
    var uids = UIDGenerator(isDeterministic: options.debugPath != nil)
    let synchronized = ModelSynchronizer.synchronize(
      built.schema,
      with: oldModel,
      modelPath: options.modelPath,
      uids: &uids
    )
    outcome.diagnostics += findings(synchronized)
    outcome.diagnostics += findings(
      of: synchronized.changes,
      retiring: synchronized.retiredEntityNames,
      from: oldModel,
      in: files
    )
    if outcome.hasErrors {
      if synchronized.writesModelDespiteErrors, !options.isLocked, !options.isDry {
        _ = try writeModel(synchronized.model, lock, &outcome)
      }
      return outcome
    }
    if options.isDry { return outcome }
    let code = try CodeRenderer.render(
      synchronized.schema,
      lastEntityID: synchronized.model.lastEntityID,
      lastIndexID: synchronized.model.lastIndexID,
      lastRelationID: synchronized.model.lastRelationID,
      visibility: options.visibility
    )
    let further = try renderTemplates(of: synchronized.schema, synchronized.model, &outcome)
    if outcome.hasErrors { return outcome }
    // What the findings say may depend on the model that was there before.
    let keepsModel = try options.isLocked || writeModel(synchronized.model, lock, &outcome)
    try writeOutput(code, to: FileWriter.outputFile(options.outputPath), &outcome)
    try writeTemplates(further, &outcome)
    if let debugPath = options.debugPath {
      _ = try FileWriter.write(SchemaDump.text(of: synchronized.schema), to: debugPath)
    }
    outcome.messages.append(
      synchronized.schema.entities.count.counted("entity", "entities") + " in "
        + files.count.counted("file", "files")
    )
    if keepsModel, isRepeatable {
      outcome.lasting = lasting(outcome, model: modelText, code: code)
    }
    return outcome
  }

  /// Returns whether the model was as it is to be.
  private func writeModel(
    _ model: ModelDocument,
    _ lock: ModelLock?,
    _ outcome: inout Outcome
  ) throws(FileFault) -> Bool {
    let result = try FileWriter.write(model.text, to: options.modelPath, keepsBackup: true)
    let file = "model file '\(options.modelPath)'"
    switch result {
    case .unchanged: outcome.messages.append("\(file) is unchanged")
    case .created: outcome.messages.append("\(file) was created; add it to version control")
    case .changed: outcome.messages.append("\(file) was changed; commit it with the sources")
    }
    if result != .unchanged, let fault = lock?.fault {
      let place = SourcePosition(path: options.modelPath, line: 1, column: 1)
      outcome.diagnostics.append(Diagnostic(.unlockable(fault), at: place))
    }
    return result == .unchanged
  }

  private func renderTemplates(
    of schema: Schema,
    _ model: ModelDocument,
    _ outcome: inout Outcome
  ) throws(FileFault) -> [String] {
    let context = CodeRenderer.context(
      schema,
      lastEntityID: model.lastEntityID,
      lastIndexID: model.lastIndexID,
      lastRelationID: model.lastRelationID,
      visibility: options.visibility
    )
    let rendered = try UserTemplate.render(options.templates, context)
    outcome.diagnostics += rendered.diagnostics
    return rendered.texts
  }

  private func writeTemplates(_ texts: [String], _ outcome: inout Outcome) throws(FileFault) {
    for (template, text) in zip(options.templates, texts) {
      try writeOutput(text, to: template.outputPath, &outcome)
    }
  }

  private func writeOutput(
    _ code: String,
    to path: String,
    _ outcome: inout Outcome
  ) throws(FileFault) {
    let result = try FileWriter.write(code, to: path)
    outcome.messages.append(Self.message(ofCode: path, isUnchanged: result == .unchanged))
  }

  private static func message(ofCode path: String, isUnchanged: Bool) -> String {
    "generated file '\(path)' " + (isUnchanged ? "is unchanged" : "was written")
  }

  /// Returns what the next run tells when this one changed nothing but the code.
  private func lasting(_ outcome: Outcome, model: String?, code: String) -> RunCache.Answer {
    let path = FileWriter.outputFile(options.outputPath)
    let written = Self.message(ofCode: path, isUnchanged: false)
    let unchanged = Self.message(ofCode: path, isUnchanged: true)
    return RunCache.Answer(
      diagnostics: outcome.diagnostics,
      messages: outcome.messages.map { $0 == written ? unchanged : $0 },
      files: [options.modelPath: model, path: code]
    )
  }

  /// A target without entities: there is no model, and the code has nothing to say.
  private func finishWithoutEntities(
    _ outcome: Outcome,
    model: String?,
    files: Int
  ) throws(FileFault) -> Outcome {
    var outcome = outcome
    if options.isDry { return outcome }
    let output = FileWriter.outputFile(options.outputPath)
    let code = GeneratedFile.marker + "\n// There are no entities.\n"
    let further = try renderTemplates(of: Schema(), ModelDocument(), &outcome)
    if outcome.hasErrors { return outcome }
    if options.prunesEmptyOutput {
      for path in [output] + options.templates.map(\.outputPath) { try FileWriter.remove(path) }
      RunCache.clear(for: output)
    } else {
      try writeOutput(code, to: output, &outcome)
      try writeTemplates(further, &outcome)
    }
    outcome.messages.append(
      "0 entities in \(files.counted("file", "files")) of \(sourcePlaces); annotate a class or struct with "
        + "`// \(options.annotationPrefix): entity`"
    )
    if !options.prunesEmptyOutput, options.templates.isEmpty {
      outcome.lasting = lasting(outcome, model: model, code: code)
    }
    return outcome
  }
}
