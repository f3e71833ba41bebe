package import ObjectBox
package import ObjectBoxFullText

extension FoundWords {
  /// Returns the snippets that mark the found words in texts of a property; nil when no search is in it.
  ///
  /// All searches in the index of the first search count.
  package func snippets(of propertyID: UInt32) throws -> TextSnippets? {
    let searches = searches.compactMap { $0 as? TextCondition }
    for search in searches {
      let index = search.definition
      let place = index.properties.firstIndex { $0.identity.id == propertyID }
      guard let column = place else { continue }
      let same = searches.filter { $0.definition.schema.identity == index.schema.identity }
      return TextSnippets(
        of: .any(same.map(\.written)),
        tokenizer: try index.tokenizer(),
        column: column
      )
    }
    return nil
  }

  /// Returns a snippet of a text of an object.
  func snippet<E>(
    of object: E,
    _ propertyID: UInt32,
    _ length: SnippetLength,
    _ marks: (String, String)
  ) throws -> String
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try snippet(of: text(propertyID, of: object), propertyID, length, marks)
  }

  /// Returns a snippet of a text of a property: the first words when no search is in it.
  package func snippet(
    of text: String,
    _ propertyID: UInt32,
    _ length: SnippetLength,
    _ marks: (String, String)
  ) throws -> String {
    try (snippets(of: propertyID) ?? TextSnippets(of: .any([]), tokenizer: Tokenizer()))
      .snippet(of: text, wordCount: length.wordCount, marking: marks)
  }

  /// Returns a text of an object; empty for null.
  ///
  /// Encodes the object like a put: at run time, properties have only their IDs.
  private func text<E>(_ propertyID: UInt32, of object: E) throws -> String
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    let binding = E.entityBinding
    let id = binding.entityId(of: object)
    let newTarget = ObjectBoxError.illegalState(
      message:
        "a snippet of '\(table.name)' with the ID \(id) cannot be made, since a to-one relation of the object "
        + "was changed; put the object first"
    )
    // Encoding would attach such a relation to the store.
    try binding.visitRelations(of: object) { relation in
      if !relation.__isToMany, relation.__store == nil { throw newTarget }
    }
    let builder = FlatBufferBuilder(layout: table.records.currentLayout)
    let place = UnwritablePlace(newTarget)
    let record = try binding.record(
      of: object,
      id: id,
      in: builder,
      table.schema,
      store.forReading(.elsewhere(place))
    )
    let reader = try table.records.reader(record, id: id)
    let bytes = reader.bytes(reader.field(propertyID: propertyID))
    return bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

/// Prevents the encoding of an object from putting new targets of its relations.
private final class UnwritablePlace: ObjectLocation {
  let writingError: ObjectBoxError
  var readingError: ObjectBoxError { writingError }

  init(_ error: ObjectBoxError) {
    writingError = error
  }
}
