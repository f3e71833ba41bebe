internal import ObjectBox

/// A column in statements that put objects.
struct WriteColumn: Sendable {
  let column: Column
  /// The column's form, without names.
  let form: ColumnForm
  /// The name in SQL, quoted.
  let name: String

  /// True if it is a column of folded texts.
  var isFolded: Bool { form.isFolded }

  /// Appends a record's value in PostgreSQL's binary form; returns false for null.
  func append(_ record: RecordReader, to bytes: inout [UInt8]) -> Bool {
    form.append(record, to: &bytes)
  }
}

extension ClusterTable {
  /// The columns of the properties, each followed by its column of folded texts.
  var writeColumns: [WriteColumn] {
    columns.flatMap { column in
      let field = layout.field(propertyID: column.property.identity.id)
      let value = WriteColumn(
        column: column,
        form: ColumnForm(column.property, field),
        name: column.name
      )
      let folded = column.foldedName.map { name in
        WriteColumn(
          column: column,
          form: ColumnForm(column.property, field, isFolded: true),
          name: name
        )
      }
      return [value] + (folded.map { [$0] } ?? [])
    }
  }
}

/// Properties whose values no two objects may share.
struct UniqueValues: Sendable {
  /// The columns that are compared.
  let columns: [WriteColumn]
  /// True when a put removes the object that has the values.
  let replaces: Bool

  var properties: [PropertySchema] { columns.map(\.column.property) }

  /// Returns the condition that a row of the table has the unique values `values`, which an index
  /// serves.
  ///
  /// - Parameters:
  ///   - table: The table's name in the statement.
  ///   - values: The name of the values passed by ``PutStatements``.
  /// - Returns: SQL.
  func equality(_ table: String, _ values: String) -> String {
    columns.enumerated().map { index, column in
      let value = column.column.insertion("\(values).v\(index + 1)")
      return column.column.equality("\(table).\(column.name)", value)
    }.joined(separator: " AND ")
  }

  /// Returns bytes that are equal for equal values; nil when a value is null, which equals nothing.
  func key(of record: RecordReader) -> [UInt8]? {
    var bytes: [UInt8] = []
    for index in columns.indices {
      let start = bytes.count
      guard columns[index].form.append(record, to: &bytes) else { return nil }
      bytes.append(bigEndian: UInt32(bytes.count - start))
    }
    return bytes
  }
}

/// An entity for puts and removals: its columns, unique values, relations and prepared SQL;
/// immutable.
final class WriteTable: Sendable {
  /// A to-one relation that leads to the entity.
  struct Incoming: Sendable {
    var source: ClusterTable
    var column: Column
    var rule: DeleteRule
  }

  let table: ClusterTable
  let columns: [WriteColumn]
  let uniques: [UniqueValues]
  /// The to-one relations that lead to the entity, including its own.
  let incoming: [Incoming]
  /// The standalone relations with the entity at one or both ends.
  let relations: [RelationPairs]
  /// True when callers may assign IDs.
  let isAssignable: Bool
  /// True when the entity's objects can have relations in either direction.
  let isLinked: Bool
  /// True when removing an object can remove other objects, or be restricted by them.
  let hasDeleteRules: Bool

