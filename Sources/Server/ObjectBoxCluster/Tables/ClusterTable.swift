package import ObjectBox

/// The table of an entity: its names and columns, computed once and shared.
package final class ClusterTable: Sendable {
  package let schema: EntitySchema
  /// The name in SQL, qualified by its schema, such as `"public"."Person"`.
  package let name: String
  /// The columns of the properties: the ID first, the others by ID.
  package let columns: [Column]
  /// The columns of the full-text indexes.
  package let texts: [TextColumns]
  /// The forms of the columns, without names.
  let forms: [ColumnForm]
  /// The fields of the value columns, in the order of the values in records.
  let rowFields: [RowField]
  /// The fixed-size part of a record whose properties are all null.
  let nullRecord: [UInt8]
  /// The columns that cannot hold every value of a record, with their indices.
  let checkedForms: [(form: ColumnForm, column: Int)]
  /// The layout of the records that bindings fill and read.
  let layout: RecordLayout
  /// The columns of a SELECT of objects, such as `"id", "name"`.
  package let selection: String
  /// The columns of a SELECT, qualified by ``queryAlias``.
  private let querySelection: String
  /// The alias of a query's first table.
  static let queryAlias = "t0"

  /// Creates the table of an entity.
  ///
  /// - Parameters:
  ///   - schema: The entity.
  ///   - namespace: The database schema of the table, quoted.
  init(_ schema: EntitySchema, in namespace: String) {
    self.schema = schema
    name = "\(namespace).\(schema.name.quotedName)"
    let columns = schema.properties.map(Column.init)
    self.columns = columns.filter(\.isID) + columns.filter { !$0.isID }
    texts = schema.fullTextIndexes.compactMap { TextColumns($0, of: schema) }
    layout = RecordLayout(of: schema)
    forms = self.columns.map { [layout] column in
      ColumnForm(column.property, layout.field(propertyID: column.property.identity.id))
    }
    rowFields = forms.enumerated().filter { !$0.element.isID }
      .sorted { $0.element.field.offset < $1.element.field.offset }
      .map { RowField($0.element, column: $0.offset) }
    nullRecord = layout.nullRecord
    checkedForms = forms.enumerated().map { ($1, $0) }.filter { $0.form.isSelective }
    selection = self.columns.map { $0.selection() }.joined(separator: ", ")
    querySelection =
      self.columns.map { $0.selection(Self.queryAlias + ".") }.joined(separator: ", ")
  }

  /// The column of the object ID.
  package var id: Column { columns[0] }

  /// Returns the column of a property; nil when the entity lacks it.
  package func column(property id: UInt32) -> Column? {
    columns.first { $0.property.identity.id == id }
  }

  /// Returns a reader of a record.
  ///
  /// - Parameters:
  ///   - record: A record of the table's layout.
  ///   - id: The ID of its object.
  ///   - view: The layout's data for readers, which loops load once.
  /// - Returns: The reader, valid while the record exists.
  /// - Throws: `ObjectBoxError.illegalState` for a record that is shorter than the layout.
  func reader(
    of record: UnsafeRawBufferPointer,
    id: UInt64,
    _ view: RecordLayout.View
  ) throws -> RecordReader {
    guard let reader = RecordReader(record: record, id: id, layout: view) else {
      throw ObjectBoxError.illegalState(
        message: "a record of '\(schema.name)' is shorter than its layout"
      )
    }
    return reader
  }

  /// Returns the columns of a SELECT of objects, qualified by the table's alias.
  package func selection(as alias: String) -> String {
    alias == Self.queryAlias
      ? querySelection : columns.map { $0.selection(alias + ".") }.joined(separator: ", ")
  }
}

/// The table of the pairs of a standalone relation, with columns `source` and `target`.
package struct RelationPairs: Sendable {
  package let schema: RelationSchema
  /// The entity of the relation's source.
  package let source: EntitySchema
  /// The name in SQL, qualified by its schema.
  package let name: String
  /// The name without its schema, not quoted.
  package let tableName: String

  init(_ schema: RelationSchema, of source: EntitySchema, in namespace: String) {
    self.schema = schema
    self.source = source
    // A relation's name may be unknown and its number may be reused; the UID is permanent.
    tableName = "objectbox_relation_\(schema.identity.uid)"
    name = "\(namespace).\(tableName.quotedName)"
  }
}

/// The tables of a model, shared by all parts of a cluster; immutable.
package final class ClusterTables: Sendable {
  package let model: StoreSchema
  /// The database schema of the tables, quoted.
  package let namespace: String
  /// The database schema of the tables, not quoted.
  package let namespaceName: String
  private let tables: [UInt32: ClusterTable]
  private let pairs: [UInt32: RelationPairs]

  /// Creates the tables of a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - namespace: The name of a schema of the database.
  init(_ model: StoreSchema, in namespace: String) {
    self.model = model
    namespaceName = namespace
    let namespace = namespace.quotedName
    self.namespace = namespace
    var tables: [UInt32: ClusterTable] = [:]
    var pairs: [UInt32: RelationPairs] = [:]
    for entity in model.entities {
      tables[entity.identity.id] = ClusterTable(entity, in: namespace)
      for relation in entity.relations {
        pairs[relation.identity.id] = RelationPairs(relation, of: entity, in: namespace)
      }
    }
    self.tables = tables
    self.pairs = pairs
  }

  /// All tables, in the order of their entities in the model.
  package var all: [ClusterTable] { model.entities.compactMap { tables[$0.identity.id] } }

  /// All tables of pairs, ordered by relation ID.
  package var allPairs: [RelationPairs] {
    pairs.values.sorted { $0.schema.identity.id < $1.schema.identity.id }
  }

  /// Returns the table of an entity; nil when the model lacks it.
  package func table(entity id: UInt32) -> ClusterTable? { tables[id] }

  /// Returns the table of an entity by its name; nil when the model lacks it.
  package func table(named name: String) -> ClusterTable? {
    model.entities.first { $0.name == name }.flatMap { tables[$0.identity.id] }
  }

  /// Returns the pairs of a standalone relation; nil when the model lacks it.
  package func pairs(relation id: UInt32) -> RelationPairs? { pairs[id] }

  /// Names of the catalogue's tables, qualified by their schema.
  package var modelTable: String { "\(namespace).\"objectbox_model\"" }
  package var idTable: String { "\(namespace).\"objectbox_ids\"" }
  package var commitTable: String { "\(namespace).\"objectbox_commits\"" }
}
