/// Merges two models with a common base, as a version control system merges branches.
///
/// Elements are the same when their UIDs are, and every UID stays. A change of one side is taken; two
/// different changes of the same trait are a conflict, reported in words.
package enum ModelMerge {
  package struct Result: Sendable {
    /// The merged model; nil comes with at least one error.
    package var model: ModelDocument?
    /// Conflicts as errors; notes about IDs that had to change.
    package var diagnostics: [Diagnostic]
  }

  /// Merges `theirs` into `ours`.
  ///
  /// `base` is the version from which both came; an empty model when there is none. `places` has the
  /// places of the elements of ours, for findings.
  package static func merge(
    base: ModelDocument,
    ours: ModelDocument,
    theirs: ModelDocument,
    places: ElementPlaces
  ) -> Result {
    var run = MergeRun(
      base: TargetNames.replaceByUIDs(in: base),
      ours: TargetNames.replaceByUIDs(in: ours),
      theirs: TargetNames.replaceByUIDs(in: theirs),
      places: places
    )
    let merged = run.merge()
    let isInConflict = run.diagnostics.contains(where: \.isError)
    guard let merged, !isInConflict else {
      return Result(model: nil, diagnostics: run.diagnostics.filter(\.isError))
    }
    // The reader's checks decide whether the result is a valid model.
    let check = ModelDocument.parse(merged.text, path: places.path)
    let faults = check.diagnostics.filter(\.isError).map {
      Diagnostic($0.message, at: places.start)
    }
    return Result(model: check.model, diagnostics: run.diagnostics + faults)
  }
}
