// Traits of properties that consist of several attributes or of some of the flags.

extension ModelTrait<ModelDocument.Property> {
  /// The type, merged together with the signedness of its numbers.
  static let type = Self(difference: { pair in
    let (old, new) = (pair.old, pair.new)
    guard let effect = DataEffect.ofType(old, new) else { return nil }
    let (before, after) = (PropertyWords.type(old), PropertyWords.type(new))
    return pair.difference(.propertyRetyped, before, after, "type", effect)
  }).merging("type", \.storedType) { type, _ in
    PropertyWords.type(type.type, isUnsigned: type.isUnsigned)
  }

  /// Whether the property is the ID.
  static let role = flags([.id], .propertyFlags, "role") { _, _ in
    .idChanged
  } words: {
    $0.flags.contains(.id) ? "the ID" : "a value"
  }

  static let sign = flags([.unsigned], .propertySign, "type") { old, new in
    guard old.type == new.type else { return nil }
    if new.omitsUnsignedFlag { return .signStated }
    return old.indexID != nil && new.indexID != nil ? .signIndexed : .sign
  } words: {
    PropertyWords.type($0)
  }

  /// Whether the file has the flag of unsigned numbers or the key.
  static let signForm = Self(difference: { pair in
    let (old, new) = (pair.old, pair.new)
    guard old.flags.contains(.unsigned), new.flags.contains(.unsigned), old.type == new.type,
      old.omitsUnsignedFlag != new.omitsUnsignedFlag
    else { return nil }
    func words(_ property: Node) -> String {
      (property.omitsUnsignedFlag ? "optional " : "") + PropertyWords.type(property)
    }
    return pair.difference(.propertySign, words(old), words(new), "type", .signRestated)
  })

  /// The index, merged together with the attributes that depend on it.
  static let index = Self(difference: { pair in
    let (before, after) = (PropertyWords.index(pair.old), PropertyWords.index(pair.new))
    func changed(_ kind: ModelDifference.Kind, _ effect: DataEffect) -> ModelDifference {
      pair.difference(kind, before, after, "index", effect)
    }
    switch (pair.old.indexID, pair.new.indexID) {
    case (nil, nil): return nil
    case (nil, .some): return changed(.indexAdded, .indexAdded)
    case (.some, nil): return changed(.indexRemoved, .indexRemoved)
    case (.some(let one), .some(let other)):
      if before != after { return changed(.indexChanged, .indexRebuilt) }
      guard one != other else { return nil }
      return pair.difference(.indexReplaced, "\(one)", "\(other)", "index ID", .indexRebuilt)
    }
  }).merging("index", \.indexing) { indexing, _ in indexing.words }

  static let unique = Self(difference: { pair in
    let isUnique = pair.new.isUnique
    guard pair.old.isUnique != isUnique else { return nil }
    let removed = pair.new.indexID == nil ? DataEffect.uniqueDropped : .uniqueRemoved
    return pair.difference(
      isUnique ? .uniqueAdded : .uniqueRemoved,
      PropertyWords.unique(pair.old.flags),
      PropertyWords.unique(pair.new.flags),
      "constraint",
      isUnique ? .uniqueAdded : removed
    )
  })

  static let conflictRule = flags(
    [.uniqueOnConflictReplace, .uniqueOnConflictMerge],
    .uniqueConflictRule,
    "constraint"
  ) { old, new in
    old.isUnique && new.isUnique ? .conflictRule : nil
  } words: {
    PropertyWords.unique($0.flags)
  }

  /// The property whose values fill this one.
  static let migration = Self(difference: { pair in
    let (old, new) = (pair.old.migratedFromName, pair.new.migratedFromName)
    guard pair.old.migratedFrom != pair.new.migratedFrom else { return nil }
    let effect = new == nil ? DataEffect.migrationRemoved : .migrationAdded
    return pair.difference(.propertyMigration, old, new, "migration", effect, .inText)
  }).merging("migration", \.migrationSource) { source, _ in PropertyWords.quoted(source.name) }

  /// The properties from which the function of whole objects fills this one.
  static let objectMigration = Self(difference: { pair in
    guard pair.old.migratedFromProperties != pair.new.migratedFromProperties else { return nil }
    let (old, new) = (pair.old.objectMigrationNames, pair.new.objectMigrationNames)
    let effect = new == nil ? DataEffect.migrationRemoved : .migrationAdded
    return pair.difference(.propertyMigration, old, new, "migration", effect, .inText)
  }).merging("migration", \.objectMigrationSources) { sources, _ in
    PropertyWords.quoted(sources.names.isEmpty ? nil : sources.names.joined(separator: ", "))
  }

  /// The target of a to-one relation; an entity stays the same target when it is renamed.
  static let target = Self(difference: { pair in
    let (old, new) = (pair.old.relationTarget, pair.new.relationTarget)
    let before = pair.before.model.entities[name: old]?.id.uid
    guard old != new, before == nil || before != pair.after.model.entities[name: new]?.id.uid
    else { return nil }
    return pair.difference(.propertyTarget, old, new, "target", .toOneTarget, .always)
  }).merging("target", \.relationTarget) { target, names in
    PropertyWords.quoted(TargetNames.name(of: target, in: names))
  }

