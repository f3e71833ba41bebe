package import ObjectBoxStorage

/// The tables of an index in the file.
package struct IndexTables {
  package typealias Table = (name: String, kind: StorageTable.Kind)

  /// The ID of the index in the model.
  package let id: UInt32
  package let tables: [Table]
  /// True if the entries are not ordered by values of properties; see ``DerivedIndex``.
  package let isDerived: Bool

  fileprivate static func ordered(_ id: UInt32) -> IndexTables {
    IndexTables(id: id, tables: [(SystemTable.index(id), .index)], isDerived: false)
  }

  fileprivate static func vectors(_ id: UInt32) -> IndexTables {
    IndexTables(id: id, tables: [(SystemTable.vectorIndex(id), .objects)], isDerived: true)
  }

  fileprivate static func words(_ id: UInt32) -> IndexTables {
    let tables: [Table] = [
      (SystemTable.fullTextIndex(id), .plain), (SystemTable.fullTextState(id), .plain),
    ]
    return IndexTables(id: id, tables: tables, isDerived: true)
  }

  /// Returns the tables that an index of any kind may have.
  static func all(ofIndex id: UInt32) -> [Table] {
    ordered(id).tables + vectors(id).tables + words(id).tables
  }
}

extension EntitySchema {
  /// The tables of all indexes.
  package var indexTables: [IndexTables] {
    let ofOne = properties.compactMap { property in
      property.index.map { property.hasVectorIndex ? IndexTables.vectors($0.id) : .ordered($0.id) }
    }
    return ofOne + compoundIndexes.map { .ordered($0.identity.id) }
      + fullTextIndexes.map { .words($0.identity.id) }
  }
}
