/// Synchronises schema and model, and reports the effects of the changes on stored data.
enum SynchronizationStage {
  static func run(
    _ options: GeneratorOptions,
    _ schema: Schema,
    with model: ModelDocument,
    of sources: [SourceFile]
  ) -> StageResult<ModelSynchronizer.Result> {
    var uids = UIDGenerator(isDeterministic: options.debugPath != nil)
    let result = ModelSynchronizer.synchronize(schema, with: model, uids: &uids)
    var findings = result.diagnostics
    if options.isLocked, result.writesModelDespiteErrors {
      // Without a new UID in the finding, since it would not be kept.
      for index in findings.indices {
        findings[index].message = .lockedUID(options)
        findings[index].notes = []
      }
    }
    findings += changes(result, from: model, options, sources)
    return StageResult(output: result, findings: findings)
  }

  /// Returns the effects of the changes.
  ///
  /// Returns errors instead if a locked model would change, a type changes without a decision, or a
  /// model would lose all entities.
  private static func changes(
    _ result: ModelSynchronizer.Result,
    from old: ModelDocument,
    _ options: GeneratorOptions,
    _ sources: [SourceFile]
  ) -> [Diagnostic] {
    let findings = ChangeFindings(options, sources)
    if options.isLocked { return findings.refusals(of: result.changes) }
    // No store has been written with an empty model.
    if old.entities.isEmpty { return [] }
    let undecided = findings.undecidedTypes(of: result.changes)
    if !undecided.isEmpty { return undecided }
    let retired = result.retiredEntityNames
    if !retired.isEmpty, retired.count == old.entities.count, !options.allowsRemovingAll {
      return [findings.refusal(retiring: retired, result.changes)]
    }
    return findings.effects(of: result.changes)
  }
}
