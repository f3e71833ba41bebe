/// The whole tool as one value: options in, files and findings out.
///
/// A run first takes the lock of the model file (``ModelLock``), unless it writes no model. Then it
/// finds the sources (``SourceFinder``). If ``RunCache`` has an answer for the same inputs, the run
/// repeats that answer and ends. Otherwise it goes through five stages:
///
/// 1. ``SchemaStage`` parses the sources that matter (``SourceSelection``) and makes the schema from their annotated
///    types (``SchemaBuilder``).
/// 2. ``ModelStage`` reads `model.json`.
/// 3. ``SynchronizationStage`` matches the schema's elements with the model's, by UID or name. It gives IDs to new
///    elements and retires removed ones (``ModelSynchronizer``).
/// 4. ``RenderingStage`` renders the bindings and the user's templates (``CodeRenderer``).
/// 5. ``WritingStage`` writes the model, then the other files.
///
/// A stage returns its output with findings. A stage with an error is the last one, so a run with
/// errors writes nothing. There is one exception: a bare `uid` adds a UID to the model's pool.
package struct Generator: Sendable {
  package typealias Options = GeneratorOptions

  package var options: Options
  private let reader: any SourceReader
  private let nearMisses: Options.NearMissSearch?

  /// Makes a generator.
  ///
  /// - Parameters:
  ///   - options: The options of the run.
  ///   - reader: The parser.
  ///   - nearMisses: The search in sources without entities; nil for none. Locked runs never call
  ///     it.
  package init(
    _ options: Options,
    reader: any SourceReader,
    nearMisses: Options.NearMissSearch? = nil
  ) {
    self.options = options
    self.reader = reader
    self.nearMisses = nearMisses
  }

  /// Runs the generator, holding the exclusive right to write the model.
  ///
  /// - Throws: ``FileFault`` when a file cannot be read or written; ``MustacheError`` when a
  ///   template does not fit.
  package func run() throws -> Outcome {
    guard options.writesModel else { return try run(nil) }
    return try run(try ModelLock(of: options.modelPath, patience: options.patience))
  }

  private func run(_ lock: ModelLock?) throws -> Outcome {
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
    let sources = outcome.take(
      try SchemaStage.run(options, found, with: reader, nearMisses: nearMisses)
    )
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