  init(_ table: ClusterTable, in tables: ClusterTables) {
    self.table = table
    let entity = table.schema
    let columns = table.writeColumns
    self.columns = columns
    func compared(_ id: UInt32) -> WriteColumn? {
      columns.first {
        $0.column.property.identity.id == id
          && $0.isFolded == ($0.column.property.collation == .nocase)
      }
    }
    let single = entity.properties.filter { $0.has(.unique) || $0.has(.uniqueOnConflictReplace) }
      .map {
        UniqueValues(
          columns: [compared($0.identity.id)].compactMap(\.self),
          replaces: $0.has(.uniqueOnConflictReplace)
        )
      }
    let compound = entity.compoundIndexes.filter(\.isUnique).map {
      UniqueValues(columns: $0.propertyIDs.compactMap(compared), replaces: false)
    }
    uniques = single + compound
    isAssignable = table.id.property.has(.idSelfAssignable)
    incoming = tables.all.flatMap { source in
      source.columns.filter {
        $0.property.type == .relation && $0.property.targetEntityName == entity.name
      }
      .map { Incoming(source: source, column: $0, rule: $0.property.onDelete) }
    }
    relations = tables.allPairs.filter {
      $0.source.identity.id == entity.identity.id || $0.schema.target.id == entity.identity.id
    }
    isLinked =
      !incoming.isEmpty || !relations.isEmpty
      || entity.properties.contains { $0.type == .relation }
    hasDeleteRules =
      incoming.contains { $0.rule != .nullify }
      || relations.contains {
        ($0.source.identity.id == entity.identity.id && $0.schema.onDelete != .nullify)
          || ($0.schema.target.id == entity.identity.id && $0.schema.onTargetDelete != .nullify)
      }
    texts = PutTexts(table: table.name, columns: columns, texts: table.texts)
    selectOne =
      "SELECT \(table.selection) FROM \(table.name) WHERE \(table.id.name) = $1"
    copy = CopyRows(table, columns)
  }

  /// The SQL of puts.
  let texts: PutTexts
  /// SQL that reads one object; `$1` is its ID.
  let selectOne: String
  /// The COPY of new rows.
  let copy: CopyRows

  var entityID: UInt32 { table.schema.identity.id }
  var entityUID: UInt64 { table.schema.identity.uid }
  var name: String { table.schema.name }

  var replaces: Bool { uniques.contains(where: \.replaces) }

  /// True if an object can be removed without checking others.
  var isRemovedAlone: Bool { incoming.isEmpty && !hasDeleteRules }
}

/// The entities of a cluster for puts and removals, and the supply of IDs.
final class WriteState: Sendable {
  let ids = IDCounters()
  /// Raises and returns an entity's counter: `$1` is its UID, `$2` an ID to exceed, `$3` the number
  /// of new IDs.
  let counterSQL: String
  private let tables: [UInt32: WriteTable]
  /// The entities whose puts may remove objects with relations.
  private let replacing: Set<UInt32>

  init(_ clusterTables: ClusterTables) {
    var tables: [UInt32: WriteTable] = [:]
    for table in clusterTables.all {
      tables[table.schema.identity.id] = WriteTable(table, in: clusterTables)
    }
    self.tables = tables
    replacing = Self.replacing(tables, in: clusterTables)
    let counter = clusterTables.idTable
    counterSQL =
      "INSERT INTO \(counter) AS c (entity, next) VALUES ($1, greatest(1, $2 + 1) + $3) "
      + "ON CONFLICT (entity) DO UPDATE SET next = greatest(c.next, $2 + 1) + $3 RETURNING next"
  }

  /// Returns the table of an entity; nil when the model lacks it.
  func table(_ entity: UInt32) -> WriteTable? { tables[entity] }

  /// Returns true if a put of the entity, or of related objects, can replace an object with
  /// relations.
  ///
  /// Such a put must read first.
  func mayReplaceLinked(_ entity: UInt32) -> Bool { replacing.contains(entity) }

  /// Returns the entities connected with an entity whose puts replace objects.
  private static func replacing(
    _ tables: [UInt32: WriteTable],
    in clusterTables: ClusterTables
  ) -> Set<UInt32> {
    var found = Set(tables.values.filter { $0.replaces && $0.isLinked }.map(\.entityID))
    var count = 0
    while count < found.count {
      count = found.count
      for table in tables.values {
        let sources = table.incoming.map(\.source.schema.identity.id)
        let ends = table.relations.flatMap { [$0.source.identity.id, $0.schema.target.id] }
        let group = Set(sources + ends + [table.entityID])
        if !group.isDisjoint(with: found) { found.formUnion(group) }
      }
    }
    return found
  }
}
