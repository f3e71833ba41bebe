/// Compares two versions of one property.
struct PropertyComparison {
  let old: ModelDocument.Property
  let new: ModelDocument.Property
  /// The new version of the owner.
  let entity: ModelDocument.Entity
  let oldTarget: ModelDocument.Entity?
  let newTarget: ModelDocument.Entity?

  /// The types whose stored bytes mean the same; the runtime's `SchemaChecks` decides.
  private static let families: [Set<UInt16>] = [
    [PropertyType.byteVector.rawValue, PropertyType.flex.rawValue],
    [PropertyType.short.rawValue, PropertyType.char.rawValue],
  ]
  /// What other differences than ``ModelDifference/Kind/propertyFlags`` tell.
  private static let toldFlags: PropertyFlags = PropertyWords.indexKindFlags.union([
    .id, .indexed, .unsigned, .unique, .uniqueOnConflictReplace,
  ])

  var differences: [ModelDifference] {
    [
      name, number, type, idRole, sign, index, unique, conflictRule, target, flags, external,
      deleteRule,
    ].compactMap { $0 }
  }

  private func difference(
    _ kind: ModelDifference.Kind,
    _ before: String?,
    _ after: String?,
    _ subject: String,
    _ effect: DataEffect
  ) -> ModelDifference {
    ModelDifference(
      kind: kind,
      entity: entity.name,
      element: new.name,
      uid: new.id.uid,
      before: before,
      after: after,
      text: "the \(subject) of property '\(new.name)' of entity '\(entity.name)' was "
        + "\(before ?? "none"), and is \(after ?? "none")",
      consequence: effect
    )
  }

  private var name: ModelDifference? {
    guard old.name != new.name else { return nil }
    return difference(.propertyRenamed, "'\(old.name)'", "'\(new.name)'", "name", DataEffect.name)
  }

  private var number: ModelDifference? {
    guard old.id.id != new.id.id else { return nil }
    let isTaken = entity.properties.contains { $0.id.id == old.id.id }
    return difference(
      .propertyMoved,
      "\(old.id.id)",
      "\(new.id.id)",
      "ID",
      isTaken ? DataEffect.propertyReplaced : DataEffect.propertyMoved
    )
  }

  private var type: ModelDifference? {
    guard old.type != new.type else { return nil }
    let effect: DataEffect
    if let before = old.type, let after = new.type {
      let meansSame = Self.families.contains { $0.contains(before) && $0.contains(after) }
      effect = meansSame ? DataEffect.sameBytes : DataEffect.retyped
    } else {
      effect = DataEffect.typeFromProgram
    }
    return difference(
      .propertyRetyped,
      PropertyWords.type(old),
      PropertyWords.type(new),
      "type",
      effect
    )
  }

  private var idRole: ModelDifference? {
    guard old.flags.contains(.id) != new.flags.contains(.id) else { return nil }
    let words = { (flags: PropertyFlags) in flags.contains(.id) ? "the ID" : "a value" }
    return difference(
      .propertyFlags,
      words(old.flags),
      words(new.flags),
      "role",
      DataEffect.idChanged
    )
  }

  private var sign: ModelDifference? {
    guard old.type == new.type, old.flags.contains(.unsigned) != new.flags.contains(.unsigned)
    else { return nil }
    let isIndexed = old.indexID != nil && new.indexID != nil
    return difference(
      .propertySign,
      PropertyWords.type(old),
      PropertyWords.type(new),
      "type",
      isIndexed ? DataEffect.signIndexed : DataEffect.sign
    )
  }

  private var index: ModelDifference? {
    let (before, after) = (PropertyWords.index(old), PropertyWords.index(new))
    switch (old.indexID, new.indexID) {
    case (nil, nil): return nil
    case (nil, .some):
      return difference(.indexAdded, before, after, "index", DataEffect.indexAdded)
    case (.some, nil):
      return difference(.indexRemoved, before, after, "index", DataEffect.indexRemoved)
    case (.some(let one), .some(let other)):
      if before != after {
        return difference(.indexChanged, before, after, "index", DataEffect.indexRebuilt)
      }
      guard one != other else { return nil }
      return difference(
        .indexReplaced,
        "\(one.id):\(one.uid)",
        "\(other.id):\(other.uid)",
        "index ID",
        DataEffect.indexRebuilt
      )
    }
  }

  private var unique: ModelDifference? {
    let (was, becomes) = (old.isUnique, new.isUnique)
    guard was != becomes else { return nil }
    let removed = new.indexID == nil ? DataEffect.uniqueDropped : DataEffect.uniqueRemoved
    return difference(
      becomes ? .uniqueAdded : .uniqueRemoved,
      PropertyWords.unique(old.flags),
      PropertyWords.unique(new.flags),
      "constraint",
      becomes ? DataEffect.uniqueAdded : removed
    )
  }

  private var conflictRule: ModelDifference? {
    let rule = PropertyFlags.uniqueOnConflictReplace
    guard old.isUnique, new.isUnique, old.flags.contains(rule) != new.flags.contains(rule)
    else { return nil }
    return difference(
      .uniqueConflictRule,
      PropertyWords.unique(old.flags),
      PropertyWords.unique(new.flags),
      "constraint",
      DataEffect.conflictRule
    )
  }

  /// A target that was only renamed is the same one.
  private var target: ModelDifference? {
    guard old.relationTarget != new.relationTarget else { return nil }
    if let oldTarget, let newTarget, oldTarget.id.uid == newTarget.id.uid { return nil }
    return difference(
      .propertyTarget,
      PropertyWords.quoted(old.relationTarget),
      PropertyWords.quoted(new.relationTarget),
      "target",
      DataEffect.toOneTarget
    )
  }

  private var flags: ModelDifference? {
    let (before, after) = (
      old.flags.subtracting(Self.toldFlags), new.flags.subtracting(Self.toldFlags)
    )
    guard before != after else { return nil }
    return difference(
      .propertyFlags,
      FlagNames.words(of: before),
      FlagNames.words(of: after),
      "other flags",
      DataEffect.notStored
    )
  }

  private var deleteRule: ModelDifference? {
    guard old.onDelete != new.onDelete else { return nil }
    return difference(
      .deleteRule,
      PropertyWords.rule(old.onDelete),
      PropertyWords.rule(new.onDelete),
      "onDelete",
      DataEffect.deleteRule
    )
  }

  private var external: ModelDifference? {
    guard old.externalName != new.externalName || old.externalType != new.externalType else {
      return nil
    }
    return difference(
      .propertyExternal,
      PropertyWords.external(old.externalName, old.externalType),
      PropertyWords.external(new.externalName, new.externalType),
      "external name or type",
      DataEffect.notStored
    )
  }
}

extension ModelDocument.Property {
  fileprivate var isUnique: Bool {
    flags.contains(.unique) || flags.contains(.uniqueOnConflictReplace)
  }
}
