internal import ObjectBox

extension SchemaDifference {
  /// Renames, restores, adds and changes the columns of an entity whose table existed before.
  mutating func changeColumns(of entity: EntitySchema) throws {
    let uid = entity.identity.uid
    guard
      let old = stored.model.entity(uid: uid)
        ?? stored.retired.entities.first(where: { $0.identity.uid == uid }),
      let table = tables.table(uid: uid)
    else { return }
    let lost = stored.retired.properties.filter { $0.entity == uid }.map(\.schema)
    if isRetired(entity: uid) { retireColumns(of: old, absentFrom: entity) }
    var renames: [Renaming] = []
    for property in entity.properties {
      guard let before = old.property(uid: property.identity.uid) else { continue }
      renames += Self.renamings(of: before, from: before.name, to: property.name)
    }
    for (from, to) in Renaming.order(renames) { rename(column: from, to: to, in: entity.name) }
    var added: Set<UInt32> = []
    for column in table.columns {
      let property = column.property
      let present = old.property(uid: property.identity.uid)
      let before = present ?? lost.first { $0.identity.uid == property.identity.uid }
      guard let before else {
        added.insert(property.identity.id)
        add("ALTER TABLE \(table.name) ADD COLUMN \(column.name) \(column.kind.sql)")
        if let folded = column.foldedName {
          add("ALTER TABLE \(table.name) ADD COLUMN \(folded) \(column.kind.sql)")
        }
        continue
      }
      if present == nil {
        for renaming in Self.renamings(
          of: before,
          from: RetiredElements.name(property.identity.uid),
          to: property.name
        ) {
          rename(column: renaming.from, to: renaming.to, in: entity.name)
        }
        add(tables.restoring(property.identity.uid))
      }
      try retype(column, of: table, from: before)
      // Targets may have been removed while the relation was retired.
      if present == nil || isRetired(entity: uid), property.type == .relation,
        let target = model.entities.first(where: { $0.name == property.targetEntityName }),
        let target = tables.table(uid: target.identity.uid)
      {
        clear(column, of: table, target)
      }
    }
    let migrations = entity.migrations(filling: added)
    let object = entity.objectMigration(filling: added)
    guard !migrations.isEmpty || object != nil else { return }
    let kept = entity.properties.filter { !added.contains($0.identity.id) }
    let migration = try ColumnMigration(
      migrations,
      object.map { .init($0, keeping: kept, in: model) },
      of: entity,
      before: stored.model.entity(uid: uid),
      in: namespace
    ) { source in
      let uid = source.identity.uid
      if let kept = entity.property(uid: uid) { return kept }
      var gone = old.property(uid: uid) ?? lost.first { $0.identity.uid == uid }
      gone?.name = RetiredElements.name(uid)
      return gone
    }
    add(SchemaStep(migration, MigrationBatches(migration, after: stored.number, in: tables)))
  }

  /// Retires columns that the new version of a restored entity lacks.
  private mutating func retireColumns(of old: EntitySchema, absentFrom new: EntitySchema) {
    for property in old.properties where new.property(uid: property.identity.uid) == nil {
      let name = RetiredElements.name(property.identity.uid)
      for renaming in Self.renamings(of: property, from: property.name, to: name) {
        rename(column: renaming.from, to: renaming.to, in: new.name)
      }
      add(tables.retiring(property, of: old))
    }
  }

  /// The renamings of a property's column, and of its column of folded texts.
  private static func renamings(
    of property: PropertySchema,
    from: String,
    to: String
  ) -> [Renaming] {
    let uid = property.identity.uid
    guard Column(property).foldedName != nil else {
      return [Renaming(uid: uid, from: from, to: to)]
    }
    return [
      Renaming(uid: uid, from: from, to: to),
      // Swaps need a separate temporary name; no UID is as high.
      Renaming(
        uid: uid | 1 << 63,
        from: from + Column.foldedSuffix,
        to: to + Column.foldedSuffix
      ),
    ]
  }

