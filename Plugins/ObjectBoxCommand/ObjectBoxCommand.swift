import Foundation
import PackagePlugin

/// Creates and updates the model files of the package's targets; their one writer besides the tool.
@main
struct ObjectBoxCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let tool = try context.tool(named: "objectbox-generator").url
    if arguments == ["--help"] {
      print(
        "usage: swift package --allow-writing-to-package-directory objectbox-generator "
          + "[--target NAME ...] [OPTION ...]\n"
          + "       swift package --allow-writing-to-package-directory objectbox-generator "
          + "model VERB [--target NAME ...] [OPTION ...]\n"
      )
      return try run(tool, ["--help"])
    }
    if arguments.first == "model" {
      return try ModelVerbs(context: context, tool: tool).run(Array(arguments.dropFirst()))
    }
    var extractor = ArgumentExtractor(arguments)
    let names = extractor.extractOption(named: "target")
    let options = extractor.remainingArguments
    let configuration = try GeneratorConfiguration.read(from: context.package.directoryURL)
    let chosen = try ChosenTarget.find(named: names, in: context.package, configuration)
    if chosen.isEmpty {
      Diagnostics.remark("no target has a type annotated with `// objectbox: entity`")
    }
    for choice in chosen {
      try generate(
        choice.target,
        model: choice.model,
        tool: tool,
        options: options,
        context: context,
        configuration
      )
    }
  }

  private func generate(
    _ target: any SourceModuleTarget,
    model: ModelFile,
    tool: URL,
    options: [String],
    context: PluginContext,
    _ configuration: GeneratorConfiguration
  ) throws {
    var arguments = target.readingArguments
    arguments += ["--model-json", model.url.path]
    // These bindings are for reading; the build plugin makes the compiled ones.
    arguments += [
      "--output",
      context.pluginWorkDirectoryURL.appending(path: "EntityInfo-\(target.name).generated.swift")
        .path,
    ]
    if let visibility = configuration.targets[target.name]?.visibility {
      arguments += ["--visibility", visibility]
    }
    try run(tool, arguments + options)
  }

  private func run(_ tool: URL, _ arguments: [String]) throws {
    let process = try Process.run(tool, arguments: arguments)
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw PluginFault("the generator ended with status \(process.terminationStatus)")
    }
  }
}
