/// Replaces the target names of to-one relations by UIDs during a merge.
///
/// The file names a target by the entity's name, which may have changed on one side only.
package enum TargetNames {
  /// No name of an entity begins with this character.
  private static let marker = "\u{0}"

  /// Returns the model with names of known targets replaced by UIDs.
  package static func replaceByUIDs(in model: ModelDocument) -> ModelDocument {
    rewriteTargets(of: model) { name in
      model.entities[name: name].map { "\(marker)\($0.id.uid)" } ?? name
    }
  }

  /// Returns the model with UIDs replaced by the current names of entities.
  package static func replaceByNames(in model: ModelDocument) -> ModelDocument {
    rewriteTargets(of: model) { target in
      guard let uid = uid(of: target) else { return target }
      return model.entities[uid: uid]?.name ?? target
    }
  }

  /// The UID that replaces a target's name; nil for a name.
  package static func uid(of target: String?) -> UInt64? {
    guard let target, target.hasPrefix(marker) else { return nil }
    return UInt64(target.dropFirst())
  }

  /// The name of a target, given the names of all entities by UID.
  static func name(of target: String?, in names: [UInt64: String]) -> String? {
    uid(of: target).map { names[$0] ?? "UID \($0)" } ?? target
  }

  private static func rewriteTargets(
    of model: ModelDocument,
    by rewrite: (String) -> String
  ) -> ModelDocument {
    var model = model
    for entity in model.entities.indices {
      for property in model.entities[entity].properties.indices {
        let target = model.entities[entity].properties[property].relationTarget
        model.entities[entity].properties[property].relationTarget = target.map(rewrite)
      }
    }
    return model
  }
}
