internal import ObjectBox

/// The steps that change a database's schema to a model's schema.
///
/// Elements are identified by their UIDs. As in the embedded store, elements that the model lacks
/// are retired: their table or column gets a name with the UID, and is restored by a model with
/// that UID.
struct SchemaDifference {
  let tables: ClusterTables
  let stored: SchemaCatalogue
  /// False to leave out constraints and indexes, for example while objects are copied into the
  /// database.
  let hasConstraints: Bool
  private(set) var steps: [SchemaStep] = []

  var model: StoreSchema { tables.model }
  var namespace: String { tables.namespace }

  /// Compares the catalogue of a database with a model.
  ///
  /// - Parameters:
  ///   - stored: The catalogue.
  ///   - tables: The tables of the model.
  ///   - hasConstraints: False to leave out constraints and indexes.
  /// - Throws: ``ClusterError/schemaConflict(message:)`` when data would be lost.
  init(
    _ stored: SchemaCatalogue,
    _ tables: ClusterTables,
    hasConstraints: Bool = true
  ) throws {
    self.stored = stored
    self.tables = tables
    self.hasConstraints = hasConstraints
    try checkEntities()
    if !stored.hasNamespace { add("CREATE SCHEMA IF NOT EXISTS \(namespace)") }
    (tables.modelStatements + tables.catalogueStatements).forEach { add($0) }
    let (old, new) = (constraints(of: stored.model, stored), constraints(of: model, wanted: true))
    let kept = Set(old).intersection(new)
    for constraint in old where !kept.contains(constraint) {
      guard let entity = stored.model.entity(uid: constraint.entity) else { continue }
      add(constraint.removal(from: qualified(entity.name), in: namespace))
    }
    removeTexts()
    retire()
    makeEntities()
    for entity in model.entities { try changeColumns(of: entity) }
    for entity in model.entities { entity.relations.forEach { makePairs($0, of: entity) } }
    clearDangling(new.filter { !kept.contains($0) })
    for constraint in new where !kept.contains(constraint) { make(constraint) }
    makeTexts()
    add(tables.noting(number: stored.number + 1, isCopying: !hasConstraints))
  }

  mutating func add(_ sql: String, _ purpose: SchemaStep.Purpose = .structure) {
    steps.append(SchemaStep(sql, purpose))
  }

  mutating func add(_ step: SchemaStep) { steps.append(step) }

  func qualified(_ name: String) -> String { "\(namespace).\(name.quotedName)" }

  // MARK: Constraints

  private func constraints(of model: StoreSchema, _ stored: SchemaCatalogue) -> [TableConstraint] {
    if stored.isCopying { return [] }
    // Tables made before the extension was installed have no vector indexes yet.
    return all(of: model).filter { constraint in
      guard case .vector = constraint.kind else { return true }
      return stored.neighbors.names.contains(constraint.name)
    }
  }

  private func constraints(of model: StoreSchema, wanted: Bool) -> [TableConstraint] {
    hasConstraints ? all(of: model) : []
  }

  private func all(of model: StoreSchema) -> [TableConstraint] {
    model.entities.flatMap {
      TableConstraint.all(of: $0, in: model, hasVectors: stored.neighbors.vectors != nil)
    }
  }

  private mutating func make(_ constraint: TableConstraint) {
    let sql = constraint.creation(in: tables, stored.neighbors.vectors)
    switch constraint.kind {
    case .unique:
      let found = tables.properties(ofConstraint: constraint.name)
      let names = found?.properties.map(\.name).joined(separator: ", ") ?? ""
      add(sql, .unique("\(found?.entity.name ?? "").\(names)"))
    case .value, .target, .vector: add(sql)
    }
  }

