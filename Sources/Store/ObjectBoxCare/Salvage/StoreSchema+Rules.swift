package import ObjectBox
internal import ObjectBoxFullText

extension StoreSchema {
  /// The schema with the rules by which this program splits texts, for a new store.
  ///
  /// A file keeps the rules that its full-text indexes were built by, and no new texts can be added
  /// to an index of other rules. An index whose language needs a library that is missing keeps its
  /// rules.
  package var withPresentRules: StoreSchema {
    var schema = self
    for entity in schema.entities.indices {
      for index in schema.entities[entity].fullTextIndexes.indices {
        let settings = schema.entities[entity].fullTextIndexes[index].tokenizerSettings
        guard let tokenizer = try? Tokenizer(settings) else { continue }
        schema.entities[entity].fullTextIndexes[index].tokenizer = tokenizer.identity
      }
    }
    return schema
  }
}
