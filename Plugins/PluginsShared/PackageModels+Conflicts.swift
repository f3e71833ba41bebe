import Foundation
import PackagePlugin

extension PackageModels {
  /// The targets that a conflict is looked for among.
  enum ConflictScope {
    /// All targets of the package.
    case all
    /// The targets for which the configuration names a model. Their meeting needs no look at the sources
    /// of other targets, which may have nothing to do with ObjectBox.
    case configured
  }

  /// Returns an error when another target that owns its entities would use the model of a target.
  ///
  /// Two owners of one model would retire each other's entities.
  ///
  /// - Returns: The error with the two contents of the configuration that end the conflict; nil without
  ///   a conflict.
  func conflict(of target: any SourceModuleTarget, among scope: ConflictScope) -> PluginFault? {
    let own = owner(of: target) ?? target
    let model = model(of: own)
    let other = targets.first { other in
      other.name != own.name && owner(of: other) == nil
        && (scope == .all || configuredModel(of: own) != nil && configuredModel(of: other) != nil)
        && self.model(of: other).isSame(as: model) && other.mayHaveEntities
    }
    guard let other, scope == .all || own.mayHaveEntities else { return nil }
    return isOwner(own, beside: other, of: model)
      ? conflict(of: own, with: other, at: model) : conflict(of: other, with: own, at: model)
  }

  private func conflict(
    of owner: any SourceModuleTarget,
    with target: any SourceModuleTarget,
    at model: ModelFile
  ) -> PluginFault {
    let owner = owner.name
    let second = target.name
    let shared = configuration.text(changing: second) { entry in
      entry.model = nil
      entry.entitiesOf = owner
    }
    let separate = configuration.text(changing: second) { entry in
      entry.model = Self.ownModelName(of: second)
    }
    // Its stored data has the UIDs of this model, which a new one would not know.
    let copy = root.appending(path: Self.ownModelName(of: second)).path
    let keeping =
      target.declaredCount(of: model.entityNames) == 0
      ? "" : "\n    and, for the UIDs of its stored data: cp '\(model.url.path)' '\(copy)'"
    return PluginFault(
      """
      targets '\(owner)' and '\(second)' would both use the model '\(model.url.path)', and each would \
      retire the entities of the other; write \(GeneratorConfiguration.fileName) in one of two ways:
        when both declare the same entities: \(shared)
        when '\(second)' has entities of its own: \(separate)\(keeping)
      """
    )
  }

  /// Returns whether a model is more likely that of the first target: the one that declares more of its
  /// entities, else the one whose name comes first.
  private func isOwner(
    _ target: any SourceModuleTarget,
    beside other: any SourceModuleTarget,
    of model: ModelFile
  ) -> Bool {
    let names = model.entityNames
    let (own, others) = (target.declaredCount(of: names), other.declaredCount(of: names))
    if own != others { return own > others }
    return target.name < other.name
  }
}
