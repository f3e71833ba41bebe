internal import Foundation

/// The output of the tool for people and scripts.
enum Console {
  /// Whether standard error is a terminal that can draw.
  static let isInteractive =
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

  /// Whether standard output is a terminal that shows colours, and the user allows them.
  ///
  /// See https://no-color.org for the variable.
  static let isColoured =
    isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty

  /// The number of columns of the terminal that is standard output; nil for another output.
  static var width: Int? {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    if let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init), columns > 0 {
      return columns
    }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes a line to standard error.
  static func tell(_ line: String) {
    FileHandle.standardError.write(Data((line.printable + "\n").utf8))
  }

  /// Writes a text to standard output; throws when the reader is gone.
  static func write(_ text: String) throws {
    var output = StandardOutput()
    try output.write(Array(text.utf8))
  }
}

extension String {
  /// The text with control characters escaped, except line feeds and tabs.
  ///
  /// Names come from store files. In a terminal, control characters could move the cursor, change
  /// text on the screen, or reverse the writing direction.
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
    // Direction marks, and line and paragraph separators.
    case 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
