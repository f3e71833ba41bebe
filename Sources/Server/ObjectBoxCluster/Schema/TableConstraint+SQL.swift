internal import ObjectBox

extension TableConstraint {
  /// The statement that creates the constraint; the tables must already match the model.
  ///
  /// - Parameters:
  ///   - tables: The tables of the model.
  ///   - vectors: The server's extension; may be nil when no constraint needs it.
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
    case .value:
      // Queries order nulls first, and equal values by ID.
      return "CREATE INDEX \(name) ON \(table.name) (\(list(" NULLS FIRST")), \(table.id.name))"
    case .target(let target, let rule):
      guard let target = tables.table(uid: target) else { return "" }
      // Checked at the commit, since objects may be stored before their targets. 'NO ACTION' refuses at the commit;
      // 'RESTRICT' would refuse at once.
      return alter
        + "FOREIGN KEY (\(list(""))) REFERENCES \(target.name) (\(target.id.name)) "
        + "ON DELETE \(rule == .cascade ? "CASCADE" : "NO ACTION") DEFERRABLE INITIALLY DEFERRED"
    case .vector(let hnsw):
      guard let vectors else { return "" }
      return "CREATE INDEX \(name) ON \(table.name) USING hnsw "
        + "(\(vectors.vector(list(""), hnsw)) \(vectors.operatorClass(hnsw)))\(hnsw.indexOptions)"
    }
  }

  /// Returns the statement that drops the constraint.
  ///
  /// - Parameters:
  ///   - table: The table's current name, qualified by its schema.
  ///   - namespace: The schema, quoted.
  /// - Returns: SQL.
  func removal(from table: String, in namespace: String) -> String {
    isConstraint
      ? "ALTER TABLE \(table) DROP CONSTRAINT IF EXISTS \(name.quotedName)"
      : "DROP INDEX IF EXISTS \(namespace).\(name.quotedName)"
  }
}

extension TableConstraint.Part {
  /// The SQL of this part of the key.
  fileprivate func sql(_ table: ClusterTable, _ order: String) -> String {
    let column = table.columns.first { $0.property.identity.uid == property }
    let name = column.flatMap { isFolded ? $0.foldedName : $0.name } ?? ""
    return form.sql(name, self.column) + order
  }
}

extension TableConstraint.Part.Form {
  /// The indexed expression.
  ///
  /// Indexes require immutable functions. A text becomes bytes by an escaped cast, since
  /// `convert_to` is not immutable.
  fileprivate func sql(_ name: String, _ kind: ColumnKind) -> String {
    switch self {
    case .whole: name
    case .beginning(let length): "(\(Self.beginning(of: name, kind, length)))"
    case .hash where kind == .text: "(hashtextextended(\(name), 0))"
    case .digest where kind == .text: #"(sha256(replace(\#(name), '\', '\\')::bytea))"#
    case .digest where kind == .bytes, .hash where kind == .bytes: "(sha256(\(name)))"
    // Two 64-bit hashes, which may collide.
    case .digest, .hash:
      "(int8send(hash_array_extended(\(name), 1)) || int8send(hash_array_extended(\(name), 2)))"
    }
  }

  fileprivate static func beginning(of name: String, _ kind: ColumnKind, _ length: Int) -> String {
    kind == .text ? "left(\(name), \(length))" : "substring(\(name), 1, \(length))"
  }
}

extension Column {
  /// The leading expression by which a value index orders the column, such as `left("name", 200)`.
  ///
  /// An entry of a B-tree has room only for the beginnings of texts and bytes. The index serves a condition that also
  /// compares the beginnings, with `<=` and `>=` instead of `<` and `>`, and an order that starts with the beginnings.
  ///
  /// - Parameters:
  ///   - value: The column or a parameter, as written in the statement.
  ///   - isFolded: True for folded texts; an index that ignores case has only these.
  /// - Returns: Nil when no value index has beginnings of this column.
  func indexedBeginning(of value: String, isFolded: Bool) -> String? {
    guard property.index != nil, property.hnsw == nil, kind == .text || kind == .bytes,
      !property.isHashed, isFolded == (property.collation == .nocase && kind == .text)
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
  /// Returns the hashes of the values in an index, or of the folded values if it ignores case; nil without such an
  /// index.
  private func hashes(isFolded: Bool) -> TableConstraint.Part.Form? {
    guard !kind.isShort, isFolded == (property.collation == .nocase && kind == .text) else {
      return nil
    }
    if property.has(.unique) || property.has(.uniqueOnConflictReplace) { return .digest }
    return property.index != nil && property.hnsw == nil && property.isHashed ? .hash : nil
  }

  /// Returns the condition that a column equals a value, in the form that a unique index serves.
  ///
  /// - Parameters:
  ///   - name: The column as written in the statement; the folded column if the index has folded
  ///     texts.
  ///   - value: The value in SQL, of the same type.
  /// - Returns: SQL.
  package func equality(_ name: String, _ value: String) -> String {
    kind.isShort ? "\(name) = \(value)" : equality(name, value, by: .digest)
  }

  private func equality(
    _ name: String,
    _ value: String,
    by form: TableConstraint.Part.Form
  ) -> String {
    "(\(name) = \(value) AND \(form.sql(name, kind)) = \(form.sql(value, kind)))"
  }

  /// Returns a comparison with a value, in the form that an index serves.
  ///
  /// An entry of a B-tree has room only for the beginnings of texts and bytes, or for hashes. The index compares these,
  /// then the values decide. Without such an index, only the values are compared.
  ///
  /// - Parameters:
  ///   - name: The column as written in the statement.
  ///   - comparison: `=`, `<>`, `<`, `<=`, `>` or `>=`.
  ///   - value: The other side in SQL.
  ///   - isFolded: True when both sides are folded texts.
  /// - Returns: SQL.
  package func comparison(
    _ name: String,
    _ comparison: String,
    _ value: String,
    isFolded: Bool = false
  ) -> String {
    if comparison == "=", let form = hashes(isFolded: isFolded) {
      return equality(name, value, by: form)
    }
    let whole = "\(name) \(comparison) \(value)"
    guard comparison != "<>", let beginning = indexedBeginning(of: name, isFolded: isFolded),
      let bound = indexedBeginning(of: value, isFolded: isFolded)
    else { return whole }
    let included = comparison == "<" ? "<=" : comparison == ">" ? ">=" : comparison
    return "(\(whole) AND \(beginning) \(included) \(bound))"
  }

  /// Returns the condition that an array contains the value, in the form that an index serves.
  func isOne(of array: String, _ name: String, isFolded: Bool = false) -> String {
    let whole = "\(name) = ANY(\(array))"
    if let form = hashes(isFolded: isFolded) {
      return "(\(whole) AND \(form.sql(name, kind)) = "
        + "ANY(ARRAY(SELECT \(form.sql("v", kind)) FROM unnest(\(array)) AS v)))"
    }
    guard let beginning = indexedBeginning(of: name, isFolded: isFolded),
      let bound = indexedBeginning(of: "v", isFolded: isFolded)
    else { return whole }
    return "(\(whole) AND \(beginning) = ANY(ARRAY(SELECT \(bound) FROM unnest(\(array)) AS v)))"
  }
}
