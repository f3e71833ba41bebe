internal import Foundation

/// The output of the tool for people and scripts.
enum Console {
  /// True when people read standard error in a terminal that can draw.
  static let isInteractive =
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

  /// True when people read standard output in a terminal that shows colours, and do not forbid them.
  ///
  /// See https://no-color.org for the variable.
  static let isColoured =
    isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty

  /// Writes a line to standard error.
  static func tell(_ line: String) {
    FileHandle.standardError.write(Data((line.printable + "\n").utf8))
  }

  /// Writes a text to standard output; a reader that has gone is an error.
  static func write(_ text: String) throws {
    var output = StandardOutput()
    try output.write(Array(text.utf8))
  }
}

extension String {
  /// The text with its control characters as escapes, but for line feeds and tabs.
  ///
  /// Names come from store files: in a terminal they could move the cursor, change what stands there already, or
  /// turn the direction of the text.
  var printable: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isControl {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool {
    switch value {
    case 0x09, 0x0A: false
    case 0x00...0x1F, 0x7F...0x9F: true
    // Marks of direction, and separators of lines and paragraphs.
    case 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
