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
    let bindings = BindingsCommand(
      targetName: target.name,
      tool: try context.tool(named: "objectbox-generator").url,
      reading: target.readingArguments,
      model: model.url,
      output: BindingsCommand.output(of: target.name, in: context.pluginWorkDirectoryURL),
      visibility: configuration.targets[target.name]?.visibility
    )
    return [
      bindings.buildCommand(
        updatedBy: command(for: target, model, in: context.package, configuration),
        inputs: files + target.cModules.flatMap(\.headers),
        settingsIn: context.package.directoryURL
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
