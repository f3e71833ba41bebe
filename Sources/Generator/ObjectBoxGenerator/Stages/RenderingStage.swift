/// Renders the files of a run.
enum RenderingStage {
  struct Output {
    /// The model to write; nil to leave it unchanged.
    var model: ModelDocument?
    /// The bindings and the rendered user templates, by path; nil removes a file.
    var files: [(path: String, text: String?)]
    /// The dump of the schema; nil when it is not wanted.
    var dump: String?
    /// A message about the whole run.
    var summary: String
  }

  /// Renders the bindings of a schema; for a target without entities, a comment that says so.
  static func run(
    _ options: GeneratorOptions,
    _ synchronized: ModelSynchronizer.Result?,
    of sources: [SourceFile]
  ) throws -> StageResult<Output> {
    let schema = synchronized?.schema ?? Schema()
    let model = synchronized?.model ?? ModelDocument()
    let files = sources.count.counted("file", "files")
    let usesCluster = synchronized != nil && ClusterImport.isIn(sources)
    let code: String
    let summary: String
    if synchronized != nil {
      code = try CodeRenderer.render(
        schema,
        model,
        visibility: options.visibility,
        usesCluster: usesCluster
      )
      summary = "\(schema.entities.count.counted("entity", "entities")) in \(files)"
    } else {
      code = GeneratedFile.marker + "\n// There are no entities.\n"
      summary =
        "0 entities in \(files) of \(options.sourceFolders); annotate a class or struct with "
        + "`// \(options.annotationPrefix): entity`"
    }
    let context = CodeRenderer.context(
      schema,
      model,
      visibility: options.visibility,
      usesCluster: usesCluster
    )
    let further = try UserTemplate.render(options.templates, context)
    let texts = [code] + further.texts
    let isPruned = synchronized == nil && options.prunesEmptyOutput
    let output = Output(
      model: options.isLocked ? nil : synchronized?.model,
      files: zip([options.outputFile] + options.templates.map(\.outputPath), texts)
        .map { ($0, isPruned ? nil : $1) },
      dump: synchronized != nil && options.debugPath != nil ? SchemaDump.text(of: schema) : nil,
      summary: summary
    )
    return StageResult(output: output, findings: further.diagnostics)
  }
}