  private mutating func retype(
    _ column: Column,
    of table: ClusterTable,
    from before: PropertySchema
  ) throws {
    let title = "\(table.schema.name).\(column.property.name)"
    guard let change = TypeChange(from: before, to: column.property, column: column.name) else {
      let advice = column.property.adviceOnRetyping(
        from: before.type,
        named: before.name,
        in: table.schema
      )
      throw ClusterError.schemaConflict(
        message:
          "'\(title)' is stored as \(before.typeName) and the model says \(column.property.typeName), which "
          + "could lose values; \(advice)"
      )
    }
    if case .retype(let expression) = change {
      add(
        "ALTER TABLE \(table.name) ALTER COLUMN \(column.name) TYPE \(column.kind.sql) USING \(expression)",
        .retype(title, from: before.typeName, to: column.property.typeName)
      )
    }
    let hadFolded = Column(before).foldedName != nil
    if let folded = column.foldedName, !hadFolded {
      add("ALTER TABLE \(table.name) ADD COLUMN \(folded) \(column.kind.sql)")
      add(
        SchemaStep(folding: column.name, to: folded, of: table.name, id: table.id.name)
      )
    } else if column.foldedName == nil, hadFolded {
      let folded = (column.property.name + Column.foldedSuffix).quotedName
      add("ALTER TABLE \(table.name) DROP COLUMN \(folded)")
    }
  }

  // MARK: Checks

  /// Refuses a model that is not a version of the stored model.
  func checkEntities() throws {
    for entity in model.entities {
      let uid = entity.identity.uid
      let old =
        stored.model.entity(uid: uid)
        ?? stored.retired.entities.first { $0.identity.uid == uid }
      try checkHomes(of: entity)
      guard let old else { continue }
      let before = old.properties.first { $0.has(.id) }
      let id = entity.properties.first { $0.has(.id) }
      if let before, let id, before.identity.uid != id.identity.uid {
        throw conflict(
          "the ID of '\(entity.name)' is '\(before.name)' in the database and '\(id.name)' in the model; restore "
            + "the model file from version control"
        )
      }
      for property in entity.properties where property.type == .relation {
        guard let before = old.property(uid: property.identity.uid),
          let from = stored.model.entities.first(where: { $0.name == before.targetEntityName }),
          let to = model.entities.first(where: { $0.name == property.targetEntityName }),
          from.identity.uid != to.identity.uid
        else { continue }
        throw conflict(
          "'\(entity.name).\(property.name)' leads to '\(from.name)' in the database and to '\(to.name)' in the "
            + "model; to start anew without the stored relation, annotate the property with `objectbox: uid` and "
            + "follow what the generator says"
        )
      }
      for relation in entity.relations { try checkEnds(of: relation, entity) }
    }
  }

  /// Refuses a property that belongs to another entity in the database, since its values would be lost.
  private func checkHomes(of entity: EntitySchema) throws {
    for property in entity.properties {
      let uid = property.identity.uid
      let home = stored.model.entities.first { $0.property(uid: uid) != nil }
      guard let home, home.identity.uid != entity.identity.uid else { continue }
      throw conflict(
        "the property '\(entity.name).\(property.name)' has the UID \(uid), which is that of a property of "
          + "'\(home.name)' in the database; restore the model file from version control"
      )
    }
  }

  private func checkEnds(of relation: RelationSchema, _ entity: EntitySchema) throws {
    let uid = relation.identity.uid
    for old in stored.model.entities {
      for before in old.relations where before.identity.uid == uid {
        let isSame =
          old.identity.uid == entity.identity.uid && before.target.uid == relation.target.uid
        // The pairs of objects that still exist would be lost.
        guard !isSame, model.entity(uid: old.identity.uid) != nil,
          model.entity(uid: before.target.uid) != nil
        else { continue }
        throw conflict(
          "the relation with the UID \(uid) leads from '\(old.name)' elsewhere in the database than from "
            + "'\(entity.name)' in the model; to start anew without the stored relation, annotate it with "
            + "`objectbox: uid` and follow what the generator says"
        )
      }
    }
  }

  private func conflict(_ text: String) -> ClusterError {
    .schemaConflict(message: "cannot use the schema \(namespace): \(text)")
  }
}

extension PropertySchema {
  /// The type's name in messages.
  fileprivate var typeName: String {
    let kind = ColumnKind(self)
    let name = "\(type)"
    if kind == .uuid || kind == .numeric { return "\(name) (\(kind.sql))" }
    return has(.unsigned) ? "unsigned \(name)" : name
  }
}
