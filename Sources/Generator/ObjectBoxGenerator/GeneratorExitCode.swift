/// The exit status of the programs.
package enum GeneratorExitCode: Int32, Sendable {
  /// Everything was written, perhaps with warnings.
  case success = 0
  /// A path cannot be read or written, or an option is wrong.
  case unusable = 1
  /// There are no sources to read.
  case noSources = 2
  /// The sources or the model have an error.
  case findings = 3

  /// Sources and model, or the sides of a merge, disagree.
  package static let disagreement = Self.unusable

  /// Makes the status of a run that threw an error.
  package init(of error: any Error) {
    self = error is FileFault ? .unusable : .findings
  }
}
