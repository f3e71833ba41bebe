import Foundation
import PackagePlugin

extension PackageModels {
  /// The targets to search for a conflict.
  enum ConflictScope {
    /// All targets of the package.
    case all
    /// The targets for which the configuration names a model. The sources of other targets, which
    /// may not use ObjectBox, are not read.
    case configured
  }

  /// Returns an error if another target without an owner would use the same model as `target`.
  ///
  /// Two owners of one model would retire each other's entities.
  ///
  /// - Returns: An error that shows two configurations to resolve the conflict; nil without a
  ///   conflict.
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
    // Stored data of the second target has the UIDs of the shared model; a new model lacks them.
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

  /// Returns whether `target` is the likelier owner of the model than `other`: it declares more of
  /// the model's entities, or as many and its name comes first.
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
