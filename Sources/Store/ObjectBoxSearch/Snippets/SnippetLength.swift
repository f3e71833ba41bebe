/// The length of a snippet.
public struct SnippetLength: Hashable, Sendable {
  let wordCount: Int

  /// A number of words; letters count as words in scripts without spaces.
  ///
  /// - Parameter count: The number of words; numbers below 1 count as 1.
  /// - Returns: The length.
  public static func words(_ count: Int) -> SnippetLength {
    SnippetLength(wordCount: max(1, count))
  }
}
