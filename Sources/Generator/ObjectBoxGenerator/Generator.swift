/// The whole tool as one value: options in, files and findings out.
///
/// A run first takes the lock of the model file (``ModelLock``), unless it writes no model. Then it
/// finds the sources (``SourceFinder``). If ``RunCache`` has an answer for the same inputs, the run
/// repeats that answer and ends. Otherwise it goes through five stages:
///
/// 1. ``SchemaStage`` parses the sources that matter (``SourceSelection``) and makes the schema from
///    their annotated types (``SchemaBuilder``).
/// 2. ``ModelStage`` reads `model.json`.
/// 3. ``SynchronizationStage`` matches the schema's elements with the model's, by UID or name. It
///    gives IDs to new elements and retires removed ones (``ModelSynchronizer``).
/// 4. ``RenderingStage`` renders the bindings and the user's templates (``CodeRenderer``).
/// 5. ``WritingStage`` writes the model, then the other files.
///
/// A stage returns its output with findings. A stage with an error is the last one, so a run with
/// errors writes nothing. There is one exception: a bare `uid` adds a UID to the model's pool.
package struct Generator: Sendable {
  package typealias Options = GeneratorOptions

  let options: Options
  let reader: any SourceReader

  /// Makes a generator with the given options and parser.
  package init(_ options: Options, reader: any SourceReader) {
    self.options = options
    self.reader = reader
  }

  /// Runs the generator.
  ///
  /// With ``GeneratorOptions/appliesFixes``, fixes the sources first.
  ///
  /// - Throws: ``FileFault`` when a file cannot be read or written; ``MustacheError`` when a
  ///   template does not fit.
  package func run() throws -> Outcome {
    guard options.appliesFixes else { return try runOnce() }
    var dry = options
    dry.isDry = true
    let dryGenerator = Generator(dry, reader: reader)
    let notes = try SafeFixes.make {
      let outcome = try dryGenerator.runOnce()
      return (outcome.isParsed ? outcome.diagnostics : [], outcome.files)
    }
    var outcome = try runOnce()
    outcome.diagnostics = notes + outcome.diagnostics
    return outcome
  }

  /// Runs once, holding the exclusive right to write the model.
  private func runOnce() throws -> Outcome {
    guard options.writesModel else { return try runOnce(nil) }
    return try runOnce(try ModelLock(of: options.modelPath, patience: options.patience))
  }

  private func runOnce(_ lock: ModelLock?) throws -> Outcome {
    let time = FileStamp.Time.now
    let files = try SourceFinder.find(options.sources, excluding: options.excludedSources)
    guard options.usesCache, options.debugPath == nil, !options.isDry else {
      return try generate(from: SourceFinder.read(files), lock)
    }
    var cache = RunCache(options)
    cache.note(files, at: time)
    if let answer = cache.answerWithoutReading() {
      // Snippets of findings show the sources.
      let shown = answer.diagnostics.isEmpty ? [] : try SourceFinder.read(files).sources
      return Outcome(repeating: answer, files: shown)
    }
    let found = try SourceFinder.read(files)
    cache.note(found.sources + found.generated(besides: options.outputFile))
    if let answer = cache.answer() { return Outcome(repeating: answer, files: found.sources) }
    let outcome = try generate(from: found, lock)
    if let answer = outcome.repeatableAnswer { cache.keep(answer) }
    return outcome
  }

  private func generate(
    from found: SourceFinder.Found,
    _ lock: ModelLock?
  ) throws -> Outcome {
    var outcome = Outcome(files: found.sources)
    let sources = outcome.take(try SchemaStage.run(options, found, with: reader))
    outcome.isParsed = sources.isParsed
    if outcome.hasErrors { return outcome }

    let model = outcome.take(try ModelStage.run(options, sources.schema, found, lock))
    outcome.files += model.text.map { [SourceFile(path: options.modelPath, text: $0)] } ?? []
    if outcome.hasErrors { return outcome }

    let synchronized = model.document.map {
      outcome.take(SynchronizationStage.run(options, sources.schema, with: $0, of: found.sources))
    }
    if outcome.hasErrors {
      if let synchronized, synchronized.writesModelDespiteErrors, options.writesModel {
        let written = try WritingStage.write(synchronized.model, options, lock)
        outcome.messages += outcome.take(written).messages
      }
      return outcome
    }
    if options.isDry { return outcome }

    let rendered = outcome.take(
      try RenderingStage.run(options, synchronized, of: found.sources)
    )
    if outcome.hasErrors { return outcome }

    let written = outcome.take(try WritingStage.run(options, rendered, lock))
    outcome.messages += written.messages
    // Not cached: findings may depend on the earlier model, and headers include files that the
    // cache does not know.
    if written.keepsModel, !sources.needsHeaders, options.templates.isEmpty {
      outcome.noteAnswer(model: (options.modelPath, model.text), bindings: rendered.files[0])
    }
    return outcome
  }
}
