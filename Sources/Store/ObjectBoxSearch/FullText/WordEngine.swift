internal import CObjectBoxSearch
internal import ObjectBox
internal import ObjectBoxFullText
internal import ObjectBoxStorage

@c @implementation
func obx_search_engine(_ call: UnsafeMutableRawPointer?) {
  guard let call else { return }
  Unmanaged<EngineCall>.fromOpaque(call).takeUnretainedValue().engine = WordEngine()
}

/// Opens and searches full-text indexes.
private struct WordEngine: FullTextEngine, DerivedSearchEngine {
  func tokenizer(of index: FullTextIndexSchema) throws -> [UInt8] {
    try Tokenizer(index.tokenizerSettings).identity
  }

  func definition(
    ofIndex id: UInt32,
    tables: [StorageTable],
    in entity: EntitySchema
  ) -> (any DerivedIndexDefinition)? {
    guard tables.count == 2,
      let index = entity.fullTextIndexes.first(where: { $0.identity.id == id })
    else { return nil }
    return FullTextIndexDefinition(runs: tables[0], state: tables[1], schema: index, entity: entity)
  }

  func search(
    _ condition: PropertyCondition,
    in table: EntityTable
  ) throws -> (any DerivedSearch)? {
    try TextCondition(condition, table)
  }
}
