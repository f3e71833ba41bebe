import Foundation
import PackagePlugin

/// Creates and updates the model files of the package's targets, which builds never write.
@main
struct ObjectBoxCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let tool = try GeneratorTool(GeneratorTool.commandProgram) { try context.tool(named: $0).url }
    if arguments == ["--help"] {
      print(
        "usage: swift package --allow-writing-to-package-directory objectbox-generator "
          + "[--target NAME ...] [OPTION ...]\n"
          + "       swift package --allow-writing-to-package-directory objectbox-generator "
          + "model VERB [--target NAME ...] [OPTION ...]\n"
      )
      return try tool.run(["--help"])
    }
    if arguments.first == "model" {
      return try ModelVerbs(context: context, tool: tool).run(Array(arguments.dropFirst()))
    }
    var extractor = ArgumentExtractor(arguments)
    let names = extractor.extractOption(named: "target")
    let options = extractor.remainingArguments
    let models = try PackageModels(of: context.package)
    let chosen = try ChosenTarget.find(named: names, in: models)
    if chosen.isEmpty {
      Diagnostics.remark("no target has a type annotated with `// objectbox: entity`")
    }
    var status: Int32 = 0
    let manifest = ManifestText(of: context.package.directoryURL)
    for choice in chosen {
      if let warning = manifest.warning(about: choice.target) { Diagnostics.warning(warning) }
      if let owner = choice.owner {
        status = max(status, try check(choice, ownedBy: owner, options, tool))
      } else {
        try generate(choice, tool: tool, options: options, context: context, models)
      }
    }
    try GeneratorTool.refuse(status)
  }

  private func generate(
    _ choice: ChosenTarget,
    tool: GeneratorTool,
    options: [String],
    context: PluginContext,
    _ models: PackageModels
  ) throws {
    let name = choice.target.name
    if !options.contains("--new-model") {
      if let unused = models.unusedModel(of: choice.target) { throw unused }
      if let warning = models.likelyOwner(of: choice.target) { Diagnostics.warning(warning) }
    }
    var arguments = choice.target.readingArguments
    arguments += ["--model-json", choice.model.url.path]
    // This file is only for people to read; builds compile the build plugin's output.
    arguments += [
      "--output",
      context.pluginWorkDirectoryURL.appending(path: "EntityInfo-\(name).generated.swift").path,
    ]
    if let visibility = models.configuration.targets[name]?.visibility {
      arguments += ["--visibility", visibility]
    }
    try tool.run(arguments + options)
  }

  /// Checks a target whose model another target writes, and returns the status of the check.
  private func check(
    _ choice: ChosenTarget,
    ownedBy owner: any SourceModuleTarget,
    _ options: [String],
    _ tool: GeneratorTool
  ) throws -> Int32 {
    print(
      "note: target '\(choice.target.name)' has the entities of '\(owner.name)', which writes the model, so "
        + "it is only checked; to change the model, change the sources of '\(owner.name)' and run: "
        + choice.updateCommand
    )
    // The tool writes to the same output: print the note before it.
    fflush(nil)
    return try tool.status(of: choice.checkArguments + CheckOptions.find(in: options))
  }
}
