package import ObjectBoxGenerator

/// Merges two models with a common base, as version control systems merge branches.
///
/// Elements with the same UID are the same, and every UID stays. A change of one side is taken. Two
/// different changes of one trait are a conflict, which a finding reports.
package enum ModelMerge {
  package struct Result: Sendable {
    /// The merged model; nil comes with at least one error.
    package var model: ModelDocument?
    /// Conflicts as errors, and notes about IDs that had to change.
    package var diagnostics: [Diagnostic]
  }

  /// Merges `theirs` into `ours`.
  ///
  /// - Parameters:
  ///   - base: The last common version; an empty model when there is none.
  ///   - ours: The version of the current branch.
  ///   - theirs: The version of the other branch.
  ///   - places: Positions of the elements of `ours`, for findings.
  /// - Returns: The merged model, or the conflicts.
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
