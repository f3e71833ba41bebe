public import ObjectBox

extension Property where V: StringPropertyType, R == Void {
  /// Matches the objects whose text has the words of a search; needs the annotation `fulltext`.
  ///
  /// Words side by side must all occur. `OR`, `AND`, `NOT` and parentheses combine them; `-word` excludes a word,
  /// `"data race"` finds a phrase, `conc*` the beginning of a word, and `NEAR(a b, 10)` words with at most 10 others
  /// between them. Case does not matter, nor do accents unless the annotation keeps them.
  ///
  ///     let query = try notes.query {
  ///       Note.text.matches("swift conc* \"data race\" -objc") && Note.stars > 3
  ///     }.build()
  ///     for found in try query.findWithScores(limit: 10) { print(found.object.title, found.score) }
  ///
  /// - Parameter text: The search, as a user may type it. A text that cannot be read makes the query
  ///   throw `ObjectBoxError.illegalArgument` with the place of the fault.
  /// - Returns: The condition. `Query.findWithScores(offset:limit:)` returns the best matches first.
  public func matches(_ text: String) -> PropertyQueryCondition<E, V> {
    comparing(.matches, .matching(TextSearch(text)))
  }
}

/// A full-text index over several properties of an entity; generated code names it.
///
///     // objectbox: fulltextTogether = { "name": "words", "properties": { "title": 3, "text": 1 } }
///     let found = try notes.query { Note.words.matches("title:swift race") }.build().find()
public struct FullTextIndex<E>: Sendable {
  /// The number of the index in the model.
  public let indexId: UInt32

  /// Makes the description of an index.
  public init(indexId: UInt32) {
    self.indexId = indexId
  }

  /// Matches the objects whose texts have the words of a search; see `Property.matches(_:)`.
  ///
  /// `title:swift` searches in the property `title` alone.
  ///
  /// - Parameter text: The search, as a user may type it.
  /// - Returns: The condition.
  public func matches(_ text: String) -> PropertyQueryCondition<E, String> {
    PropertyQueryCondition(.leaf(0, .matches, .matching(TextSearch(text, in: indexId))))
  }
}
