internal import Foundation
internal import ObjectBoxGenerator
internal import ObjectBoxModelTools

/// The tool's output for people.
enum GeneratorConsole {
  /// Writes a line to standard error.
  static func tell(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }

  /// Writes a text unchanged to a file, or to standard output if `path` is nil.
  static func write(_ text: String, to path: String?) throws {
    guard let path else { return FileHandle.standardOutput.write(Data(text.utf8)) }
    try CheckedModelFile.write(text, to: path)
  }
}
