public import ObjectBox

/// A result of a ``FusedQuery``.
public struct FusedObject<E> {
  /// The object, a new instance.
  public let object: E
  /// The sum of weight / (k + rank) of the searches that found the object; greater is better.
  public let score: Double
  /// The place among the candidates of the query's own search; nil if it is not a candidate.
  public let left: FusedRank?
  /// The place among the candidates of the search that was fused with the query; nil if it is not a candidate.
  public let right: FusedRank?
  let words: FoundWords

  /// - Parameters:
  ///   - object: The object.
  ///   - result: Its score and ranks.
  ///   - words: The words of both searches.
  package init(_ object: E, _ result: RankFusion.Result, _ words: FoundWords) {
    self.object = object
    self.words = words
    score = result.score
    left = result.left
    right = result.right
  }
}

/// The place of an object among the candidates of a search.
public struct FusedRank: Hashable, Sendable {
  /// The rank, from 1; candidates with equal scores share the least one: 1, 2, 2, 4.
  public let rank: Int
  /// The search's own score: greater is better for words, lower is nearer for neighbours.
  public let score: Double
}

extension FusedObject
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// Returns the part of a text of the object with the most distinct words of the searches, with
  /// marks around matches.
  ///
  /// Works like `snippet(of:around:marking:)` of a result with a score; the words of both searches count.
  ///
  /// - Parameters:
  ///   - property: A text of the entity.
  ///   - length: The length of the part; "…" replaces words that were left out.
  ///   - marks: Texts before and after each match. The text itself is not escaped.
  /// - Returns: The part of the text.
  /// - Throws: `ObjectBoxError.illegalState` when a to-one relation was set to a new
  ///   object, which must be put first; the errors of the binding.
  /// - Complexity: O(*n*) for an object of *n* bytes.
  public func snippet<V: StringPropertyType>(
    of property: Property<E, V, Void>,
    around length: SnippetLength,
    marking marks: (String, String)
  ) throws -> String {
    try words.snippet(of: object, property.propertyId, length, marks)
  }
}
