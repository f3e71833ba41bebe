/// The positions of the parts of an annotation, for findings about one of them.
package struct AnnotationPlaces: Hashable, Sendable {
  /// A key of an object, or of a line with a namespace, and its value.
  package struct Member: Hashable, Sendable {
    package var key: SourceSpan
    package var value: SourceSpan
    /// The position directly behind the value and its quotes.
    package var end: SourcePosition
  }

  /// The number of UTF-8 bytes of the name.
  package var nameLength = 0
  /// The name with the value; nil when the positions are not known.
  package var whole: SourceSpan?
  /// The value without its quotes; nil when there is none.
  package var value: SourceSpan?
  package var members: [String: Member] = [:]
}

extension Annotations.Item {
  package var name: SourceSpan { SourceSpan(position: position, length: places.nameLength) }

  /// The name with the value.
  package var whole: SourceSpan { places.whole ?? name }

  /// The value, or the name without one.
  package var valuePlace: SourceSpan { places.value ?? name }

  /// A key of the value, or the whole value when it has no such key.
  package func keyPlace(_ key: String) -> SourceSpan { places.members[key]?.key ?? valuePlace }

  /// The value of a key of the value, or the whole value when it has no such key.
  package func valuePlace(of key: String) -> SourceSpan {
    places.members[key]?.value ?? valuePlace
  }
}
