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
      )
      return try run(tool, ["--help"])
    }
    var extractor = ArgumentExtractor(arguments)
    let names = extractor.extractOption(named: "target")
    let options = extractor.remainingArguments
    let sources = context.package.targets.compactMap { $0 as? any SourceModuleTarget }
    for name in names where !sources.contains(where: { $0.name == name }) {
      let list = sources.map { "'\($0.name)'" }.joined(separator: ", ")
      throw PluginFault("there is no target '\(name)' with sources; the package has \(list)")
    }
    let configuration = try GeneratorConfiguration.read(from: context.package.directoryURL)
    let candidates = sources.filter { !$0.swiftFiles.isEmpty && $0.mayHaveEntities }
    let chosen = names.isEmpty ? candidates : sources.filter { names.contains($0.name) }
    guard !chosen.isEmpty else {
      Diagnostics.remark("no target has a type annotated with `// objectbox: entity`")
      return
    }
    for target in chosen {
      let model = ModelFile(of: target, in: context.package, configuration)
      // Two targets on one model would retire each other's entities.
      let sharing = candidates.filter {
        $0.name != target.name
          && ModelFile(of: $0, in: context.package, configuration).url == model.url
      }
      if let other = sharing.first {
        throw PluginFault(
          "targets '\(target.name)' and '\(other.name)' would both use the model '\(model.url.path)'; "
            + "rename it to model-<Target>.json after the target whose entities it holds, or name a model "
            + "for each in \(GeneratorConfiguration.fileName)"
        )
      }
      try generate(
        target,
        model: model,
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
    var arguments = target.swiftFiles.flatMap { ["--sources", $0.path] }
    arguments += ["--model-json", model.url.path]
    // The build plugin makes the bindings that are compiled; these show what they will be.
    arguments += [
      "--output",
      context.pluginWorkDirectoryURL.appending(path: "EntityInfo-\(target.name).generated.swift")
        .path,
    ]
    if let visibility = configuration.targets[target.name]?.visibility {
      arguments += ["--visibility", visibility]
    }
    arguments += target.cModules.flatMap(\.arguments)
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
