#if canImport(XcodeProjectPlugin)
  import Foundation
  import PackagePlugin
  import XcodeProjectPlugin

  /// Generates the bindings of targets of Xcode projects.
  ///
  /// Written from the documentation of `XcodeProjectPlugin`, and not tried in Xcode. Xcode gives plugins
  /// neither the conditions nor the modules of a target: conditions count as undefined, and both results of
  /// `canImport` count as possible.
  extension ObjectBoxPlugin: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      let files = target.swiftFiles
      let folder = context.xcodeProject.directoryURL
      let targets = context.xcodeProject.targets
      let configuration = try GeneratorConfiguration.read(
        from: folder,
        targetNames: targets.map(\.displayName)
      )
      let ownerName = configuration.targets[target.displayName]?.entitiesOf
      // A target without entities, such as tests, would retire the entities of the shared model.
      guard files.mayHaveEntities || ownerName != nil else { return [] }
      let tool = try GeneratorTool(GeneratorTool.buildProgram) { try context.tool(named: $0).url }
      let owner = targets.first { $0.displayName == ownerName }
      let ownerBindings = bindings(of: owner ?? target, configuration, tool, context)
      var own = bindings(of: target, configuration, tool, context)
      own.model = ownerBindings.model
      own.owner = owner?.displayName
      return [
        own.buildCommand(
          updatedBy: shellCommand([tool.url.path] + ownerBindings.arguments),
          inputs: files,
          settingsIn: folder
        )
      ]
    }

    private func bindings(
      of target: XcodeTarget,
      _ configuration: GeneratorConfiguration,
      _ tool: GeneratorTool,
      _ context: XcodePluginContext
    ) -> BindingsCommand {
      let name = target.displayName
      let settings = configuration.targets[name]
      return BindingsCommand(
        targetName: name,
        tool: tool,
        reading: target.swiftFiles.flatMap { ["--sources", $0.path] },
        model: model(of: name, settings, in: context.xcodeProject.directoryURL),
        output: BindingsCommand.output(of: name, in: context.pluginWorkDirectoryURL),
        visibility: settings?.visibility
      )
    }

    /// Returns the model that the settings name, else `model-<Target>.json` if it exists, else
    /// `model.json`.
    private func model(
      of name: String,
      _ settings: GeneratorConfiguration.Target?,
      in folder: URL
    ) -> URL {
      if let named = settings?.model {
        return URL(filePath: named, relativeTo: folder).standardizedFileURL.absoluteURL
      }
      let own = folder.appending(path: "model-\(name).json")
      let hasOwn = FileManager.default.fileExists(atPath: own.path)
      return hasOwn ? own : folder.appending(path: "model.json")
    }

    private func shellCommand(_ words: [String]) -> String {
      // By scalars: a quote and a following combining mark form one `Character`.
      words.map { word in
        "'" + word.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
      }.joined(separator: " ")
    }
  }

  extension XcodeTarget {
    fileprivate var swiftFiles: [URL] {
      inputFiles.map(\.url).filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
    }
  }
#endif
