internal import Foundation

/// The output of the tool for people and scripts.
enum Console {
  /// True when people read standard error in a terminal that can draw.
  static let isInteractive =
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

  /// Writes a line to standard error.
  static func tell(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }

  /// Writes a text to standard output; a reader that has gone is an error.
  static func write(_ text: String) throws {
    var output = StandardOutput()
    try output.write(Array(text.utf8))
  }
}
