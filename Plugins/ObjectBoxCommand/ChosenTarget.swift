import Foundation
import PackagePlugin

/// A target that the command works on, with its model file.
struct ChosenTarget {
  var target: any SourceModuleTarget
  var model: ModelFile
  /// The target that declares the same entities and writes their model; nil if `target` does so.
  var owner: (any SourceModuleTarget)?
  /// The command that brings the model up to date.
  var updateCommand: String

  /// The tool's arguments to check the sources against the model.
  var checkArguments: [String] {
    ["model", "check"] + target.readingArguments
      + ["--model-json", model.url.path, "--update-command", updateCommand]
      + (owner.map { ["--entities-of", $0.name] } ?? [])
  }

  /// Returns the named targets, owners first; without names, all targets that may have entities.
  ///
  /// Throws ``PluginFault`` for an unknown name and for a target with two models. Unless
  /// `allowsConflicts` is true, it also throws when two owners would use the same model.
  static func find(
    named names: [String],
    in models: PackageModels,
    allowsConflicts: Bool = false
  ) throws -> [ChosenTarget] {
    for name in names where !models.targets.contains(where: { $0.name == name }) {
      let list = models.targets.map { "'\($0.name)'" }.joined(separator: ", ")
      throw PluginFault("there is no target '\(name)' with sources; the package has \(list)")
    }
    let chosen = models.targets.filter { target in
      if !names.isEmpty { return names.contains(target.name) }
      // A target with an owner is checked even without entities: it must declare the owner's.
      return !target.swiftFiles.isEmpty
        && (target.mayHaveEntities || models.owner(of: target) != nil)
    }
    let choices = try chosen.map { target in
      if let ambiguity = models.ambiguity(of: target) { throw ambiguity }
      if !allowsConflicts, let conflict = models.conflict(of: target, among: .all) {
        throw conflict
      }
      return ChosenTarget(
        target: target,
        model: models.model(of: target),
        owner: models.owner(of: target),
        updateCommand: models.updateCommand(of: target)
      )
    }
    return choices.filter { $0.owner == nil } + choices.filter { $0.owner != nil }
  }
}
