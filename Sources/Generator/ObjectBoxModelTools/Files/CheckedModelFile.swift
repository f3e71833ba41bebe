internal import Foundation
package import ObjectBoxGenerator

/// A model file, read and checked.
package struct CheckedModelFile: Sendable {
  package let path: String
  package let text: String
  package let document: ModelDocument

  /// The reason why a model file holds no valid model, as findings.
  package struct Broken: Error, Sendable {
    package var diagnostics: [Diagnostic]
  }

  /// Reads and checks a model file.
  ///
  /// - Parameters:
  ///   - path: The file to read.
  ///   - shownPath: The path in findings, if it differs from `path`.
  ///   - isAbsentWhenEmpty: True to read an empty file as an empty model. Version control systems
  ///     pass an empty file when there is no common version.
  /// - Throws: ``FileFault`` when the file cannot be read, ``Broken`` when it holds no valid model.
  package init(_ path: String, shownPath: String? = nil, isAbsentWhenEmpty: Bool = false) throws {
    self.path = shownPath ?? path
    text = try Self.read(path)
    if isAbsentWhenEmpty, text.allSatisfy(\.isWhitespace) {
      document = ModelDocument()
      return
    }
    let (model, diagnostics) = ModelDocument.parse(text, path: self.path)
    guard let model else { throw Broken(diagnostics: diagnostics) }
    document = model
  }

  /// Reads a file or a pipe, such as the shell makes for `<(command)`.
  private static func read(_ path: String) throws(FileFault) -> String {
    let attributes = try? FileManager.default.attributesOfItem(
      atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    )
    guard path.hasPrefix("/dev/"), attributes?[.type] as? FileAttributeType != .typeRegular,
      let handle = FileHandle(forReadingAtPath: path)
    else { return try SourceFinder.readText(path) }
    guard let text = String(validating: handle.readDataToEndOfFile(), as: UTF8.self) else {
      throw FileFault("read", path, "it is not UTF-8; save it in that encoding")
    }
    return text
  }

  /// Writes a file completely or not at all; throws ``FileFault`` when it cannot be written.
  package static func write(_ text: String, to path: String) throws(FileFault) {
    _ = try FileWriter.write(text, to: path)
  }

  /// Positions of the elements.
  package var places: ElementPlaces { ElementPlaces(text: text, path: path) }
}
