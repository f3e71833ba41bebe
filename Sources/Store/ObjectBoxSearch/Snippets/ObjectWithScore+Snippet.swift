public import ObjectBox

extension ObjectWithScore
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// Returns the part of a text of the object with the most distinct words of the query, with marks
  /// around matches.
  ///
  /// The text is the present value of the property; the store is not read. A property in which the
  /// query did not search gives its first words without marks, a null property an empty text.
  ///
  ///     let found = try notes.query { Note.text.matches("swift conc*") }.build().findWithScores()
  ///     for result in found {
  ///       print(try result.snippet(of: Note.text, around: .words(12), marking: ("**", "**")))
  ///     }
  ///
  /// - Parameters:
  ///   - property: A text of the entity.
  ///   - length: The length of the part; "…" replaces words that were left out.
  ///   - marks: Texts before and after each match. The text itself is not escaped.
  /// - Returns: The part of the text.
  /// - Throws: `ObjectBoxError.illegalState` when a to-one relation was set to a new
  ///   object, which must be put first, or the result is not one of a query; the errors of the binding.
  /// - Complexity: O(*n*) for an object of *n* bytes.
  public func snippet<V: StringPropertyType>(
    of property: Property<E, V, Void>,
    around length: SnippetLength,
    marking marks: (String, String)
  ) throws -> String {
    guard let words else {
      throw ObjectBoxError.illegalState(
        message:
          "a result of '\(E.entityInfo.entityName)' has no snippets, since no query has found it; use results "
          + "of 'findWithScores'"
      )
    }
    return try words.snippet(of: object, property.propertyId, length, marks)
  }
}
