import Foundation
import PackagePlugin

/// Generates the bindings of a target's entities during the build.
///
/// It only reads the model file: a build that made up identities would give a property another one on
/// each machine. When sources and model disagree, the build stops and says which command to run.
@main
struct ObjectBoxPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    let files = target.swiftFiles
    guard !files.isEmpty else { return [] }
    let configuration = try GeneratorConfiguration.read(from: context.package.directoryURL)
    let model = ModelFile(of: target, in: context.package, configuration)
    let output = context.pluginWorkDirectoryURL
      .appending(path: "EntityInfo-\(target.name).generated.swift")
    var arguments = target.readingArguments
    arguments += ["--model-json", model.url.path, "--output", output.path, "--locked"]
    arguments += [
      "--update-command", command(for: target, model, in: context.package, configuration),
    ]
    if let visibility = configuration.targets[target.name]?.visibility {
      arguments += ["--visibility", visibility]
    }
    let settings = context.package.directoryURL.appending(path: GeneratorConfiguration.fileName)
    let hasSettings = FileManager.default.fileExists(atPath: settings.path)
    return [
      .buildCommand(
        displayName: "Generating ObjectBox bindings of \(target.name)",
        executable: try context.tool(named: "objectbox-generator").url,
        arguments: arguments,
        inputFiles: files + (model.exists ? [model.url] : []) + (hasSettings ? [settings] : [])
          + target.cModules.flatMap(\.headers),
        outputFiles: [output]
      )
    ]
  }

  /// Returns the command that updates the model; a model of several targets must be split before.
  private func command(
    for target: any SourceModuleTarget,
    _ model: ModelFile,
    in package: Package,
    _ configuration: GeneratorConfiguration
  ) -> String {
    let isShared =
      model.exists && target.mayHaveEntities
      && model.otherUser(than: target, in: package, configuration) != nil
    guard isShared else { return target.updateCommand }
    let own = package.directoryURL.appending(path: ModelFile.ownName(of: target)).path
    return "mv '\(model.url.path)' '\(own)' && \(target.updateCommand)"
  }
}
