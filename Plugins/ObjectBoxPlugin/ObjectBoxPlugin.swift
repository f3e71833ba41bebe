import Foundation
import PackagePlugin

/// Generates the bindings of a target's entities during the build.
///
/// It never writes the model file: if builds created UIDs, each machine would give a property a
/// different UID. When sources and model disagree, the build fails and names the command to run.
@main
struct ObjectBoxPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    let files = target.swiftFiles
    guard !files.isEmpty else { return [] }
    let models = try PackageModels(of: context.package)
    if let conflict = models.conflict(of: target, among: .configured) { throw conflict }
    if let ambiguity = models.ambiguity(of: target) { Diagnostics.warning("\(ambiguity)") }
    let bindings = BindingsCommand(
      targetName: target.name,
      tool: try GeneratorTool(GeneratorTool.buildProgram) { try context.tool(named: $0).url },
      reading: target.readingArguments,
      model: models.model(of: target).url,
      output: BindingsCommand.output(of: target.name, in: context.pluginWorkDirectoryURL),
      visibility: models.configuration.targets[target.name]?.visibility,
      owner: models.owner(of: target)?.name
    )
    return [
      bindings.buildCommand(
        updatedBy: models.updateCommand(of: target),
        inputs: files + target.cModules.flatMap(\.headers),
        settingsIn: context.package.directoryURL
      )
    ]
  }
}