  /// Clears to-one relations whose target no longer exists, before they get a foreign key.
  private mutating func clearDangling(_ new: [TableConstraint]) {
    for constraint in new {
      guard case .target(let target, _) = constraint.kind,
        let table = tables.table(uid: constraint.entity), let target = tables.table(uid: target),
        stored.model.entity(uid: constraint.entity) != nil
          || isRetired(entity: constraint.entity),
        let column = table.columns.first(where: {
          $0.property.identity.uid == constraint.parts.first?.property
        })
      else { continue }
      clear(column, of: table, target)
    }
  }

  mutating func clear(_ column: Column, of table: ClusterTable, _ target: ClusterTable) {
    add(
      "UPDATE \(table.name) AS source SET \(column.name) = NULL WHERE \(column.name) IS NOT NULL AND NOT EXISTS "
        + "(SELECT FROM \(target.name) AS target WHERE target.\(target.id.name) = source.\(column.name))"
    )
  }

  func isRetired(entity uid: UInt64) -> Bool {
    stored.retired.entities.contains { $0.identity.uid == uid }
  }

  // MARK: Full-text indexes

  /// Removes the columns of full-text indexes that the model lacks, or whose rules have changed.
  private mutating func removeTexts() {
    for (table, names) in stored.texts.columns where !isKept(names) {
      names.removal(from: qualified(table), in: tables).forEach { add($0) }
    }
  }

  private func isKept(_ names: TextColumnNames) -> Bool {
    // A copy begins without triggers and indexes.
    if !hasConstraints, !stored.isCopying { return false }
    return tables.allTexts.contains { $0.columns.names.words == names.words }
  }

  /// Creates the columns of full-text indexes; their words follow after the upgrade.
  private mutating func makeTexts() {
    let present = Set(stored.texts.columns.map(\.names).filter(isKept).map(\.words))
    for (table, columns) in tables.allTexts {
      let isPresent = present.contains(columns.names.words)
      if !isPresent { add(columns.creation(in: table)) }
      if hasConstraints, !isPresent || stored.isCopying {
        columns.completion(of: table, in: tables).forEach { add($0) }
      }
    }
  }

  // MARK: Retiring

  private mutating func retire() {
    for entity in stored.model.entities {
      for relation in entity.relations where !isKept(relation, of: entity) {
        let pairs = "objectbox_relation_\(relation.identity.uid)"
        let name = RetiredElements.name(relation.identity.uid)
        rename("TABLE", pairs, name)
        rename("INDEX", RelationPairs.keyName(relation.identity.uid), "\(name)_pkey")
        rename("INDEX", RelationPairs.targetIndexName(relation.identity.uid), "\(name)_target")
        add(tables.retiring(relation, of: entity))
      }
      guard let new = model.entity(uid: entity.identity.uid) else {
        rename("TABLE", entity.name, RetiredElements.name(entity.identity.uid))
        add(tables.retiring(entity))
        continue
      }
      for property in entity.properties where new.property(uid: property.identity.uid) == nil {
        // The table is renamed later.
        let column = Column(property)
        let name = RetiredElements.name(property.identity.uid)
        rename(column: property.name, to: name, in: entity.name)
        if column.foldedName != nil {
          rename(
            column: property.name + Column.foldedSuffix,
            to: name + Column.foldedSuffix,
            in: entity.name
          )
        }
        add(tables.retiring(property, of: entity))
      }
    }
  }

  private func isKept(_ relation: RelationSchema, of entity: EntitySchema) -> Bool {
    model.entity(uid: entity.identity.uid)?.relations.contains {
      $0.identity.uid == relation.identity.uid && $0.target.uid == relation.target.uid
    } ?? false
  }

  mutating func rename(_ kind: String, _ name: String, _ other: String) {
    add("ALTER \(kind) \(qualified(name)) RENAME TO \(other.quotedName)")
  }

  mutating func rename(column name: String, to other: String, in table: String) {
    add(
      "ALTER TABLE \(qualified(table)) RENAME COLUMN \(name.quotedName) TO \(other.quotedName)"
    )
  }

  // MARK: Entities and pairs

