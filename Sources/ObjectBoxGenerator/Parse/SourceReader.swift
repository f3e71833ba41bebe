/// A reader of Swift sources, which gives plain values.
///
/// The module `ObjectBoxSwiftReader` has the one that parses. It stands apart so that nothing here waits for
/// the compiler to read the interface of SwiftSyntax.
package protocol SourceReader: Sendable {
  /// Parses a file into the declarations that matter; none for a generated file.
  ///
  /// Reads only the branches of `#if` that the conditions make active.
  ///
  /// - Parameters:
  ///   - file: The file with its whole text.
  ///   - pruned: The text with blanks in place of what need not be parsed; nil to parse all. A text with
  ///     syntax errors is parsed as a whole, so that these are the same.
  ///   - annotationPrefix: The word before the colon of annotations.
  ///   - conditions: The answers to conditions of `#if`.
  /// - Returns: The declarations, or the syntax errors alone.
  func parse(
    _ file: SourceFile,
    pruned: String?,
    annotationPrefix: String,
    conditions: BuildConditions
  ) -> ParsedSource

  /// Returns notes about misspelt annotations of types, and about entities that are neither class nor
  /// struct.
  func nearMisses(in file: SourceFile, annotationPrefix: String) -> [Diagnostic]
}