  /// The flags without a trait of their own.
  static let otherFlags = flags(others, .propertyFlags, "other flags") { _, _ in
    .notStored
  } words: {
    FlagNames.words(of: $0.flags.intersection(others))
  }.merging(flags: \.flags, except: IndexTrait.flags.union(.unsigned))

  private static let others = PropertyFlags(rawValue: .max)
    .subtracting(IndexTrait.flags.union([.id, .unsigned]))

  /// Makes a trait of several flags; `effect` returns nil for a change that another trait reports.
  private static func flags(
    _ flags: PropertyFlags,
    _ kind: ModelDifference.Kind,
    _ subject: String,
    effect: @escaping @Sendable (Node, Node) -> DataEffect?,
    words: @escaping @Sendable (Node) -> String
  ) -> Self {
    Self(difference: { pair in
      let (old, new) = (pair.old, pair.new)
      let isSame = old.flags.intersection(flags) == new.flags.intersection(flags)
      guard !isSame, let effect = effect(old, new) else { return nil }
      return pair.difference(kind, words(old), words(new), subject, effect)
    })
  }
}

extension ModelPair<ModelDocument.Property> {
  /// True when another property took over the old ID.
  var isIDTaken: Bool {
    after.owner?.properties.contains { $0.id.id == old.id.id } ?? false
  }
}

extension ModelDocument.Property: ExternallyNamed {
  static let externalKind = ModelDifference.Kind.propertyExternal

  package func life(in side: ModelSide) -> ElementLife {
    let type = PropertyWords.type(self)
    return ElementLife(
      words: type,
      novelty: "of type \(type)",
      added: (.propertyAdded, .propertyAdded),
      removed: (.propertyRemoved, .propertyRemoved),
      replaced: .propertyReplaced,
      reset: .propertyReset
    )
  }

  fileprivate var isUnique: Bool {
    !flags.isDisjoint(with: [.unique, .uniqueOnConflictReplace])
  }

  fileprivate var storedType: StoredType {
    get {
      StoredType(
        type: type,
        isUnsigned: flags.contains(.unsigned),
        omitsUnsignedFlag: omitsUnsignedFlag
      )
    }
    set {
      type = newValue.type
      omitsUnsignedFlag = newValue.omitsUnsignedFlag
      flags.subtract(.unsigned)
      if newValue.isUnsigned { flags.insert(.unsigned) }
    }
  }

  fileprivate var migrationSource: MigrationSource {
    get { MigrationSource(id: migratedFrom, name: migratedFromName, type: migratedFromType) }
    set {
      (migratedFrom, migratedFromName, migratedFromType) = (
        newValue.id, newValue.name, newValue.type
      )
    }
  }

  /// The names of the old properties with commas; nil without a migration of whole objects.
  fileprivate var objectMigrationNames: String? {
    migratedFromNames.isEmpty ? nil : migratedFromNames.joined(separator: ", ")
  }

  fileprivate var objectMigrationSources: ObjectMigrationSources {
    get {
      ObjectMigrationSources(
        ids: migratedFromProperties,
        names: migratedFromNames,
        types: migratedFromTypes
      )
    }
    set {
      (migratedFromProperties, migratedFromNames, migratedFromTypes) = (
        newValue.ids, newValue.names, newValue.types
      )
    }
  }

  fileprivate var indexing: IndexTrait {
    get {
      IndexTrait(
        hasIndex: indexID != nil,
        flags: flags.intersection(IndexTrait.flags),
        collation: collation
      )
    }
    set {
      // The merge chooses the ID later.
      indexID = newValue.hasIndex ? indexID ?? ModelID.none : nil
      flags = flags.subtracting(IndexTrait.flags).union(newValue.flags)
      collation = newValue.collation
    }
  }
}

/// The stored form of values.
private struct StoredType: Hashable {
  var type: UInt16?
  var isUnsigned: Bool
  var omitsUnsignedFlag: Bool
}

/// The old property of a migration.
private struct MigrationSource: Hashable {
  var id: ModelID?
  var name: String?
  var type: UInt16?
}

/// The old properties of a migration of whole objects.
private struct ObjectMigrationSources: Hashable {
  var ids: [ModelID]
  var names: [String]
  var types: [UInt16]
}

/// An index of a property and its uniqueness, which depend on each other.
private struct IndexTrait: Hashable {
  static let flags: PropertyFlags = [
    .indexed, .indexHash, .indexHash64, .indexPartialSkipNull, .indexPartialSkipZero, .unique,
    .uniqueOnConflictReplace, .uniqueOnConflictMerge,
  ]

  var hasIndex: Bool
  var flags: PropertyFlags
  var collation: SchemaCollation?

  var words: String {
    var property = ModelDocument.Property()
    property.indexing = self
    return "'\(PropertyWords.index(property)), \(PropertyWords.unique(flags))'"
  }
}
