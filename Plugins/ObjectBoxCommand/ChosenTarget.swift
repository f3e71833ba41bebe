import Foundation
import PackagePlugin

/// A target that the command works on, with its model file.
struct ChosenTarget {
  var target: any SourceModuleTarget
  var model: ModelFile

  /// Returns the named targets, or without names all that may have entities.
  ///
  /// Throws ``PluginFault`` for an unknown name, and when two targets would share a model, unless
  /// `allowsSharing` is true.
  static func find(
    named names: [String],
    in package: Package,
    _ configuration: GeneratorConfiguration,
    allowsSharing: Bool = false
  ) throws -> [ChosenTarget] {
    let sources = package.targets.compactMap { $0 as? any SourceModuleTarget }
    for name in names where !sources.contains(where: { $0.name == name }) {
      let list = sources.map { "'\($0.name)'" }.joined(separator: ", ")
      throw PluginFault("there is no target '\(name)' with sources; the package has \(list)")
    }
    let candidates = sources.filter { !$0.swiftFiles.isEmpty && $0.mayHaveEntities }
    let chosen = names.isEmpty ? candidates : sources.filter { names.contains($0.name) }
    return try chosen.map { target in
      let model = ModelFile(of: target, in: package, configuration)
      // Two targets on one model would retire each other's entities.
      if !allowsSharing, let other = model.otherUser(than: target, in: package, configuration) {
        throw PluginFault(
          "targets '\(target.name)' and '\(other.name)' would both use the model '\(model.url.path)'; "
            + "rename it to model-<Target>.json after the target whose entities it holds, or name a model "
            + "for each in \(GeneratorConfiguration.fileName)"
        )
      }
      return ChosenTarget(target: target, model: model)
    }
  }
}
