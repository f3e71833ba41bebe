import Foundation
import PackagePlugin

/// The targets of a package with their model files.
struct PackageModels {
  let root: URL
  let configuration: GeneratorConfiguration
  /// The targets that have sources, in the order of their names; SwiftPM has them in an order of its own.
  let targets: [any SourceModuleTarget]

  /// Reads the configuration of a package; throws ``PluginFault`` for one that cannot be followed.
  init(of package: Package) throws {
    root = package.directoryURL
    targets = package.targets.compactMap { $0 as? any SourceModuleTarget }
      .sorted { $0.name < $1.name }
    configuration = try GeneratorConfiguration.read(from: root, targetNames: targets.map(\.name))
  }

  /// Returns the target whose entities a target has by the configuration; nil for its own.
  func owner(of target: any SourceModuleTarget) -> (any SourceModuleTarget)? {
    guard let name = configuration.targets[target.name]?.entitiesOf else { return nil }
    return targets.first { $0.name == name }
  }

  /// Returns the command that brings the model of a target up to date.
  func updateCommand(of target: any SourceModuleTarget) -> String {
    "swift package --allow-writing-to-package-directory objectbox-generator --target "
      + (owner(of: target) ?? target).name
  }

  /// Returns the model file of a target, that of its owner where the configuration names one.
  ///
  /// Otherwise the file that the configuration names for the target, whether it exists or not. Without
  /// a name, the first existing file of these: `model-<Target>.json` in the target's folder, then in the
  /// package root; `model.json` in the target's folder, then in the root. A `model.json` in the root
  /// that the configuration names for another target, or with the entities of another one, is not used.
  /// If there is no such file: `model.json` in the root when the package has a single target besides its
  /// tests, else `model-<Target>.json` there.
  func model(of target: any SourceModuleTarget) -> ModelFile {
    if let owner = owner(of: target) { return model(of: owner) }
    if let named = configuredModel(of: target) { return named }
    if let own = existingModel(ofOnly: target) { return ModelFile(own) }
    let common = ModelFile(root.appending(path: "model.json"))
    let isSingle = targets.filter { $0.kind != .test }.count == 1 && target.kind != .test
    let mayUseCommon = common.exists ? !isOfOther(common, than: target) : isSingle
    return mayUseCommon && !isConfigured(common, forOtherThan: target)
      ? common : ModelFile(root.appending(path: Self.ownModelName(of: target.name)))
  }

  /// Returns the model that the configuration names for a target.
  func configuredModel(of target: any SourceModuleTarget) -> ModelFile? {
    configuration.targets[target.name]?.model.map { name in
      ModelFile(URL(filePath: name, relativeTo: root).standardizedFileURL.absoluteURL)
    }
  }

  private func isConfigured(
    _ model: ModelFile,
    forOtherThan target: any SourceModuleTarget
  ) -> Bool {
    // A target without entities needs no model.
    target.mayHaveEntities
      && targets.contains { other in
        other.name != target.name && configuredModel(of: other)?.isSame(as: model) == true
      }
  }

  /// The name of a model file that belongs to one target.
  static func ownModelName(of target: String) -> String { "model-\(target).json" }

  /// Returns the existing file of the target alone.
  private func existingModel(ofOnly target: any SourceModuleTarget) -> URL? {
    let name = Self.ownModelName(of: target.name)
    return [
      target.directoryURL.appending(path: name), root.appending(path: name),
      target.directoryURL.appending(path: "model.json"),
    ].first {
      $0 != root.appending(path: "model.json") && FileManager.default.fileExists(atPath: $0.path)
    }
  }

  /// Returns whether the model in the root holds entities of another target, and none of this one.
  private func isOfOther(_ model: ModelFile, than target: any SourceModuleTarget) -> Bool {
    // A target without entities needs no model.
    guard target.mayHaveEntities else { return false }
    let names = model.entityNames
    if names.isEmpty || target.declaredCount(of: names) > 0 { return false }
    return targets.contains { other in
      let entry = configuration.targets[other.name]
      return other.name != target.name && entry?.model == nil && entry?.entitiesOf == nil
        && existingModel(ofOnly: other) == nil && other.declaredCount(of: names) > 0
    }
  }
}
