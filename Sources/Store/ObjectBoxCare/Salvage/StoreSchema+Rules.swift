package import ObjectBox
internal import ObjectBoxFullText
internal import ObjectBoxSearch

extension StoreSchema {
  /// The schema with this program's rules for splitting texts, for a new store.
  ///
  /// A file keeps the rules of its full-text indexes, and an index accepts no texts that were split by other
  /// rules. An index whose language needs a missing library keeps its rules.
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
