import Foundation
import PackagePlugin

/// A target that the command works on, with its model file.
struct ChosenTarget {
  var target: any SourceModuleTarget
  var model: ModelFile
  /// The target whose entities this one has, and which writes the model; nil for entities of its own.
  var owner: (any SourceModuleTarget)?
  /// The command that brings the model up to date.
  var updateCommand: String

  /// The arguments of a check of the sources against the model.
  var checkArguments: [String] {
    ["model", "check"] + target.readingArguments
      + ["--model-json", model.url.path, "--update-command", updateCommand]
      + (owner.map { ["--entities-of", $0.name] } ?? [])
  }

  /// Returns the named targets, or without names all that may have entities; owners come first.
  ///
  /// Throws ``PluginFault`` for an unknown name, and when two owners would use one model, unless
  /// `allowsConflicts` is true.
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
      // Without entities, a target that must have those of its owner differs from the model.
      return !target.swiftFiles.isEmpty
        && (target.mayHaveEntities || models.owner(of: target) != nil)
    }
    let choices = try chosen.map { target in
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
