internal import ObjectBox

extension TableConstraint {
  /// The statement that makes it, once the tables are those of the model.
  ///
  /// - Parameters:
  ///   - tables: The tables of the model.
  ///   - vectors: The extension of the server; nil without one, when no constraint needs it.
  /// - Returns: SQL.
  func creation(in tables: ClusterTables, _ vectors: VectorExtension?) -> String {
    guard let table = tables.table(uid: entity) else { return "" }
    let name = name.quotedName
    func list(_ order: String) -> String {
      parts.map { $0.sql(table, order) }.joined(separator: ", ")
    }
    let alter = "ALTER TABLE \(table.name) ADD CONSTRAINT \(name) "
    switch kind {
    case .unique: return "CREATE UNIQUE INDEX \(name) ON \(table.name) (\(list("")))"
    case .uniqueConstraint: return ""
    case .value:
      // Queries order nulls first, and by ID at last.
      return "CREATE INDEX \(name) ON \(table.name) (\(list(" NULLS FIRST")), \(table.id.name))"
    case .hash:
      return "CREATE INDEX \(name) ON \(table.name) USING hash (\(list("")))"
    case .target(let target, let rule):
      guard let target = tables.table(uid: target) else { return "" }
      // At the commit, since objects may be stored before their targets. 'NO ACTION' refuses then, 'RESTRICT' would
      // at once.
      return alter
        + "FOREIGN KEY (\(list(""))) REFERENCES \(target.name) (\(target.id.name)) "
        + "ON DELETE \(rule == .cascade ? "CASCADE" : "NO ACTION") DEFERRABLE INITIALLY DEFERRED"
    case .vector(let hnsw):
      guard let vectors else { return "" }
      return "CREATE INDEX \(name) ON \(table.name) USING hnsw "
        + "(\(vectors.vector(list(""), hnsw)) \(vectors.operatorClass(hnsw)))\(hnsw.indexOptions)"
    }
  }

  /// Returns the statement that removes it.
  ///
  /// - Parameters:
  ///   - table: The present name of the table, with that of the schema.
  ///   - namespace: The schema, quoted.
  /// - Returns: SQL.
  func removal(from table: String, in namespace: String) -> String {
    isConstraint
      ? "ALTER TABLE \(table) DROP CONSTRAINT IF EXISTS \(name.quotedName)"
      : "DROP INDEX IF EXISTS \(namespace).\(name.quotedName)"
  }
}

extension TableConstraint.Part {
  /// The part in a definition.
  fileprivate func sql(_ table: ClusterTable, _ order: String) -> String {
    let column = table.columns.first { $0.property.identity.uid == property }
    let name = column.flatMap { isFolded ? $0.foldedName : $0.name } ?? ""
    return form.sql(name, self.column) + order
  }
}

extension TableConstraint.Part.Form {
  /// The expression that is indexed.
  ///
  /// All functions in it are immutable, as indexes need: a text becomes bytes by its escaped form, since
  /// `convert_to` is not.
  fileprivate func sql(_ name: String, _ kind: ColumnKind) -> String {
    switch self {
    case .whole: name
    case .beginning(let length): "(\(Self.beginning(of: name, kind, length)))"
    case .digest where kind == .text: #"(sha256(replace(\#(name), '\', '\\')::bytea))"#
    case .digest where kind == .bytes: "(sha256(\(name)))"
    // Of 64 bits each, which may meet.
    case .digest:
      "(int8send(hash_array_extended(\(name), 1)) || int8send(hash_array_extended(\(name), 2)))"
    }
  }

  fileprivate static func beginning(of name: String, _ kind: ColumnKind, _ length: Int) -> String {
    kind == .text ? "left(\(name), \(length))" : "substring(\(name), 1, \(length))"
  }
}

