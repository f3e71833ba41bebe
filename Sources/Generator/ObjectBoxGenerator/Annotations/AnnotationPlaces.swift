/// Positions of an annotation's parts, for findings.
package struct AnnotationPlaces: Hashable, Sendable {
  /// A key with its value, in an object or in a line with a namespace.
  package struct Member: Hashable, Sendable {
    package var key: SourceSpan
    package var value: SourceSpan
    /// Position directly after the value and its quotes.
    package var end: SourcePosition
  }

  /// Number of UTF-8 bytes of the name.
  package var nameLength = 0
  /// The name with the value; nil when the positions are unknown.
  package var whole: SourceSpan?
  /// The value without quotes; nil without a value.
  package var value: SourceSpan?
  package var members: [String: Member] = [:]
}

extension Annotations.Item {
  package var name: SourceSpan { SourceSpan(position: position, length: places.nameLength) }

  /// The name with the value.
  package var whole: SourceSpan { places.whole ?? name }

  /// The value; the name when there is no value.
  package var valuePlace: SourceSpan { places.value ?? name }

  /// The given key of the value; the whole value when it lacks the key.
  package func keyPlace(_ key: String) -> SourceSpan { places.members[key]?.key ?? valuePlace }

  /// The value of the given key; the whole value when it lacks the key.
  package func valuePlace(of key: String) -> SourceSpan {
    places.members[key]?.value ?? valuePlace
  }
}
