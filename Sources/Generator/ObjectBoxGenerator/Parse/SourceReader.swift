/// Reads Swift sources into plain values.
///
/// `ObjectBoxSwiftReader` has the implementation that parses. It is a module of its own, so
/// compiling this module does not wait for the interface of SwiftSyntax.
package protocol SourceReader: Sendable {
  /// Parses a file into the declarations that matter; a generated file has none.
  ///
  /// Reads only the active branches of `#if`.
  ///
  /// - Parameters:
  ///   - file: The file with its whole text.
  ///   - pruned: The text with blanks in place of code that need not be parsed; nil to parse
  ///     everything. If this text has syntax errors, the whole text is parsed instead, which makes
  ///     the errors exact.
  ///   - annotationPrefix: The word before the colon of annotations.
  ///   - conditions: The facts that decide conditions of `#if`.
  /// - Returns: The declarations, or only the syntax errors.
  func parse(
    _ file: SourceFile,
    pruned: String?,
    annotationPrefix: String,
    conditions: BuildConditions
  ) -> ParsedSource
}