extension Column {
  /// The expression that a value index orders the column by before the value itself, such as `left("name", 200)`.
  ///
  /// Only the beginnings of texts and bytes fit in a B-tree. A condition on the value is served when the same one is
  /// asked of the beginnings as well, with `<=` and `>=` instead of `<` and `>`; an order when it begins with them.
  ///
  /// - Parameters:
  ///   - value: The column or a parameter, as it stands in the statement.
  ///   - isFolded: True when it is the folded text; the index has that one where case does not count.
  /// - Returns: Nil when no value index has beginnings of this column.
  func indexedBeginning(of value: String, isFolded: Bool) -> String? {
    guard property.index != nil, property.hnsw == nil, kind == .text || kind == .bytes,
      !property.has(.indexHash), !property.has(.indexHash64),
      isFolded == (property.collation == .nocase && kind == .text)
    else { return nil }
    return TableConstraint.Part.Form.beginning(of: value, kind, TableConstraint.beginning)
  }
}

extension ClusterTables {
  /// Returns the table of an entity by its UID; nil when the model lacks it.
  func table(uid: UInt64) -> ClusterTable? {
    model.entities.first { $0.identity.uid == uid }.flatMap { table(entity: $0.identity.id) }
  }
}

extension Column {
  /// True when a unique index has digests of the values, or of the folded ones where case does not count.
  private func hasDigest(isFolded: Bool) -> Bool {
    (property.has(.unique) || property.has(.uniqueOnConflictReplace)) && !kind.isShort
      && isFolded == (property.collation == .nocase && kind == .text)
  }

  /// Returns the condition that a column is equal to a value, as a unique index serves it.
  ///
  /// - Parameters:
  ///   - name: The column as it stands in the statement; that of the folded texts where the index has these.
  ///   - value: The value in SQL, of the same type.
  /// - Returns: SQL.
  func equality(_ name: String, _ value: String) -> String {
    guard !kind.isShort else { return "\(name) = \(value)" }
    let form = TableConstraint.Part.Form.digest
    return "(\(name) = \(value) AND \(form.sql(name, kind)) = \(form.sql(value, kind)))"
  }

  /// Returns a comparison with a value that an index serves.
  ///
  /// Entries of B-trees have room for the beginnings of texts and bytes only, or for digests: the index is asked for
  /// these, and the values decide. Where no index has them it is the comparison alone.
  ///
  /// - Parameters:
  ///   - name: The column as it stands in the statement.
  ///   - comparison: `=`, `<>`, `<`, `<=`, `>` or `>=`.
  ///   - value: The other side in SQL.
  ///   - isFolded: True when both are folded texts.
  /// - Returns: SQL.
  func comparison(
    _ name: String,
    _ comparison: String,
    _ value: String,
    isFolded: Bool = false
  ) -> String {
    if comparison == "=", hasDigest(isFolded: isFolded) { return equality(name, value) }
    let whole = "\(name) \(comparison) \(value)"
    guard comparison != "<>", let beginning = indexedBeginning(of: name, isFolded: isFolded),
      let bound = indexedBeginning(of: value, isFolded: isFolded)
    else { return whole }
    let included = comparison == "<" ? "<=" : comparison == ">" ? ">=" : comparison
    return "(\(whole) AND \(beginning) \(included) \(bound))"
  }

  /// Returns the condition that the value is one of an array, as an index serves it.
  func isOne(of array: String, _ name: String, isFolded: Bool = false) -> String {
    let whole = "\(name) = ANY(\(array))"
    if hasDigest(isFolded: isFolded) {
      let form = TableConstraint.Part.Form.digest
      return "(\(whole) AND \(form.sql(name, kind)) = "
        + "ANY(ARRAY(SELECT \(form.sql("v", kind)) FROM unnest(\(array)) AS v)))"
    }
    guard let beginning = indexedBeginning(of: name, isFolded: isFolded),
      let bound = indexedBeginning(of: "v", isFolded: isFolded)
    else { return whole }
    return "(\(whole) AND \(beginning) = ANY(ARRAY(SELECT \(bound) FROM unnest(\(array)) AS v)))"
  }
}
