import Foundation
import PackagePlugin

extension PackageModels {
  /// Returns an error if a target has more than one model of its own: only the first one is used.
  func ambiguity(of target: any SourceModuleTarget) -> PluginFault? {
    let target = owner(of: target) ?? target
    let files = existingModels(ofOnly: target).map(ModelFile.init)
    guard configuredModel(of: target) == nil, let first = files.first,
      let second = files.first(where: { !$0.isSame(as: first) })
    else { return nil }
    let choice = configuration.text(changing: target.name) { $0.model = pathInPackage(first.url) }
    return PluginFault(
      "target '\(target.name)' has two models: '\(first.url.path)', which is used, and "
        + "'\(second.url.path)'; keep the one with the UIDs of the stored data, and remove the other, or "
        + "name one in \(GeneratorConfiguration.fileName): \(choice)"
    )
  }

  /// Returns an error if a target would get a new model although an unused model has its entities.
  ///
  /// The new model would give the entities other UIDs, as after the renaming of a target.
  func unusedModel(of target: any SourceModuleTarget) -> PluginFault? {
    let new = model(of: target)
    guard !new.exists else { return nil }
    let found = candidates(for: target).first {
      !isUsed($0, besidesBy: target) && !isConfigured($0, forOtherThan: target)
    }
    guard let found else { return nil }
    let choice = configuration.text(changing: target.name) { $0.model = pathInPackage(found.url) }
    return PluginFault(
      "target '\(target.name)' would get the new model '\(new.url.path)', and '\(found.url.path)', which no "
        + "target uses, has its entities; to keep their UIDs, write \(GeneratorConfiguration.fileName): "
        + "\(choice); to begin a new model all the same, pass --new-model"
    )
  }

  /// Returns a warning if a target gets a new model although another target's model has the same
  /// entities; targets may have entities of the same names by chance.
  func likelyOwner(of target: any SourceModuleTarget) -> String? {
    guard !model(of: target).exists else { return nil }
    for other in targets where other.name != target.name && owner(of: other) == nil {
      let found = model(of: other)
      let names = found.entityNames
      guard !names.isEmpty, target.declaredCount(of: names) == names.count, other.mayHaveEntities
      else { continue }
      let shared = configuration.text(changing: target.name) { $0.entitiesOf = other.name }
      return "target '\(target.name)' gets a new model, and declares the entities of target "
        + "'\(other.name)', whose model is '\(found.url.path)'; if both store the same data, remove the new "
        + "model and write \(GeneratorConfiguration.fileName): \(shared)"
    }
    return nil
  }

  /// The existing models in the target's folder and in the root that have entities of the target.
  private func candidates(for target: any SourceModuleTarget) -> [ModelFile] {
    let manager = FileManager.default
    let inRoot = (try? manager.contentsOfDirectory(atPath: root.path)) ?? []
    let inTarget = manager.enumerator(
      at: target.directoryURL,
      includingPropertiesForKeys: nil,
      options: .skipsHiddenFiles
    )
    let files =
      (inTarget?.compactMap { $0 as? URL } ?? []) + inRoot.map { root.appending(path: $0) }
    return files.filter {
      $0.lastPathComponent.hasPrefix("model") && $0.pathExtension == "json"
    }.sorted { $0.path < $1.path }.map(ModelFile.init).filter {
      target.declaredCount(of: $0.entityNames) > 0
    }
  }

  /// Returns whether another target than `target` uses a model.
  private func isUsed(_ model: ModelFile, besidesBy target: any SourceModuleTarget) -> Bool {
    targets.contains { other in
      other.name != target.name && self.model(of: other).isSame(as: model) && other.mayHaveEntities
    }
  }

  /// The path of a file relative to the root, as the configuration has it.
  private func pathInPackage(_ file: URL) -> String {
    let folder = root.path.hasSuffix("/") ? root.path : root.path + "/"
    return file.path.hasPrefix(folder) ? String(file.path.dropFirst(folder.count)) : file.path
  }
}
