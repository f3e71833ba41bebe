package import ObjectBoxJSON

extension SourcePosition {
  init(_ place: JSONPlace) {
    self.init(path: place.path, line: place.line, column: place.column)
  }
}

extension JSONValue {
  package var position: SourcePosition { SourcePosition(place) }

  /// The key of a member, with its quotes; nil for values that are not members.
  var key: SourceSpan? {
    keyPlace.map { SourceSpan(position: SourcePosition($0), length: keyLength) }
  }
}

extension JSONFault {
  var position: SourcePosition { SourcePosition(place) }

  /// Position of the first occurrence of a duplicate key.
  var other: SourcePosition? { otherPlace.map(SourcePosition.init) }
}