  private mutating func makeEntities() {
    var renames: [Renaming] = []
    for entity in model.entities {
      let uid = entity.identity.uid
      if let old = stored.model.entity(uid: uid) {
        renames.append(Renaming(uid: uid, from: old.name, to: entity.name))
      }
    }
    for (from, to) in Renaming.order(renames) { rename("TABLE", from, to) }
    for entity in model.entities where stored.model.entity(uid: entity.identity.uid) == nil {
      if isRetired(entity: entity.identity.uid) {
        rename("TABLE", RetiredElements.name(entity.identity.uid), entity.name)
        add(tables.restoring(entity.identity.uid))
      } else if let table = tables.table(uid: entity.identity.uid) {
        add(creation(of: table), .table(entity.name))
      }
    }
  }

  private func creation(of table: ClusterTable) -> String {
    var columns = table.columns.map { "\($0.name) \($0.kind.sql)\($0.isID ? " NOT NULL" : "")" }
    columns += table.columns.compactMap { column in
      column.foldedName.map { "\($0) \(column.kind.sql)" }
    }
    columns.append("CONSTRAINT \(table.keyName.quotedName) PRIMARY KEY (\(table.id.name))")
    return "CREATE TABLE \(table.name) (\(columns.joined(separator: ", ")))"
  }

  private mutating func makePairs(_ relation: RelationSchema, of entity: EntitySchema) {
    let uid = relation.identity.uid
    let isStored =
      stored.model.entity(uid: entity.identity.uid)?.relations.contains {
        $0.identity.uid == uid && $0.target.uid == relation.target.uid
      } ?? false
    guard !isStored, let pairs = tables.pairs(relation: relation.identity.id) else { return }
    let isRetired = stored.retired.relations.contains {
      $0.uid == uid && $0.source == entity.identity.uid && $0.target == relation.target.uid
    }
    guard isRetired else {
      add(
        "CREATE TABLE \(pairs.name) (source bigint NOT NULL, target bigint NOT NULL, "
          + "CONSTRAINT \(pairs.keyName.quotedName) PRIMARY KEY (source, target))",
        .table("objectbox_relation_\(uid)")
      )
      add("CREATE INDEX \(pairs.targetIndexName.quotedName) ON \(pairs.name) (target, source)")
      return
    }
    let name = RetiredElements.name(uid)
    rename("TABLE", name, "objectbox_relation_\(uid)")
    rename("INDEX", "\(name)_pkey", pairs.keyName)
    rename("INDEX", "\(name)_target", pairs.targetIndexName)
    add(tables.restoring(uid))
    guard let source = tables.table(uid: entity.identity.uid),
      let target = tables.table(uid: relation.target.uid)
    else { return }
    // Their objects may have been removed in the meantime.
    add(
      "DELETE FROM \(pairs.name) AS pair WHERE "
        + "NOT EXISTS (SELECT FROM \(source.name) AS object WHERE object.\(source.id.name) = pair.source) OR "
        + "NOT EXISTS (SELECT FROM \(target.name) AS object WHERE object.\(target.id.name) = pair.target)"
    )
  }
}

/// The renaming of a table or column.
struct Renaming {
  var uid: UInt64
  var from: String
  var to: String

  /// Returns the steps of renamings; elements may swap names.
  static func order(_ all: [Renaming]) -> [(from: String, to: String)] {
    let changed = all.filter { $0.from != $0.to }
    let taken = Set(changed.map(\.from))
    let waiting = changed.filter { taken.contains($0.to) }
    guard !waiting.isEmpty else { return changed.map { ($0.from, $0.to) } }
    return changed.map { ($0.from, "objectbox_moving_\($0.uid)") }
      + changed.map { ("objectbox_moving_\($0.uid)", $0.to) }
  }
}

extension StoreSchema {
  func entity(uid: UInt64) -> EntitySchema? { entities.first { $0.identity.uid == uid } }
}
