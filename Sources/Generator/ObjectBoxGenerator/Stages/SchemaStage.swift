/// Makes the schema of the sources.
enum SchemaStage {
  struct Output {
    var schema: Schema
    /// False when a source could not be parsed.
    var isParsed: Bool
    /// True when types of properties depend on C headers.
    var needsHeaders: Bool
  }

  static func run(
    _ options: GeneratorOptions,
    _ found: SourceFinder.Found,
    with reader: any SourceReader,
    nearMisses: GeneratorOptions.NearMissSearch?
  ) throws(FileFault) -> StageResult<Output> {
    let (built, needsHeaders) = try options.schema(of: found.sources, with: reader)
    let others = found.generated(besides: options.outputFile).compactMap { file in
      message(of: file, options).map { Diagnostic($0, at: SourcePosition(startOf: file.path)) }
    }
    var findings = built.diagnostics + others
    if let nearMisses, built.schema.entities.isEmpty, options.writesModel,
      !findings.contains(where: \.isError)
    {
      let known = Set(findings.compactMap(\.position))
      findings += nearMisses(options, found.sources + found.generated).filter { note in
        note.position.map { !known.contains($0) } ?? true
      }
    }
    let output = Output(
      schema: built.schema,
      isParsed: built.isParsed,
      needsHeaders: needsHeaders
    )
    return StageResult(output: output, findings: findings)
  }

  /// Returns the message about a generated file among the sources; nil when the file is harmless.
  private static func message(
    of file: SourceFile,
    _ options: GeneratorOptions
  ) -> DiagnosticMessage? {
    if options.refusesOtherBindings { return .bindingsTwice }
    return GeneratedFile.isOfOther(file.text) ? .otherBindings : nil
  }
}

extension GeneratorOptions {
  /// Makes the schema of sources as the options require.
  ///
  /// - Parameters:
  ///   - files: The sources, in any order.
  ///   - reader: The parser.
  /// - Returns: The schema with its findings, and whether types of properties depend on C headers.
  /// - Throws: ``FileFault`` when a header cannot be read.
  package func schema(
    of files: [SourceFile],
    with reader: any SourceReader
  ) throws(FileFault) -> (built: SchemaBuilder.Result, needsHeaders: Bool) {
    let parsed = SourceSelection.parse(
      files.sorted { $0.path < $1.path },
      with: reader,
      annotationPrefix: annotationPrefix,
      conditions: conditions
    )
    let demand = SchemaBuilder.demandedCTypes(parsed)
    let cTypes = try CTypeReader.read(demand, in: cHeaders)
    return (SchemaBuilder.build(parsed, cTypes: cTypes), !demand.isEmpty)
  }
}

extension DiagnosticMessage {
  static let bindingsTwice: Self =
    "the build makes the bindings of this target, so those in this file would be declared twice; "
    + "remove this file"

  static let otherBindings = warning(
    "this file holds bindings of another generator, which would be declared twice; delete it, "
      + "since the bindings are made anew from the sources and the model file"
  )
}
