import Foundation
import PackagePlugin

/// The targets of a package and their model files.
struct PackageModels {
  let root: URL
  let configuration: GeneratorConfiguration
  /// The targets that have sources, sorted by name.
  let targets: [any SourceModuleTarget]

  /// Reads the configuration of a package; throws ``PluginFault`` for an invalid configuration.
  init(of package: Package) throws {
    root = package.directoryURL
    targets = package.targets.compactMap { $0 as? any SourceModuleTarget }
      .sorted { $0.name < $1.name }
    configuration = try GeneratorConfiguration.read(from: root, targetNames: targets.map(\.name))
  }

  /// Returns the target that the configuration names in `entitiesOf`; nil without an owner.
  func owner(of target: any SourceModuleTarget) -> (any SourceModuleTarget)? {
    guard let name = configuration.targets[target.name]?.entitiesOf else { return nil }
    return targets.first { $0.name == name }
  }

  /// Returns the command that brings the model of a target up to date.
  func updateCommand(of target: any SourceModuleTarget) -> String {
    "swift package --allow-writing-to-package-directory objectbox-generator --target "
      + (owner(of: target) ?? target).name
  }

  /// Returns the model file of a target: the first of these.
  ///
  /// 1. The model file of the target's owner.
  /// 2. The file that the configuration names for the target, whether it exists or not.
  /// 3. An existing `model-<Target>.json`, in the target's folder or else in the package root.
  /// 4. An existing `model.json`, in the target's folder or else in the root. The file in the root
  ///    is skipped if the configuration names it for another target, or if it holds the entities
  ///    of another target.
  /// 5. A new file: `model-<Target>.json` in the target's folder if the manifest has that name, as
  ///    in `exclude`. Else in the root: `model.json` if the target is the only one besides tests,
  ///    else `model-<Target>.json`.
  func model(of target: any SourceModuleTarget) -> ModelFile {
    if let owner = owner(of: target) { return model(of: owner) }
    if let named = configuredModel(of: target) { return named }
    if let own = existingModels(ofOnly: target).first { return ModelFile(own) }
    if manifestNamesModel(of: target) {
      let name = Self.ownModelName(of: target.name)
      return ModelFile(target.directoryURL.appending(path: name))
    }
    let common = ModelFile(root.appending(path: "model.json"))
    let isSingle = targets.filter { $0.kind != .test }.count == 1 && target.kind != .test
    let mayUseCommon = common.exists ? !isOfOther(common, than: target) : isSingle
    return mayUseCommon && !isConfigured(common, forOtherThan: target)
      ? common : ModelFile(root.appending(path: Self.ownModelName(of: target.name)))
  }

  /// Returns the model that the configuration names for a target.
  func configuredModel(of target: any SourceModuleTarget) -> ModelFile? {
    configuredModel(named: target.name)
  }

  private func configuredModel(named target: String) -> ModelFile? {
    configuration.targets[target]?.model.map { name in
      ModelFile(URL(filePath: name, relativeTo: root).standardizedFileURL.absoluteURL)
    }
  }

  /// Returns whether the configuration names a model for another target than `target`.
  func isConfigured(
    _ model: ModelFile,
    forOtherThan target: any SourceModuleTarget
  ) -> Bool {
    // A target without entities needs no model.
    target.mayHaveEntities
      && configuration.targets.keys.contains { other in
        // A manifest may leave out the other target on some machines.
        other != target.name && configuredModel(named: other)?.isSame(as: model) == true
      }
  }

  /// Returns whether the manifest names the target's own model file.
  ///
  /// Plugins do not see what a manifest excludes. Its names of files are relative to the folder of a
  /// target, and the file's name has the target's.
  private func manifestNamesModel(of target: any SourceModuleTarget) -> Bool {
    let manifest = try? String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
    return manifest?.contains("\"\(Self.ownModelName(of: target.name))\"") ?? false
  }

  /// The name of a model file that belongs to one target.
  static func ownModelName(of target: String) -> String { "model-\(target).json" }

  /// Returns the existing model files that belong to the target alone; the first one is used.
  func existingModels(ofOnly target: any SourceModuleTarget) -> [URL] {
    let name = Self.ownModelName(of: target.name)
    return [
      target.directoryURL.appending(path: name), root.appending(path: name),
      target.directoryURL.appending(path: "model.json"),
    ].filter {
      $0 != root.appending(path: "model.json") && FileManager.default.fileExists(atPath: $0.path)
    }
  }

  /// Returns whether the model in the root holds entities of another target, and none of `target`.
  private func isOfOther(_ model: ModelFile, than target: any SourceModuleTarget) -> Bool {
    // A target without entities needs no model.
    guard target.mayHaveEntities else { return false }
    let names = model.entityNames
    if names.isEmpty || target.declaredCount(of: names) > 0 { return false }
    return targets.contains { other in
      let entry = configuration.targets[other.name]
      return other.name != target.name && entry?.model == nil && entry?.entitiesOf == nil
        && existingModels(ofOnly: other).isEmpty && other.declaredCount(of: names) > 0
    }
  }
}
