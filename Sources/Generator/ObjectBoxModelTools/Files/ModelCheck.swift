package import ObjectBoxGenerator

/// Compares sources with their model, without writing anything.
package enum ModelCheck {
  package struct Outcome: Sendable {
    package var diagnostics: [Diagnostic] = []
    /// True when sources and model are readable and differ.
    package var isDisagreement = false
    /// Number of entities in the sources.
    package var entityCount = 0

    package var hasErrors: Bool { diagnostics.contains(where: \.isError) }
  }

  /// Returns every difference between sources and model, as errors with positions.
  ///
  /// Only the options that concern reading count. A missing model counts as an empty one. Sources
  /// without entities differ from a model with entities.
  ///
  /// - Throws: ``FileFault`` when a file cannot be read.
  package static func run(
    _ options: GeneratorOptions,
    reader: any SourceReader
  ) throws(FileFault) -> Outcome {
    let found = try SourceFinder.read(options.sources, excluding: options.excludedSources)
    let files = found.sources
    let built = try options.schema(of: files, with: reader).built
    var outcome = Outcome(diagnostics: built.diagnostics, entityCount: built.schema.entities.count)
    if outcome.hasErrors { return outcome }
    let text = try SourceFinder.readTextIfPresent(options.modelPath)
    if text == nil {
      let vanished = VanishedModel(options, built.schema, generated: found.generated)
      outcome.diagnostics += [vanished.finding].compactMap { $0 }
    }
    let old = text.map { ModelDocument.parse($0, path: options.modelPath) }
    outcome.diagnostics += old?.diagnostics ?? []
    if outcome.hasErrors { return outcome }

    var uids = UIDGenerator(isDeterministic: false)
    let model = old?.model ?? ModelDocument()
    let result = ModelSynchronizer.synchronize(built.schema, with: model, uids: &uids)
    if result.writesModelDespiteErrors {
      // Without a new UID in the finding, since it would not be kept.
      outcome.diagnostics += result.diagnostics.map { finding in
        Diagnostic(.lockedUID(options), at: finding.position)
      }
      return outcome
    }
    outcome.diagnostics += result.diagnostics
    if outcome.hasErrors { return outcome }
    outcome.isDisagreement = !result.changes.isEmpty
    outcome.diagnostics += ChangeFindings(options, files).refusals(of: result.changes)
    return outcome
  }
}
