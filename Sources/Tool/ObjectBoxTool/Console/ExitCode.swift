/// The exit status of the tool.
package enum ExitCode: Int32, Sendable {
  /// The work is done, and no problem was found.
  case success = 0
  /// A problem was found, or the work is not possible.
  case failure = 1
  /// The command line is wrong.
  case usage = 2
  /// A signal ended the work early.
  case interrupted = 130
}

/// A failure whose text needs no more context.
package struct Failure: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}
