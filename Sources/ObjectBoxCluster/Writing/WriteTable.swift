internal import ObjectBox

/// A column as statements that put objects have it.
struct WriteColumn: Sendable {
  let column: Column
  /// The same without names.
  let form: ColumnForm
  /// The name in SQL, quoted.
  let name: String

  /// True for the column of the folded text.
  var isFolded: Bool { form.isFolded }

  /// Appends the value of a record in PostgreSQL's binary form; returns false for null.
  @inline(__always)
  func append(_ record: FlatBufferReader, to bytes: inout [UInt8]) -> Bool {
    form.append(record, to: &bytes)
  }
}

extension ClusterTable {
  /// The columns of properties, each followed by that of its folded text.
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

/// Properties of which no two objects have the same values.
struct UniqueValues: Sendable {
  /// The columns that are compared.
  let columns: [WriteColumn]
  /// True when a put removes the object that has the value.
  let replaces: Bool

  var properties: [PropertySchema] { columns.map(\.column.property) }

  /// Returns the condition that a row of the entity's table has the values of a row of values, as ``PutStatements``
  /// passes them; an index serves it.
  ///
  /// - Parameters:
  ///   - table: The name of the table in the statement.
  ///   - values: The name of the values.
  /// - Returns: SQL.
  func equality(_ table: String, _ values: String) -> String {
    columns.enumerated().map { index, column in
      let value = column.column.insertion("\(values).v\(index + 1)")
      return column.column.equality("\(table).\(column.name)", value)
    }.joined(separator: " AND ")
  }

  /// Returns the bytes that are the same for equal values; nil when one is null, which equals none.
  func key(of record: FlatBufferReader) -> [UInt8]? {
    var bytes: [UInt8] = []
    for index in columns.indices {
      let start = bytes.count
      guard columns[index].form.append(record, to: &bytes) else { return nil }
      bytes.append(bigEndian: UInt32(bytes.count - start))
    }
    return bytes
  }
}

/// An entity as seen by puts and removals: its columns, unique values, relations and prepared texts.
///
/// A class, since many users share its texts. It never changes.
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
  /// The to-one relations that lead to the entity, also from itself.
  let incoming: [Incoming]
  /// The standalone relations of which the entity is one end, or both.
  let relations: [RelationPairs]
  /// True when the caller may choose IDs.
  let isAssignable: Bool
  /// True when objects of the entity can refer to others or be referred to.
  let isLinked: Bool
  /// True when the removal of an object can remove others, or be restricted by others.
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
    texts = PutTexts(table: table.name, columns: columns)
    selectOne =
      "SELECT \(table.selection) FROM \(table.name) WHERE \(table.id.name) = $1"
    copy = CopyRows(table, columns)
  }

  /// SQL of puts.
  let texts: PutTexts
  /// SQL that reads one object: `$1` its ID.
  let selectOne: String
  /// COPY of new rows.
  let copy: CopyRows

  var entityID: UInt32 { table.schema.identity.id }
  var entityUID: UInt64 { table.schema.identity.uid }
  var name: String { table.schema.name }

  var replaces: Bool { uniques.contains(where: \.replaces) }

  /// True when an object can be removed without looking at others.
  var isRemovedAlone: Bool { incoming.isEmpty && !hasDeleteRules }
}

/// The entities of a cluster as puts and removals see them, and the supply of IDs.
///
/// A class, since all tasks share it.
final class WriteState: Sendable {
  let ids = IDCounters()
  /// Raises and returns the counter of an entity: `$1` its UID, `$2` an ID to be above, `$3` the number of new IDs.
  let counterSQL: String
  private let tables: [UInt32: WriteTable]
  /// The entities whose puts may remove objects that have relations.
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

  /// Returns an entity; nil when the model lacks it.
  func table(_ entity: UInt32) -> WriteTable? { tables[entity] }

  /// Returns whether a put of an object of the entity, or of one that it leads to, can replace an object that has
  /// relations, so that the put must read first.
  func mayReplaceLinked(_ entity: UInt32) -> Bool { replacing.contains(entity) }

  /// Returns the entities that are connected with one whose puts replace objects.
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
