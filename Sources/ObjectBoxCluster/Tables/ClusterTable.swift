internal import ObjectBox

/// The table of an entity.
///
/// A class, since many users share its texts. It never changes.
final class ClusterTable: Sendable {
  let schema: EntitySchema
  /// The name in SQL, with that of the schema, such as `"public"."Person"`.
  let name: String
  /// The columns of the properties, the ID first, the others by ID.
  let columns: [Column]
  /// The same columns without their names.
  let forms: [ColumnForm]
  /// The columns of values in the order in which records have the values.
  let rowFields: [RowField]
  /// The part of fixed size of a record in which every property is null.
  let nullRecord: [UInt8]
  /// The columns that cannot hold every value that a record can, with their numbers.
  let checkedForms: [(form: ColumnForm, column: Int)]
  /// The layout of the records that bindings fill and read.
  let layout: RecordLayout
  /// The columns for reading objects, such as `"id", "name"`.
  let selection: String
  /// The same in queries, with the name that these give their first table.
  private let querySelection: String
  /// The name of the first table of a query.
  static let queryAlias = "t0"

  /// Makes the table of an entity.
  ///
  /// - Parameters:
  ///   - schema: The entity.
  ///   - namespace: The schema of the database that has the table, quoted.
  init(_ schema: EntitySchema, in namespace: String) {
    self.schema = schema
    name = "\(namespace).\(schema.name.quotedName)"
    let columns = schema.properties.map(Column.init)
    self.columns = columns.filter(\.isID) + columns.filter { !$0.isID }
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
  var id: Column { columns[0] }

  /// Returns the column of a property; nil when the entity lacks it.
  func column(property id: UInt32) -> Column? { columns.first { $0.property.identity.id == id } }

  /// Returns a reader of a record.
  ///
  /// - Parameters:
  ///   - record: A record of the table's layout.
  ///   - id: The ID of its object.
  ///   - view: The reader's part of the layout, which loops load once.
  /// - Returns: The reader, which is valid as long as the record.
  /// - Throws: `ObjectBoxError.illegalState` for a record that is shorter than the layout.
  @inline(__always)
  func reader(
    of record: UnsafeRawBufferPointer,
    id: UInt64,
    _ view: RecordLayout.View
  ) throws -> FlatBufferReader {
    guard let reader = FlatBufferReader(record: record, id: id, layout: view) else {
      throw ObjectBoxError.illegalState(
        message: "a record of '\(schema.name)' is shorter than its layout"
      )
    }
    return reader
  }

  /// Returns the columns for reading objects by the name that the table has in a statement.
  func selection(as alias: String) -> String {
    alias == Self.queryAlias
      ? querySelection : columns.map { $0.selection(alias + ".") }.joined(separator: ", ")
  }
}

/// The table of the pairs of a standalone relation, with columns `source` and `target`.
struct RelationPairs: Sendable {
  let schema: RelationSchema
  /// The entity that has the relation.
  let source: EntitySchema
  /// The name in SQL, with that of the schema.
  let name: String
  /// The name alone.
  let tableName: String

  init(_ schema: RelationSchema, of source: EntitySchema, in namespace: String) {
    self.schema = schema
    self.source = source
    // The name of a relation may be unknown, and its number may be given again; its UID is not.
    tableName = "objectbox_relation_\(schema.identity.uid)"
    name = "\(namespace).\(tableName.quotedName)"
  }
}

/// The tables of a model.
///
/// A class, since all parts of a cluster share it. It never changes.
final class ClusterTables: Sendable {
  let model: StoreSchema
  /// The schema of the database that has the tables, quoted.
  let namespace: String
  /// The same without quotes.
  let namespaceName: String
  private let tables: [UInt32: ClusterTable]
  private let pairs: [UInt32: RelationPairs]

  /// Makes the tables of a model.
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

  /// All tables, by the IDs of their entities.
  var all: [ClusterTable] { model.entities.compactMap { tables[$0.identity.id] } }

  /// All tables of pairs, by the IDs of the relations.
  var allPairs: [RelationPairs] {
    pairs.values.sorted { $0.schema.identity.id < $1.schema.identity.id }
  }

  /// Returns the table of an entity; nil when the model lacks it.
  func table(entity id: UInt32) -> ClusterTable? { tables[id] }

  /// Returns the table of an entity by its name; nil when the model lacks it.
  func table(named name: String) -> ClusterTable? {
    model.entities.first { $0.name == name }.flatMap { tables[$0.identity.id] }
  }

  /// Returns the pairs of a standalone relation; nil when the model lacks it.
  func pairs(relation id: UInt32) -> RelationPairs? { pairs[id] }

  /// Names of the tables that hold no entity, with that of the schema.
  var modelTable: String { "\(namespace).\"objectbox_model\"" }
  var idTable: String { "\(namespace).\"objectbox_ids\"" }
  var commitTable: String { "\(namespace).\"objectbox_commits\"" }
}
