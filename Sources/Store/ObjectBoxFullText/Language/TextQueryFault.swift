/// A fault in the text of a query, with its place.
package struct TextQueryFault: Error, Hashable, CustomStringConvertible {
  /// The kinds of faults.
  package enum Kind: Hashable, Sendable {
    case noWord
    case onlyExclusions
    case tooManyWords
    case tooDeep
    case unclosedQuote
    case unclosedParenthesis
    case unopenedParenthesis
    case starWithoutWord
    case starInsideWord
    case tildeAfterPhrase
    /// An operator without a word before it.
    case nothingBefore(String)
    /// An operator, or the name of a column, without a word after it.
    case nothingBehind(String)
    case columnInColumn(String)
    case exclusionInColumn(String)
    case emptyNear
    case otherInNear(String)
    case invalidDistance(String)
  }

  package var kind: Kind
  /// Place in the text, in UTF-8 bytes.
  package var place: Range<Int>
  /// Number of characters before the place.
  package var characterOffset: Int

  package var description: String {
    "the search text has a fault at character \(characterOffset + 1): \(reason)"
  }

  /// The fault and its remedy, without the place.
  package var reason: String {
    switch kind {
    case .noWord: "it contains no word to search for; write a word of letters or digits"
    case .onlyExclusions:
      "it only excludes words; write a word that objects must have before the excluded ones"
    case .tooManyWords: "it has more than \(TextQueryParser.maximumCount) words; search for fewer"
    case .tooDeep:
      "parentheses are nested more than \(TextQueryParser.maximumDepth) deep; remove some"
    case .unclosedQuote: "a quotation mark is not closed; write another one behind the phrase"
    case .unclosedParenthesis: "a parenthesis is not closed; write ')' behind the words"
    case .unopenedParenthesis: "a ')' closes nothing; remove it, or write '(' before the words"
    case .starWithoutWord:
      "a '*' has no word before it; write the beginning of a word, as in 'conc*'"
    case .starInsideWord: "a '*' is inside of a word; it can only end one, as in 'conc*'"
    case .tildeAfterPhrase:
      "a '~' is behind a phrase; for words that are near to each other write 'NEAR(data race, 10)'"
    case .nothingBefore(let word):
      "'\(word)' has no word before it; write one, or \"\(word)\" in quotes to search for it"
    case .nothingBehind("-"): "a '-' has no word behind it; write the word to exclude"
    case .nothingBehind(let word):
      "'\(word)' has no word behind it; write one, or \"\(word)\" in quotes to search for it"
    case .columnInColumn(let name):
      "'\(name):' is inside of the words of another property; write both side by side"
    case .exclusionInColumn(let name):
      "an exclusion is behind '\(name):'; write '-\(name):' before the excluded word"
    case .emptyNear: "NEAR contains no word; write the words, as in 'NEAR(data race, 10)'"
    case .otherInNear(let found):
      "NEAR contains '\(found)'; only words, beginnings of words and phrases can be near to each other"
    case .invalidDistance(let found):
      "'\(found)' is no distance for NEAR; write a whole number from 0 to "
        + "\(TextQueryParser.maximumDistance) before the ')'"
    }
  }
}
